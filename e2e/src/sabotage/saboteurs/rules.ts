import type { Saboteur } from '../saboteur.js';

const QUOTA = 'libs/rule-registry/src/registry/rule-quota.ts';
const DECIDE = 'apps/dep-ctrl/src/webhook/rule-admission/decide-admission.ts';
const WARNINGS = 'apps/dep-ctrl/src/webhook/rule-admission/rule-warnings.ts';
const DESIRED = 'apps/dep-ctrl/src/controller/rule-admission/desired-admission.ts';
const MAP = 'libs/rule-registry/src/guarding/workspace-map.ts';

/** Rules are taken that should not be, or say something else than what is. */
export const rules: readonly Saboteur[] = [
  {
    name: 'no-bound-of-targets',
    does: 'takes rules with any number of targets',
    changes: [{ file: 'libs/rule-registry/src/rules/bounds.ts', now: 'MOST_DEPENDENCIES = 64;', instead: 'MOST_DEPENDENCIES = 10_000;' }],
    fails: { 'S2.12': 'expected 422' },
  },
  {
    name: 'bad-news-is-kept',
    does: 'believes for 20 s that an export is missing',
    changes: [
      {
        file: 'libs/exported-types/src/exports/export-reader.ts',
        now: 'const KEEP_BAD_NEWS_MS = 1_000;',
        instead: 'const KEEP_BAD_NEWS_MS = 20_000;',
      },
    ],
    fails: { 'S2.17': 'the rule is ready' },
  },
  {
    name: 'missing-path-may-be-anywhere',
    does: 'counts a rule whose path leads nowhere for every workspace',
    changes: [
      {
        file: MAP,
        now: "return nameOfPath(path) ?? this.#clusterOf.get(path) ?? 'unknown';",
        instead:
          "const known = nameOfPath(path) ?? this.#clusterOf.get(path) ?? 'unknown';\n    return known === 'missing' ? 'unknown' : known;",
      },
      {
        file: MAP,
        now: 'return (path) => !isPathKnown || !isFromRoot(path);',
        instead: 'return (path) => isPathKnown || !isFromRoot(path);',
      },
    ],
    fails: { 'S2.18': 'it only warns' },
  },
  {
    name: 'duplicates-pass',
    does: 'takes a rule that says the same twice',
    changes: [
      {
        file: DECIDE,
        now: '[...duplicates(rule), ...meaninglessNamespaces(rule, readings)]',
        instead: '[...duplicates(rule).slice(0, 0), ...meaninglessNamespaces(rule, readings)]',
      },
    ],
    fails: { 'S11.1': '3 problems' },
  },
  {
    name: 'circles-without-warning',
    does: 'does not warn of types that refer to each other',
    changes: [
      {
        file: WARNINGS,
        now: '...cycles(rule, readings),',
        instead: '...cycles(rule, readings).slice(0, 0),',
      },
    ],
    fails: { 'S11.2': 'every doubt is told' },
  },
  {
    name: 'tells-which-workspaces-exist',
    does: 'warns of a workspace that does not bind dep-ctrl, and not of one that does not exist',
    changes: [
      {
        file: 'apps/dep-ctrl/src/webhook/rule-admission/rule-reader.ts',
        now: "=== 'known' ? { isBound: false } : {};",
        instead: "=== 'known' ? { isBound: resolution.state !== 'found' } : {};",
      },
    ],
    fails: { 'S11.3': 'no workspace at PATH binds dep-ctrl' },
  },
  {
    name: 'any-number-at-the-door',
    does: 'takes any number of rules of one workspace',
    changes: [
      {
        file: QUOTA,
        now: 'if (isNew && stored.size >= MOST_RULES)',
        instead: 'if (isNew && stored.size >= 100 * MOST_RULES)',
      },
    ],
    fails: { 'S11.4': 'one more is refused' },
  },
  {
    name: 'any-names-at-the-door',
    does: 'takes rules that name any number of workspaces',
    changes: [{ file: QUOTA, now: 'return named.size > MOST_NAMED ?', instead: 'return named.size > 100 * MOST_NAMED ?' }],
    fails: { 'S11.4': 'one that names more is refused' },
  },
  {
    name: 'door-fails-open',
    does: 'has rules written unchecked while the webhook is away',
    changes: [{ file: DESIRED, now: "failurePolicy: 'Fail',", instead: "failurePolicy: 'Ignore'," }],
    fails: { 'S11.5': '"enforcement":"Warn"' },
  },
  {
    name: 'door-asks-about-labels',
    does: 'has kcp ask the webhook about every write of a rule or guard',
    changes: [{ file: DESIRED, now: 'matchConditions: CONDITIONS,', instead: 'matchConditions: CONDITIONS.slice(0, 1),' }],
    fails: { 'S11.5': 'answered 500, expected 200' },
  },
  {
    name: 'grants-are-not-asked-for',
    does: 'says that the webhook may read every type without asking',
    changes: [
      {
        file: 'apps/dep-ctrl/src/controller/rule-status/grant-answer.ts',
        now: "if (answers.includes('denied')) return 'missing';",
        instead: '',
      },
    ],
    fails: { 'S10.8': 'the rule says so' },
  },
  {
    name: 'no-quota',
    does: 'has all rules of a workspace in force, however many',
    changes: [
      {
        file: QUOTA,
        now: '.slice(0, MOST_RULES)',
        instead: '.slice(0, 100 * MOST_RULES)',
      },
      {
        file: QUOTA,
        now: 'if (isNew && stored.size >= MOST_RULES)',
        instead: 'if (isNew && stored.size >= 100 * MOST_RULES)',
      },
    ],
    fails: { 'S9.9': 'those that came last are over the quota' },
  },
  {
    name: 'going-dependents-block',
    does: 'has what is being deleted hold what it refers to, whatever the rule says',
    changes: [
      {
        file: 'apps/dep-ctrl/src/webhook/decision/standing.ts',
        now: "if (rule.whileTerminating === 'Ignore') return 'nothing';",
        instead: '',
      },
    ],
    fails: { 'S1.15': 'answered 403, expected 200' },
  },
  {
    name: 'takes-what-is-of-others',
    does: 'takes over a configuration of its name that belongs to another installation',
    changes: [
      {
        file: 'libs/webhook-installer/src/plan-change.ts',
        now: "return desired.webhooks.length === 0 ? none('not-ours') : { kind: 'conflict', owner };",
        instead: "return desired.webhooks.length === 0 ? none('not-ours') : { kind: 'adopt', object: nextObject(observed, input) };",
      },
    ],
    fails: { 'S2.19': 'the status names it' },
  },
  {
    name: 'circles-are-hidden',
    does: 'shows no circle of types in kubectl get',
    changes: [
      {
        file: 'libs/rule-registry/src/manifests/rule-kind.ts',
        now: `jsonPath: '.status.conditions[?(@.type=="Cyclic")].status'`,
        instead: `jsonPath: '.status.conditions[?(@.type=="Circle")].status'`,
      },
    ],
    fails: { 'S2.9': 'kubectl get shows it' },
  },
  {
    name: 'edits-pass-the-door',
    does: 'has kcp ask about rules and guards only when they are created',
    changes: [
      {
        file: 'apps/dep-ctrl/src/controller/rule-admission/desired-admission.ts',
        now: "operations: ['CREATE', 'UPDATE'],",
        instead: "operations: ['CREATE'],",
      },
    ],
    fails: { 'S11.1': '0 !== 1' },
  },
  {
    name: 'full-workspaces-cannot-edit',
    does: 'refuses edits too in a workspace that has all the rules that it may have',
    changes: [
      {
        file: QUOTA,
        now: 'if (isNew && stored.size >= MOST_RULES)',
        instead: 'if (stored.size >= MOST_RULES)',
      },
    ],
    fails: { 'S11.4': 'answered 422, expected 200' },
  },
  {
    name: 'one-rule-of-a-circle-says-so',
    does: 'tells one rule of a circle of types',
    changes: [
      {
        file: 'apps/dep-ctrl/src/controller/rule-status/type-cycles.ts',
        now: 'for (const key of cycle.rules)',
        instead: 'for (const key of [...cycle.rules].slice(0, 1))',
      },
    ],
    fails: { 'S2.9': ['the rule says so', 'kubectl get shows it'] },
  },
  {
    name: 'admits-whoever-is-not-nobody',
    does: 'takes a consent that names somebody for one that names everybody',
    changes: [
      {
        file: 'libs/rule-registry/src/guarding/consent.ts',
        now: "guard.allowRulesFrom === 'everyone') return",
        instead: "guard.allowRulesFrom === 'everyone' || guard.allowRulesFrom.length > 0) return",
      },
    ],
    fails: { 'S3.7': 'somebody else may hold it' },
  },
];
