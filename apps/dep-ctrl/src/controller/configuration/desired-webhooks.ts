/*
 * The entries of the configuration of a guarded workspace: a pure function of the resources that the rules in force guard.
 * The same set of resources gives the same bytes, in whatever order the rules arrived.
 */
import { elements, groupResourceKey, record, type GroupResource, type KubeObject, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { DesiredConfiguration, DesiredWebhook, WebhookRule } from '@dep-ctrl/webhook-installer';
import { API_GROUP, SKIP_ANNOTATION, type Enforcement } from '@dep-ctrl/rule-registry';
import { MANAGED_BY } from '../../own-objects/configuration-labels.js';

/** A resource of the guarded workspace and how strictly one rule guards it. */
export interface GuardedResource extends GroupResource {
  readonly enforcement: Enforcement;
}

/** The part of an entry that is the same for every resource of a guarded workspace. */
export interface WebhookAddress {
  readonly guardedCluster: LogicalClusterName;
  /** `https://host:port/validate`, without a slash at the end. */
  readonly webhookUrl: string;
  /** Last path segment of the URL. It proves that kcp is calling; derived per guarded workspace. */
  readonly urlToken?: string;
  /** Base64 of PEM; absent where the serving certificate is one that every API server trusts. */
  readonly caBundle?: string;
}

/** Name of the entry that refuses. The original's name: its configurations are recognised by it. */
export const DENY_ENTRY = `dependency-controller.${API_GROUP}`;
const ADVISORY_ENTRY = `advisory.${API_GROUP}`;
const BYPASS_ENTRY = `bypass.${API_GROUP}`;

// The value counts, not the key: "false" must not lift protection. orValue keeps CEL from failing where there are no annotations.
const SKIP_VALUE = `oldObject.metadata.?annotations[?'${SKIP_ANNOTATION}'].orValue('')`;
const NOT_SKIPPED = { name: 'not-skipped', expression: `${SKIP_VALUE} != 'true'` };
const SKIPPED = { name: 'skipped', expression: `${SKIP_VALUE} == 'true'` };

// The deny entry waits as long as kcp waits by default. The others must not delay a delete.
const REFUSING = { failurePolicy: 'Fail', timeoutSeconds: 10 } as const;
const WATCHING = { failurePolicy: 'Ignore', timeoutSeconds: 2 } as const;

/** The configuration that guards the given resources; no resources, no entries. */
export function desiredWebhooks(guarded: readonly GuardedResource[], address: WebhookAddress): DesiredConfiguration {
  const denied = guarded.filter(({ enforcement }) => enforcement === 'Deny');
  const deniedKeys = new Set(denied.map(groupResourceKey));
  const advised = guarded.filter((each) => !deniedKeys.has(groupResourceKey(each)));
  const entries: DesiredWebhook[] = [];
  if (denied.length > 0) entries.push(entry(DENY_ENTRY, '', denied, { ...REFUSING, matchConditions: [NOT_SKIPPED] }, address));
  if (advised.length > 0)
    entries.push(entry(ADVISORY_ENTRY, '/advisory', advised, { ...WATCHING, matchConditions: [NOT_SKIPPED] }, address));
  if (guarded.length > 0) entries.push(entry(BYPASS_ENTRY, '/bypass', guarded, { ...WATCHING, matchConditions: [SKIPPED] }, address));
  return { labels: { [MANAGED_BY.label]: MANAGED_BY.value }, webhooks: entries };
}

function entry(
  name: string,
  suffix: string,
  resources: readonly GroupResource[],
  policy: Pick<DesiredWebhook, 'failurePolicy' | 'timeoutSeconds' | 'matchConditions'>,
  { guardedCluster, webhookUrl, urlToken, caBundle }: WebhookAddress,
): DesiredWebhook {
  const token = urlToken === undefined ? '' : `/${urlToken}`;
  return {
    name,
    clientConfig: { url: `${webhookUrl}/${guardedCluster}${token}${suffix}`, ...(caBundle !== undefined && { caBundle }) },
    rules: webhookRules(resources),
    ...policy,
    matchPolicy: 'Equivalent',
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  };
}

/** One rule per group. Every version and every scope: a change of version never un-guards. */
function webhookRules(resources: readonly GroupResource[]): readonly WebhookRule[] {
  const byGroup = new Map<string, Set<string>>();
  for (const { group, resource } of resources) byGroup.set(group, (byGroup.get(group) ?? new Set<string>()).add(resource));
  return [...byGroup.keys()].sort().map((group) => ({
    operations: ['DELETE'],
    apiGroups: [group],
    apiVersions: ['*'],
    resources: [...(byGroup.get(group) ?? [])].sort(),
    scope: '*',
  }));
}

/** The resources that a configuration guards, each as strictly as its entry. */
export function guardedBy({ webhooks }: KubeObject): readonly GuardedResource[] {
  const guarded: GuardedResource[] = [];
  for (const webhook of elements(webhooks)) {
    const entry = record(webhook);
    const enforcement = entry?.['name'] === DENY_ENTRY ? 'Deny' : entry?.['name'] === ADVISORY_ENTRY ? 'Warn' : undefined;
    if (enforcement === undefined) continue;
    for (const rule of elements(entry?.['rules'])) {
      for (const resource of resourcesOf(record(rule), enforcement)) {
        if (guarded.length === MOST_GUARDED) return guarded;
        guarded.push(resource);
      }
    }
  }
  return guarded;
}

/** No object that kcp stores names more types one by one. But another writer may name many groups and many resources: they stand for each pair. */
const MOST_GUARDED = 100_000;

function* resourcesOf(rule: Readonly<Record<string, unknown>> | undefined, enforcement: Enforcement): Generator<GuardedResource> {
  const names = (field: string): readonly string[] => elements(rule?.[field]).filter((name) => typeof name === 'string');
  for (const group of names('apiGroups')) for (const resource of names('resources')) yield { group, resource, enforcement };
}
