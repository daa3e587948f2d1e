// What is mutated, and the specs that have to notice. A group's mutants run the specs of that group alone.

/** @type {Readonly<Record<string, { mutate: readonly string[], specs: readonly string[] }>>} */
export const groups = {
  'decide-deletion': {
    mutate: ['decide-at-once', 'decide-deletion', 'standing'].map((file) => `apps/dep-ctrl/src/webhook/decision/${file}.ts`),
    specs: ['apps/dep-ctrl/src/webhook/decision/decide-deletion*.spec.ts'],
  },
  'desired-webhooks': {
    mutate: ['apps/dep-ctrl/src/controller/configuration/desired-webhooks.ts'],
    specs: ['apps/dep-ctrl/src/controller/configuration/desired-webhooks.spec.ts'],
  },
  fieldpath: {
    mutate: ['libs/fieldpath/src/*.ts', '!**/*.spec.ts', '!**/index.ts'],
    specs: ['libs/fieldpath/src/*.spec.ts'],
  },
  'watch-step': {
    mutate: ['watch/watch-step', 'watch/watch-line', 'time/backoff', 'watch/resource-version'].map(
      (file) => `libs/kcp-client/src/${file}.ts`,
    ),
    specs: ['watch-step*', 'watch-line', 'resource-version'].map((file) => `libs/kcp-client/src/watch/${file}.spec.ts`),
  },
  'rule-registry': {
    // Who guards what, and what is known. Parsers and schemas are held to each other by a law of their own.
    mutate: [
      ...['consent', 'endpoint-states', 'knowledge', 'workspace-map'].map((file) => `guarding/${file}`),
      ...['match-index', 'relation', 'touch'].map((file) => `registry/${file}`),
      'rules/merged-objects',
    ].map((file) => `libs/rule-registry/src/${file}.ts`),
    specs: [
      ...['consent', 'knowledge'].map((file) => `guarding/${file}`),
      ...['match-index', 'relation', 'rule-registry*', 'touch'].map((file) => `registry/${file}`),
      'rules/merged-objects',
    ].map((file) => `libs/rule-registry/src/${file}.spec.ts`),
  },
};

/** The group that a run of Stryker is for: both of its configurations read it from here. */
export function chosenGroup() {
  const name = process.env['MUTATION_GROUP'] ?? '';
  const group = groups[name];
  if (group === undefined) throw new Error(`MUTATION_GROUP should be one of ${Object.keys(groups).join(', ')}, not "${name}"`);
  return { name, ...group };
}
