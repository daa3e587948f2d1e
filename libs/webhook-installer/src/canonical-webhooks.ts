/*
 * One spelling for all lists of webhook entries with the same meaning: sets sorted, the API server's defaults filled in. Two lists are the same configuration
 * exactly if their canonical texts are equal. An unknown field stays as it is and counts as a difference: another writer added it.
 */

type Json = Readonly<Record<string, unknown>>;

// Defaults of admissionregistration.k8s.io/v1, as the API server writes them into the stored object.
const WEBHOOK_DEFAULTS: Json = {
  failurePolicy: 'Fail',
  matchPolicy: 'Equivalent',
  timeoutSeconds: 10,
  namespaceSelector: {},
  objectSelector: {},
};
const RULE_DEFAULTS: Json = { scope: '*' };
const RULE_SETS = ['apiGroups', 'apiVersions', 'operations', 'resources'];

/** The entries in canonical order and form. Any JSON is accepted; what is not a list of objects is returned as it is. */
export function canonicalWebhooks(webhooks: unknown): unknown {
  return mapObjects(webhooks, canonicalWebhook);
}

/** One text per meaning: equal texts, equal configurations. */
export function canonicalText(webhooks: unknown): string {
  return stableText(canonicalWebhooks(webhooks));
}

function canonicalWebhook(webhook: Json): Json {
  const filled: Json = { ...WEBHOOK_DEFAULTS, ...webhook };
  const matchConditions = mapObjects(filled['matchConditions'], (condition) => condition);
  return { ...filled, rules: mapObjects(filled['rules'], canonicalRule), matchConditions };
}

function canonicalRule(rule: Json): Json {
  const canonical: Record<string, unknown> = { ...RULE_DEFAULTS, ...rule };
  for (const field of RULE_SETS) canonical[field] = sortedSet(canonical[field]);
  return canonical;
}

/** A list that is missing is an empty one. */
function mapObjects(list: unknown, map: (object: Json) => Json): unknown {
  return sortedSet(Array.isArray(list) ? list.map((item: unknown) => (isObject(item) ? map(item) : item)) : (list ?? []));
}

/** Every list this is used for is a set; members with a name are sorted by it, so that people find them. */
function sortedSet(list: unknown): unknown {
  if (!Array.isArray(list)) return list;
  const byText = new Map(list.map((item: unknown) => [sortKey(item), item]));
  return [...byText.keys()].sort().map((key) => byText.get(key));
}

function sortKey(item: unknown): string {
  return isObject(item) ? `${String(item['name'])} ${stableText(item)}` : stableText(item);
}

/** JSON with the keys of every object sorted. */
function stableText(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isObject(inner)
      ? Object.fromEntries(
          Object.keys(inner)
            .sort()
            .map((key) => [key, inner[key]]),
        )
      : inner,
  );
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
