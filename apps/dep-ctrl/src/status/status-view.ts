// One view of all workspaces, in a stable shape for scripts: docs/operations.md shows it, docs/reference/status.md describes each field. Pure.
import { X509Certificate } from 'node:crypto';
import { conditionsIn, READY } from '../own-objects/conditions.js';
import { VERSION } from '../command-line/version.js';
import type { DoctorFacts } from '../doctor/precondition.js';
import { isWell, type Finding, type Findings, type NotLookedAt } from '../doctor/preconditions.js';
import { ruleFix } from '../doctor/rule-fix.js';
import type { InstallationFacts, ShardFacts, WebhookFacts } from '../installation/facts.js';
import { ownBindings } from '../installation/known-rules.js';
import { leaseView } from '../own-objects/lease-view.js';
import type { Peek } from '../installation/peek.js';
import type { Provider } from '../installation/providers.js';
import { valueOr } from '../installation/reading.js';
import { protectionState } from '../own-objects/home-protection.js';
import type { RuleView } from '../installation/rule-views.js';

/** What `status` prints. */
export interface StatusView {
  /** Nothing is wrong, and nothing was kept from view. */
  readonly well: boolean;
  /** When it was read, by the clock of kcp. */
  readonly at: string;
  readonly versions: { readonly depCtrl: string; readonly kcp?: string };
  readonly home: HomeView;
  readonly controller: ControllerView;
  readonly webhooks: readonly WebhookView[];
  readonly endpoints: readonly EndpointView[];
  readonly workspaces: readonly WorkspaceView[];
  readonly rules: readonly RuleStatus[];
  readonly ages: readonly AgeView[];
  readonly teardown?: TeardownView;
  readonly problems: readonly Finding[];
  readonly notLookedAt: readonly NotLookedAt[];
}

/** The workspace of dep-ctrl. */
export interface HomeView {
  readonly path: string;
  readonly cluster?: string;
  /** Whether kcp refuses to delete it. */
  readonly protected: 'yes' | 'no' | 'unknown';
}

/** What the Lease says. */
export interface ControllerView {
  /** `not-elected`: there is no Lease, so one controller runs without an election, or none does. */
  readonly state: 'leads' | 'gone' | 'not-elected' | 'unknown';
  readonly holder?: string;
  /** The version of dep-ctrl that the holder runs. */
  readonly version?: string;
  readonly renewedAt?: string;
}

/** The webhook, with one of the CA bundles that it is named with. How many replicas answer at one address, kcp does not show. */
export interface WebhookView {
  readonly url: string;
  readonly state: 'answers' | 'fails';
  readonly problem?: string;
  /** The versions of dep-ctrl that answered at this address, over one connection for each workspace that is asked about. */
  readonly versions: readonly string[];
  readonly namedIn: readonly string[];
  readonly certificateUntil?: string;
  readonly caUntil: readonly string[];
}

/** One shard. */
export interface EndpointView {
  readonly url: string;
  readonly state: 'read' | 'partly-read' | 'unread';
  readonly kcp?: string;
  readonly bindings: number;
  readonly rules: number;
}

/** One workspace that binds dep-ctrl. */
export interface WorkspaceView {
  readonly path: string;
  readonly cluster: string;
  readonly guard?: { readonly ready: boolean; readonly reason: string; readonly admits: 'everyone' | number };
  readonly configuration: Provider['configurationState']['state'];
  readonly guards: readonly string[];
  readonly heldByRules: number;
}

/** One rule. */
export interface RuleStatus {
  readonly workspace: string;
  readonly name: string;
  readonly ready: 'True' | 'False' | 'Unknown' | 'none';
  readonly inForce: RuleView['inForce'];
  readonly reason?: string;
  readonly message?: string;
  /** The command that helps, where the rule is not ready. */
  readonly fix?: string;
}

/** Something that gets old. */
export interface AgeView {
  readonly what: string;
  readonly writtenAt?: string;
  readonly validUntil?: string;
}

/** The ordered teardown, where its WorkspaceType is there. */
export interface TeardownView {
  readonly waiting: number;
  readonly longest?: { readonly path: string; readonly since: string };
}

/** The view of an installation that could be read. */
export function statusView(facts: DoctorFacts, installation: InstallationFacts, findings: Findings): StatusView {
  const { nowMs, server, access, providers, rules, nameOf } = facts;
  const { home, shards, webhooks } = installation;
  return {
    well: isWell(findings),
    at: new Date(nowMs).toISOString(),
    versions: { depCtrl: VERSION, ...present('kcp', valueOr(server.version, undefined)) },
    home: homeView(home),
    controller: controllerView(installation, nowMs),
    webhooks: webhooks.map((webhook) => webhookView(webhook, nameOf, nowMs)),
    endpoints: shards.map(endpointView),
    workspaces: providers.map(workspaceView),
    rules: rules.map((rule) => ruleStatus(rule, access)),
    ages: agesOf(installation),
    ...present('teardown', teardownView(home)),
    problems: findings.broken,
    notLookedAt: findings.notLookedAt,
  };
}

function homeView({ path, presence, protection }: InstallationFacts['home']): HomeView {
  if (presence.state !== 'found') return { path, protected: 'unknown' };
  const { cluster } = presence;
  if (protection.state === 'unread') return { path, cluster, protected: 'unknown' };
  return { path, cluster, protected: protectionState(protection.value, cluster) === 'protected' ? 'yes' : 'no' };
}

function controllerView({ home }: InstallationFacts, nowMs: number): ControllerView {
  if (home.lease.state === 'unread') return { state: 'unknown' };
  const lease = leaseView(home.lease.value, nowMs);
  if (lease === undefined) return { state: 'not-elected' };
  return {
    state: lease.isFresh && lease.holder !== '' ? 'leads' : 'gone',
    ...present('holder', lease.holder),
    ...present('version', lease.version),
    ...present('renewedAt', lease.renewedAt),
  };
}

function teardownView({ teardownType, dying }: InstallationFacts['home']): TeardownView | undefined {
  if (valueOr(teardownType, undefined) === undefined || dying.state === 'unread') return undefined;
  const [longest] = dying.value;
  if (longest === undefined) return { waiting: 0 };
  const { path = longest.cluster, since } = longest;
  return { waiting: dying.value.length, longest: { path, since } };
}

function webhookView(
  { origin, peek, namedIn, caBundle, versions = [] }: WebhookFacts,
  nameOf: (cluster: string) => string,
  nowMs: number,
): WebhookView {
  const problem = problemOf(peek, nowMs);
  return {
    url: origin,
    state: problem === undefined ? 'answers' : 'fails',
    ...present('problem', problem),
    versions,
    namedIn: namedIn.map(nameOf),
    ...(peek.state === 'answered' ? { certificateUntil: new Date(peek.certificate.validToMs).toISOString() } : {}),
    caUntil: certificatesIn(caBundle).map(({ validTo }) => new Date(validTo).toISOString()),
  };
}

/** What kcp would not take, if it meets the same. */
function problemOf(peek: Peek, nowMs: number): string | undefined {
  if (peek.state === 'silent') return peek.problem;
  if (peek.state === 'proxied') return undefined;
  const { isTrusted, isForHost, names, validFromMs, validToMs } = peek.certificate;
  if (!isTrusted) return 'certificate signed by unknown authority';
  if (!isForHost) return `the certificate is for another host: ${names}`;
  return nowMs < validFromMs || nowMs > validToMs ? 'the certificate is not valid now' : undefined;
}

function endpointView({ url, server, bindings, rules, guards, configurations }: ShardFacts): EndpointView {
  const states = [bindings, rules, guards, configurations].map(({ state }) => state);
  return {
    url,
    state: states.every((state) => state === 'read') ? 'read' : states.includes('read') ? 'partly-read' : 'unread',
    ...present('kcp', valueOr(server.version, undefined)),
    bindings: ownBindings(valueOr(bindings, [])).length,
    rules: valueOr(rules, []).length,
  };
}

function workspaceView({ name, cluster, guard, configurationState, entries }: Provider): WorkspaceView {
  const ready = guard === undefined ? undefined : conditionsIn(guard).find(({ type }) => type === READY);
  const { allowRulesFrom } = (guard?.['spec'] ?? {}) as { readonly allowRulesFrom?: readonly string[] };
  return {
    path: name,
    cluster,
    ...(guard === undefined
      ? {}
      : {
          guard: {
            ready: ready?.status === 'True',
            reason: ready?.reason ?? '',
            admits: allowRulesFrom === undefined ? 'everyone' : allowRulesFrom.length,
          },
        }),
    configuration: configurationState.state,
    guards: [...new Set(entries.map(({ resource }) => resource))].sort(),
    heldByRules: new Set(entries.map((entry) => `${entry.cluster}/${entry.rule}`)).size,
  };
}

function ruleStatus({ workspace, name, ready, isSeen, inForce, targets, lost }: RuleView, access: DoctorFacts['access']): RuleStatus {
  const state = ready?.status ?? 'none';
  const isReady = state === 'True' && isSeen;
  const missing = targets.filter((target) => target.state !== 'Installed').map(({ path }) => path);
  return {
    workspace,
    name,
    ready: state,
    inForce,
    ...present('reason', ready?.reason),
    ...(isReady ? {} : present('message', ready?.message)),
    ...(isReady && inForce === 'yes'
      ? {}
      : { fix: ruleFix({ workspace, name, reason: ready?.reason ?? '', targets: missing, lost }, access) }),
  };
}

function agesOf({ home }: InstallationFacts): readonly AgeView[] {
  return valueOr(home.secrets, [])
    .filter(({ isFilled }) => isFilled)
    .map(({ name, writtenAt, certificate }) => {
      const [ca] = certificatesIn(certificate);
      return {
        what: `Secret ${name}`,
        ...present('writtenAt', writtenAt),
        ...(ca === undefined ? {} : { validUntil: new Date(ca.validTo).toISOString() }),
      };
    });
}

function certificatesIn(pem: string | undefined): readonly X509Certificate[] {
  return (pem?.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).flatMap((block) => {
    try {
      return [new X509Certificate(block)];
    } catch {
      return [];
    }
  });
}

function present<K extends string, V>(key: K, value: V | undefined): Partial<Record<K, V>> {
  return (value === undefined || value === '' ? {} : { [key]: value }) as Partial<Record<K, V>>;
}
