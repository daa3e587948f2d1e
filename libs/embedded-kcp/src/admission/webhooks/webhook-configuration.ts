// One entry of a ValidatingWebhookConfiguration, read once per stored version.
import { arrayAt, isRecord, stringAt, stringsAt, valueAt } from '../../json/json.js';
import { readLabelSelector, type LabelSelector } from '../../machinery/resources/label-selector.js';
import type { StoredObject } from '../../storage/stored-object.js';

/** One rule of a webhook. */
export interface WebhookRule {
  readonly groups: readonly string[];
  readonly versions: readonly string[];
  readonly resources: readonly string[];
  readonly operations: readonly string[];
  readonly scope: string;
}

/** One webhook. */
export interface Webhook {
  readonly name: string;
  readonly url: string;
  readonly caBundle: string | undefined;
  readonly rules: readonly WebhookRule[];
  readonly failurePolicy: 'Fail' | 'Ignore';
  readonly matchPolicy: 'Exact' | 'Equivalent';
  readonly namespaceSelector: LabelSelector;
  readonly objectSelector: LabelSelector;
  readonly matchConditions: readonly { readonly name: string; readonly expression: string }[];
  readonly timeoutSeconds: number;
}

const known = new WeakMap<StoredObject, readonly Webhook[]>();

/** The webhooks of a configuration. */
export function webhooksOf(configuration: StoredObject): readonly Webhook[] {
  const webhooks = known.get(configuration) ?? arrayAt(configuration.object, 'webhooks').map(readWebhook);
  known.set(configuration, webhooks);
  return webhooks;
}

function readWebhook(webhook: unknown): Webhook {
  const caBundle = stringAt(webhook, 'clientConfig', 'caBundle');
  const timeout = valueAt(webhook, 'timeoutSeconds');
  return {
    name: stringAt(webhook, 'name') ?? '',
    url: stringAt(webhook, 'clientConfig', 'url') ?? serviceUrl(webhook),
    caBundle: caBundle === undefined ? undefined : Buffer.from(caBundle, 'base64').toString(),
    ...readMatching(webhook, 'rules'),
    failurePolicy: stringAt(webhook, 'failurePolicy') === 'Ignore' ? 'Ignore' : 'Fail',
    matchConditions: readConditions(webhook),
    timeoutSeconds: typeof timeout === 'number' ? timeout : 10,
  };
}

/** What a webhook or a policy is about. */
export function readMatching(
  holder: unknown,
  rules: 'rules' | 'resourceRules',
): Pick<Webhook, 'rules' | 'matchPolicy' | 'namespaceSelector' | 'objectSelector'> {
  return {
    rules: arrayAt(holder, rules).map((rule) => ({
      groups: stringsAt(rule, 'apiGroups'),
      versions: stringsAt(rule, 'apiVersions'),
      resources: stringsAt(rule, 'resources'),
      operations: stringsAt(rule, 'operations'),
      scope: stringAt(rule, 'scope') ?? '*',
    })),
    matchPolicy: stringAt(holder, 'matchPolicy') === 'Exact' ? 'Exact' : 'Equivalent',
    namespaceSelector: readLabelSelector(valueAt(holder, 'namespaceSelector')),
    objectSelector: readLabelSelector(valueAt(holder, 'objectSelector')),
  };
}

/** The matchConditions of a webhook or a policy. */
export function readConditions(holder: unknown): Webhook['matchConditions'] {
  return arrayAt(holder, 'matchConditions')
    .filter(isRecord)
    .map((condition) => ({ name: stringAt(condition, 'name') ?? '', expression: stringAt(condition, 'expression') ?? 'true' }));
}

// kcp has no Services of its own: the name only means something to the DNS around it.
function serviceUrl(webhook: unknown): string {
  const [name = '', namespace = ''] = [
    stringAt(webhook, 'clientConfig', 'service', 'name'),
    stringAt(webhook, 'clientConfig', 'service', 'namespace'),
  ];
  const port = valueAt(webhook, 'clientConfig', 'service', 'port');
  return `https://${name}.${namespace}.svc:${typeof port === 'number' ? port : 443}${stringAt(webhook, 'clientConfig', 'service', 'path') ?? ''}`;
}
