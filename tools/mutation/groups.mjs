// What is mutated, and the specs that have to notice. A group's mutants run the specs of that group alone.

const REGISTRY_SPECS = [
  ...['consent', 'knowledge', 'workspace-map'].map((file) => `guarding/${file}`),
  ...[
    'match-index',
    'named-rules',
    'registry-reader',
    'registry-state',
    'relation',
    'author-quota',
    'rule-quota',
    'rule-registry*',
    'touch',
  ].map((file) => `registry/${file}`),
  'rules/merged-objects',
].map((file) => `libs/rule-registry/src/${file}.spec.ts`);

const REVIEW_LOOKUP = [
  'bindings/consumer-bindings',
  'fresh-rules/rule-freshness',
  'lookup/binding-memory',
  'lookup/lookup-failure',
  'lookup/plan-list',
  'lookup/refers-to',
  'lookup/type-question',
];

const WORKSPACE_FACTS = [
  'configuration/fit-configuration',
  'configuration/installation',
  'guard/guard-consent',
  'guard/guard-objects',
  'rule-admission/desired-admission',
  'workspace/workspace-facts',
];

const TEARDOWN = ['plan-teardown', 'stage-step', 'teardown-end', 'teardown-line'];

const READ_ACCESS = ['access-review', 'describe-access', 'exported-types', 'next-access', 'rbac-parts', 'read-rules', 'share-out'];

const REMOVAL = [
  'namespace-deletion/next-step',
  'namespace-deletion/progress',
  'uninstall/other-installations',
  'uninstall/plan-removal',
  'uninstall/why-it-stops',
];

const EXPORTED_TYPES = [
  'bindings/api-binding',
  'schemas/bound-schema',
  'schemas/field-types',
  'schemas/locate-schema',
  'schemas/near-names',
  'schemas/verify-schema',
];

const LIFECYCLE = ['held-entry', 'held-workspaces', 'missing-right', 'named-views'];

const FAIR_SHARES = ['deadlines', 'fair-share', 'fair-slots', 'reading-turns', 'share-room', 'turns'];

const FAILURES = ['failure', 'kcp-error', 'network-failure'];

const REQUESTS = [
  'http/server-url',
  'requests/json-body',
  'requests/list-head',
  'requests/page-size',
  'requests/resource-url',
  'watch/line-splitter',
];

const LEASES_AND_QUEUES = ['election/lease-object', 'running/due-heap', 'running/readiness', 'running/ready-keys'];

const OWN_OBJECTS = ['conditions', 'handed-over', 'home-protection', 'in-force', 'lease-view', 'own-configurations'];

const CONTROLLER_PARTS = [
  'controller/configuration/adopt-original',
  'controller/configuration/installations',
  'controller/configuration/ownership',
  'controller/rule-status/type-cycles',
  'controller/rule-status/webhook-subjects',
  'controller/waiting-for',
  'rules/guard-entries',
];

const SHARD_RIGHTS = ['shard-rights/refused-by-shard', 'shard-rights/right-names', 'teardown-type/teardown-type'];

const COMMAND_SETTINGS = ['describe-failure', 'listen-failure', 'parse-values', 'plain-text', 'setting'];

const REVIEW_SERVER = ['certificates/installed-bundles', 'server/call-timeout', 'server/connection-cap', 'server/review-wire'];

const BOUND_TYPES = ['bindings/types-of-bindings', 'schemas/first-names'];

const CLIENT_NODE = ['connection-options-of', 'request-of', 'text-headers'];

const KUBECONFIGS = ['kubeconfig-entries', 'missing-peer', 'recipe', 'workspace-contexts'];

const CONTROLLER_NOTES = [
  'controller/gone-objects',
  'controller/held-keys',
  'controller/watches',
  'events/event-object',
  'store/endpoint-listings',
];
const GRAPH = ['part-of-graph', 'route', 'type-graph'];

const MANIFEST_FILES = ['manifest-object', 'placed-rules', 'schema-files', 'yaml-depth', 'yaml-place'];

const LINT = ['check-objects', 'closing-dependencies', 'sarif', 'unknown-fields'];

const COMMAND_LINE = ['command-line/bind-command', 'command-line/missing-role', 'dev/dev-settings', 'dev/served-kubeconfig'];

const RULE_NEWS = ['rules/source-changes', 'rules/told-paths', 'webhook/rule-admission/rule-readings'];

const EXPLAIN = ['ending-parts', 'explanation', 'held-circle', 'teardown', 'unready-rules'];

const INSTALLATION = ['known-rules', 'providers', 'rule-views', 'whole-installation'];

const DOCTOR = ['one-rule', 'precondition', 'rule-fix'];

const DOCTOR_SERVER_AND_HOME = ['granted', 'home', 'rights', 'server', 'shard'].map((each) => `${each}-preconditions`);

const WHAT_COMMANDS_SAY = [
  'doctor/probes/rehearsal-outcome',
  'status/status-view',
  'token-rotation/installed-secrets',
  'uninstall/uninstall-result',
];

const DOCTOR_ROLES_AND_PROVIDERS = [
  'preconditions',
  'provider-preconditions',
  'role-preconditions',
  'rule-preconditions',
  'teardown-preconditions',
];

const RULE_METRICS = ['rule-series', 'rule-states'];

const BACKUP_AND_TOKENS = ['backup/backup-document', 'token-rotation/secret-lines'];

const BOOTSTRAP = ['diff/compare-objects', 'diff/unified-diff', 'foreign-accounts', 'identities', 'plan-bootstrap'];

/** @type {Readonly<Record<string, { mutate: readonly string[], specs: readonly string[] }>>} */
export const groups = {
  'decide-deletion': {
    mutate: ['decide-at-once', 'decide-deletion', 'standing'].map((file) => `apps/dep-ctrl/src/webhook/decision/${file}.ts`),
    specs: ['apps/dep-ctrl/src/webhook/decision/decide-deletion*.spec.ts'],
  },
  'review-parsing': {
    // What kcp asks, read.
    mutate: ['decision/admission-review', 'decision/review-target', 'rule-admission/written-object'].map(
      (file) => `apps/dep-ctrl/src/webhook/${file}.ts`,
    ),
    specs: ['decision/admission-review', 'decision/review-target', 'rule-admission/written-object'].map(
      (file) => `apps/dep-ctrl/src/webhook/${file}.spec.ts`,
    ),
  },
  'review-answer': {
    mutate: ['blocker-ids', 'deny-message', 'doubt-text', 'in-use-text'].map((file) => `apps/dep-ctrl/src/webhook/decision/${file}.ts`),
    specs: ['apps/dep-ctrl/src/webhook/decision/deny-message.spec.ts'],
  },
  'rule-admission': {
    mutate: ['admission-answer', 'closed-cycles', 'decide-admission', 'rule-warnings'].map(
      (file) => `apps/dep-ctrl/src/webhook/rule-admission/${file}.ts`,
    ),
    specs: ['admission-answer', 'closed-cycles', 'decide-admission', 'rule-warnings'].map(
      (file) => `apps/dep-ctrl/src/webhook/rule-admission/${file}.spec.ts`,
    ),
  },
  'rule-status': {
    mutate: ['grant-answer', 'rule-status', 'target-answer'].map((file) => `apps/dep-ctrl/src/controller/rule-status/${file}.ts`),
    specs: ['grant-answer', 'rule-status', 'target-answer'].map((file) => `apps/dep-ctrl/src/controller/rule-status/${file}.spec.ts`),
  },
  'guard-status': {
    mutate: ['guard-columns', 'guard-status'].map((file) => `apps/dep-ctrl/src/controller/guard/${file}.ts`),
    specs: ['guard-columns', 'guard-status'].map((file) => `apps/dep-ctrl/src/controller/guard/${file}.spec.ts`),
  },
  'desired-webhooks': {
    mutate: ['apps/dep-ctrl/src/controller/configuration/desired-webhooks.ts'],
    specs: ['apps/dep-ctrl/src/controller/configuration/desired-webhooks.spec.ts'],
  },
  fieldpath: {
    // Paths and columns, as text and on one object.
    mutate: ['column-path', 'field-path', 'parse-field-path', 'read-field-path', 'read-references'].map(
      (file) => `libs/fieldpath/src/${file}.ts`,
    ),
    specs: ['libs/fieldpath/src/field-path*.spec.ts'],
  },
  'page-scan': {
    mutate: ['could-hold', 'elements'].map((file) => `libs/fieldpath/src/${file}.ts`),
    specs: ['field-path*', 'elements*'].map((file) => `libs/fieldpath/src/${file}.spec.ts`),
  },
  'reference-tree': {
    mutate: ['path-tree', 'reference-tree'].map((file) => `libs/fieldpath/src/${file}.ts`),
    specs: ['field-path.property', 'reference-tree'].map((file) => `libs/fieldpath/src/${file}.spec.ts`),
  },
  'json-projection': {
    mutate: ['libs/fieldpath/src/json-projection.ts'],
    specs: ['libs/fieldpath/src/json-projection*.spec.ts'],
  },
  'watch-step': {
    mutate: ['watch/watch-step', 'watch/watch-line', 'time/backoff', 'watch/resource-version'].map(
      (file) => `libs/kcp-client/src/${file}.ts`,
    ),
    specs: ['watch-step*', 'watch-line', 'resource-version'].map((file) => `libs/kcp-client/src/watch/${file}.spec.ts`),
  },
  'election-step': {
    mutate: ['libs/kcp-client/src/election/election-step.ts'],
    specs: ['libs/kcp-client/src/election/election-step.spec.ts'],
  },
  'kcp-failures': {
    mutate: FAILURES.map((file) => `libs/kcp-client/src/errors/${file}.ts`),
    specs: [...FAILURES, 'absence'].map((file) => `libs/kcp-client/src/errors/${file}.spec.ts`),
  },
  'kcp-requests': {
    // What kcp is asked, and what its answer says.
    mutate: REQUESTS.map((file) => `libs/kcp-client/src/${file}.ts`),
    specs: REQUESTS.map((file) => `libs/kcp-client/src/${file}.spec.ts`),
  },
  'leases-and-queues': {
    mutate: LEASES_AND_QUEUES.map((file) => `libs/kcp-client/src/${file}.ts`),
    specs: LEASES_AND_QUEUES.map((file) => `libs/kcp-client/src/${file}.spec.ts`),
  },
  'named-endpoints': {
    mutate: ['endpoint-objects', 'named-endpoints'].map((file) => `libs/kcp-client/src/endpoints/${file}.ts`),
    specs: ['endpoint-objects', 'named-endpoints'].map((file) => `libs/kcp-client/src/endpoints/${file}.spec.ts`),
  },
  'client-node': {
    // What @kubernetes/client-node asks and knows, taken over.
    mutate: CLIENT_NODE.map((file) => `libs/kcp-client/src/client-node/${file}.ts`),
    specs: CLIENT_NODE.map((file) => `libs/kcp-client/src/client-node/${file}.spec.ts`),
  },
  kubeconfigs: {
    mutate: KUBECONFIGS.map((file) => `libs/kcp-client/src/kubeconfig/${file}.ts`),
    specs: KUBECONFIGS.map((file) => `libs/kcp-client/src/kubeconfig/${file}.spec.ts`),
  },
  brake: {
    mutate: ['libs/kcp-client/src/time/brake.ts'],
    specs: ['libs/kcp-client/src/time/brake.spec.ts'],
  },
  'certificate-renewal': {
    mutate: ['libs/admission-server/src/certificates/certificate-renewal.ts'],
    specs: ['libs/admission-server/src/certificates/certificate-renewal.spec.ts'],
  },
  'url-tokens': {
    mutate: ['libs/admission-server/src/url-tokens/url-token.ts'],
    specs: ['libs/admission-server/src/url-tokens/url-token.spec.ts'],
  },
  'review-server': {
    mutate: REVIEW_SERVER.map((file) => `libs/admission-server/src/${file}.ts`),
    specs: REVIEW_SERVER.map((file) => `libs/admission-server/src/${file}.spec.ts`),
  },
  'command-settings': {
    mutate: COMMAND_SETTINGS.map((file) => `libs/command-settings/src/${file}.ts`),
    specs: COMMAND_SETTINGS.map((file) => `libs/command-settings/src/${file}.spec.ts`),
  },
  absence: {
    mutate: ['libs/kcp-client/src/errors/absence.ts'],
    specs: ['libs/kcp-client/src/errors/absence.spec.ts'],
  },
  names: {
    // kcp's vocabulary, parsed and compared.
    mutate: ['libs/kcp-names/src/*.ts', '!**/*.spec.ts', '!**/index.ts'],
    specs: ['libs/kcp-names/src/*.spec.ts'],
  },
  'plan-workspace': {
    mutate: ['apps/dep-ctrl/src/controller/workspace/plan-workspace.ts'],
    specs: ['apps/dep-ctrl/src/controller/workspace/plan-workspace.spec.ts'],
  },
  'list-schedule': {
    mutate: ['list-schedule', 'page-buffers', 'page-limits'].map((file) => `libs/shared-lists/src/${file}.ts`),
    specs: ['list-schedule*', 'page-buffers', 'page-limits'].map((file) => `libs/shared-lists/src/${file}.spec.ts`),
  },
  'table-page': {
    mutate: ['libs/shared-lists/src/table-page.ts'],
    specs: ['libs/shared-lists/src/table-page.spec.ts'],
  },
  'rule-parsing': {
    // What kcp stored, read. The schemas are held to the parsers by a law of their own.
    mutate: [
      ...['name-grammar', 'object-reader', 'parse-guard', 'parse-rule', 'read-metadata', 'read-rule-spec', 'rule-report'].map(
        (file) => `parsing/${file}`,
      ),
      'rules/built-in-types',
    ].map((file) => `libs/rule-registry/src/${file}.ts`),
    specs: ['parsing/*', 'rules/built-in-types'].map((file) => `libs/rule-registry/src/${file}.spec.ts`),
  },
  'rule-registry': {
    // Who guards what, and what is known.
    mutate: [
      ...['consent', 'endpoint-states', 'gone-workspaces', 'knowledge', 'workspace-map'].map((file) => `guarding/${file}`),
      ...['match-index', 'named-rules', 'relation', 'rule-quota', 'touch'].map((file) => `registry/${file}`),
      'rules/merged-objects',
    ].map((file) => `libs/rule-registry/src/${file}.ts`),
    specs: REGISTRY_SPECS,
  },
  'registry-state': {
    // All of that together: what is written, and what is answered.
    mutate: ['registry-state', 'rule-registry', 'state-writer'].map((file) => `libs/rule-registry/src/registry/${file}.ts`),
    specs: REGISTRY_SPECS,
  },
  'rule-order': {
    mutate: ['libs/rule-registry/src/rules/rule.ts'],
    specs: ['libs/rule-registry/src/rules/rule.spec.ts'],
  },
  'dependency-cycles': {
    mutate: ['libs/rule-registry/src/guarding/dependency-cycles.ts'],
    specs: ['libs/rule-registry/src/guarding/dependency-cycles.spec.ts'],
  },
  'review-lookup': {
    // Who may refer to what is deleted, and what is asked of kcp about it.
    mutate: [...REVIEW_LOOKUP, 'lookup/referrers'].map((file) => `apps/dep-ctrl/src/webhook/${file}.ts`),
    specs: [...REVIEW_LOOKUP, 'lookup/referrers*'].map((file) => `apps/dep-ctrl/src/webhook/${file}.spec.ts`),
  },
  'workspace-facts': {
    // What a controller knows of a workspace, and what it wants there.
    mutate: WORKSPACE_FACTS.map((file) => `apps/dep-ctrl/src/controller/${file}.ts`),
    specs: [...WORKSPACE_FACTS, 'workspace/workspace-facts-shown'].map((file) => `apps/dep-ctrl/src/controller/${file}.spec.ts`),
  },
  'registry-feed': {
    mutate: ['apps/dep-ctrl/src/rules/registry-feed.ts'],
    specs: ['apps/dep-ctrl/src/rules/registry-feed.spec.ts'],
  },
  'ordered-teardown': {
    mutate: [
      'apps/dep-ctrl/src/controller/teardown/edges-here.ts',
      ...TEARDOWN.map((file) => `libs/ordered-teardown/src/${file}.ts`),
      'libs/kcp-names/src/stages.ts',
    ],
    specs: [
      'apps/dep-ctrl/src/controller/teardown/edges-here.spec.ts',
      ...TEARDOWN.map((file) => `libs/ordered-teardown/src/${file}.spec.ts`),
      'libs/kcp-names/src/stages*.spec.ts',
    ],
  },
  'teardown-notes': {
    // What is remembered of a dying workspace, and the time of one call.
    mutate: ['pass-time', 'teardown-memory'].map((file) => `libs/ordered-teardown/src/${file}.ts`),
    specs: ['pass-time', 'teardown-memory'].map((file) => `libs/ordered-teardown/src/${file}.spec.ts`),
  },
  'read-access': {
    // What the roles may read, and no more.
    mutate: READ_ACCESS.map((file) => `apps/dep-ctrl/src/read-access/${file}.ts`),
    specs: [...READ_ACCESS, 'read-rules.property'].map((file) => `apps/dep-ctrl/src/read-access/${file}.spec.ts`),
  },
  'plan-removal': {
    // What `uninstall` and `delete-namespace` do next.
    mutate: REMOVAL.map((file) => `apps/dep-ctrl/src/${file}.ts`),
    specs: REMOVAL.map((file) => `apps/dep-ctrl/src/${file}.spec.ts`),
  },
  'exported-types': {
    mutate: EXPORTED_TYPES.map((file) => `libs/exported-types/src/${file}.ts`),
    specs: EXPORTED_TYPES.map((file) => `libs/exported-types/src/${file}.spec.ts`),
  },
  'bound-types': {
    mutate: BOUND_TYPES.map((file) => `libs/exported-types/src/${file}.ts`),
    specs: BOUND_TYPES.map((file) => `libs/exported-types/src/${file}.spec.ts`),
  },
  'webhook-installer': {
    mutate: ['ca-bundle', 'canonical-webhooks', 'claim', 'install-outcome', 'plan-change'].map(
      (file) => `libs/webhook-installer/src/${file}.ts`,
    ),
    specs: ['ca-bundle', 'canonical-webhooks*', 'claim', 'install-outcome', 'plan-change'].map(
      (file) => `libs/webhook-installer/src/${file}.spec.ts`,
    ),
  },
  'workspace-resolver': {
    mutate: ['libs/workspace-resolver/src/resolution.ts'],
    specs: ['libs/workspace-resolver/src/resolution.spec.ts'],
  },
  'path-hints': {
    mutate: ['libs/workspace-resolver/src/path-hints.ts'],
    specs: ['libs/workspace-resolver/src/path-hints.spec.ts'],
  },
  'workspace-lifecycle': {
    mutate: LIFECYCLE.map((file) => `libs/workspace-lifecycle/src/${file}.ts`),
    specs: LIFECYCLE.map((file) => `libs/workspace-lifecycle/src/${file}.spec.ts`),
  },
  'fair-shares': {
    mutate: FAIR_SHARES.map((file) => `libs/fair-shares/src/${file}.ts`),
    specs: FAIR_SHARES.map((file) => `libs/fair-shares/src/${file}.spec.ts`),
  },
  'store-content': {
    // What a store of the controller kit holds.
    mutate: ['endpoint-shelves', 'index-bucket', 'once-per-text', 'store-content', 'store-index', 'store-indexes', 'stored'].map(
      (file) => `libs/kcp-controller/src/store/${file}.ts`,
    ),
    specs: ['endpoint-shelves', 'once-per-text', 'store-content*', 'store-indexes', 'stored'].map(
      (file) => `libs/kcp-controller/src/store/${file}.spec.ts`,
    ),
  },
  'controller-kit': {
    mutate: ['controller/run-outcome', 'objects/conditions'].map((file) => `libs/kcp-controller/src/${file}.ts`),
    specs: ['controller/run-outcome', 'objects/conditions'].map((file) => `libs/kcp-controller/src/${file}.spec.ts`),
  },
  'controller-notes': {
    // What a controller of the kit keeps in mind, and the events that it tells.
    mutate: CONTROLLER_NOTES.map((file) => `libs/kcp-controller/src/${file}.ts`),
    specs: CONTROLLER_NOTES.map((file) => `libs/kcp-controller/src/${file}.spec.ts`),
  },
  'own-objects': {
    // What dep-ctrl wrote before, read again.
    mutate: OWN_OBJECTS.map((file) => `apps/dep-ctrl/src/own-objects/${file}.ts`),
    specs: OWN_OBJECTS.map((file) => `apps/dep-ctrl/src/own-objects/${file}.spec.ts`),
  },
  'controller-parts': {
    mutate: CONTROLLER_PARTS.map((file) => `apps/dep-ctrl/src/${file}.ts`),
    specs: CONTROLLER_PARTS.map((file) => `apps/dep-ctrl/src/${file}.spec.ts`),
  },
  'shard-rights': {
    mutate: SHARD_RIGHTS.map((file) => `apps/dep-ctrl/src/${file}.ts`),
    specs: SHARD_RIGHTS.map((file) => `apps/dep-ctrl/src/${file}.spec.ts`),
  },
  'rules-readiness': {
    mutate: ['apps/dep-ctrl/src/webhook/fresh-rules/rules-readiness.ts'],
    specs: ['rule-freshness', 'rules-readiness'].map((file) => `apps/dep-ctrl/src/webhook/fresh-rules/${file}.spec.ts`),
  },
  graph: {
    // The types and references of a picture, and where its lines run.
    mutate: GRAPH.map((file) => `apps/dep-ctrl/src/graph/${file}.ts`),
    specs: GRAPH.map((file) => `apps/dep-ctrl/src/graph/${file}.spec.ts`),
  },
  'manifest-files': {
    // Files, read: objects with their places, types, and where rules live.
    mutate: MANIFEST_FILES.map((file) => `apps/dep-ctrl/src/manifest-files/${file}.ts`),
    specs: ['manifest-object', 'placed-rules', 'schema-files'].map((file) => `apps/dep-ctrl/src/manifest-files/${file}.spec.ts`),
  },
  lint: {
    mutate: LINT.map((file) => `apps/dep-ctrl/src/lint/${file}.ts`),
    specs: LINT.map((file) => `apps/dep-ctrl/src/lint/${file}.spec.ts`),
  },
  'command-line': {
    mutate: COMMAND_LINE.map((file) => `apps/dep-ctrl/src/${file}.ts`),
    specs: COMMAND_LINE.map((file) => `apps/dep-ctrl/src/${file}.spec.ts`),
  },
  'merge-desired': {
    mutate: ['libs/kcp-objects/src/merge-desired.ts'],
    specs: ['libs/kcp-objects/src/merge-desired.spec.ts'],
  },
  'export-cluster': {
    mutate: ['libs/kcp-objects/src/export-cluster.ts'],
    specs: ['libs/kcp-objects/src/export-cluster.spec.ts'],
  },
  'what-stays': {
    mutate: ['apps/dep-ctrl/src/uninstall/what-stays.ts'],
    specs: ['apps/dep-ctrl/src/uninstall/what-stays.spec.ts'],
  },
  'backup-and-tokens': {
    // What is written to be read again: rules kept in a file, and the secrets of URLs in the steps of a rotation.
    mutate: BACKUP_AND_TOKENS.map((file) => `apps/dep-ctrl/src/${file}.ts`),
    specs: BACKUP_AND_TOKENS.map((file) => `apps/dep-ctrl/src/${file}.spec.ts`),
  },
  bootstrap: {
    mutate: BOOTSTRAP.map((file) => `apps/dep-ctrl/src/bootstrap/${file}.ts`),
    specs: [...BOOTSTRAP, 'diff/unified-diff.property'].map((file) => `apps/dep-ctrl/src/bootstrap/${file}.spec.ts`),
  },
  'workspace-progress': {
    mutate: ['libs/kcp-objects/src/workspace-progress.ts'],
    specs: ['libs/kcp-objects/src/workspace-progress.spec.ts'],
  },
  'rule-news': {
    // What changes of paths and objects tell the roles.
    mutate: RULE_NEWS.map((file) => `apps/dep-ctrl/src/${file}.ts`),
    specs: RULE_NEWS.map((file) => `apps/dep-ctrl/src/${file}.spec.ts`),
  },
  explain: {
    // What `explain` says of a delete.
    mutate: EXPLAIN.map((file) => `apps/dep-ctrl/src/explain/${file}.ts`),
    specs: EXPLAIN.map((file) => `apps/dep-ctrl/src/explain/${file}.spec.ts`),
  },
  installation: {
    // What follows from all that was read of an installation.
    mutate: INSTALLATION.map((file) => `apps/dep-ctrl/src/installation/${file}.ts`),
    specs: INSTALLATION.map((file) => `apps/dep-ctrl/src/installation/${file}.spec.ts`),
  },
  doctor: {
    // What `doctor` judges, and what it says to run.
    mutate: DOCTOR.map((file) => `apps/dep-ctrl/src/doctor/${file}.ts`),
    specs: DOCTOR.map((file) => `apps/dep-ctrl/src/doctor/${file}.spec.ts`),
  },
  'doctor-server-and-home': {
    // What `doctor` says of kcp, of the workspace of dep-ctrl, and of the rights of the roles.
    mutate: DOCTOR_SERVER_AND_HOME.map((file) => `apps/dep-ctrl/src/doctor/${file}.ts`),
    specs: [...DOCTOR_SERVER_AND_HOME, 'precondition-texts'].map((file) => `apps/dep-ctrl/src/doctor/${file}.spec.ts`),
  },
  'what-commands-say': {
    // The view of `status`, what `uninstall` did, and which secret made each installed URL.
    mutate: WHAT_COMMANDS_SAY.map((file) => `apps/dep-ctrl/src/${file}.ts`),
    specs: WHAT_COMMANDS_SAY.map((file) => `apps/dep-ctrl/src/${file}.spec.ts`),
  },
  'doctor-roles-and-providers': {
    // What `doctor` says of running roles, of who binds dep-ctrl, of rules and of the ordered teardown, and what follows from what.
    mutate: DOCTOR_ROLES_AND_PROVIDERS.map((file) => `apps/dep-ctrl/src/doctor/${file}.ts`),
    specs: DOCTOR_ROLES_AND_PROVIDERS.map((file) => `apps/dep-ctrl/src/doctor/${file}.spec.ts`),
  },
  'rule-metrics': {
    // What metrics say of rules.
    mutate: RULE_METRICS.map((file) => `apps/dep-ctrl/src/telemetry/${file}.ts`),
    specs: RULE_METRICS.map((file) => `apps/dep-ctrl/src/telemetry/${file}.spec.ts`),
  },
};

/** The group that a run of Stryker is for: both of its configurations read it from here. */
export function chosenGroup() {
  const name = process.env['MUTATION_GROUP'] ?? '';
  const group = groups[name];
  if (group === undefined) throw new Error(`MUTATION_GROUP should be one of ${Object.keys(groups).join(', ')}, not "${name}"`);
  return { name, ...group };
}
