import type { Saboteur } from '../saboteur.js';

const TYPE_LOOKUP = 'apps/dep-ctrl/src/webhook/lookup/type-lookup.ts';
const REVIEW = 'apps/dep-ctrl/src/webhook/decision/admission-review.ts';
const STANDING = 'apps/dep-ctrl/src/webhook/decision/standing.ts';

/** What refers to an object is found, and does not count; or what does not refer counts. */
export const references: readonly Saboteur[] = [
  {
    name: 'providers-may-delete-anything',
    does: 'lets go whatever is deleted through the virtual workspace of an export',
    changes: [
      {
        file: 'apps/dep-ctrl/src/webhook/decision/decide-at-once.ts',
        now: 'if (review.request.subject.isTerminating) return',
        instead:
          "if (review.request.caller.isThroughExport) return { verdict: 'allow', because: 'not-guarded' };\n      if (review.request.subject.isTerminating) return",
      },
    ],
    fails: { 'S1.8': '200 !== 403' },
  },
  {
    name: 'ignored-before-they-go',
    does: 'lets nothing hold under whileTerminating: Ignore, whether it is being deleted or not',
    changes: [
      {
        file: STANDING,
        now: "if (!isTerminating) return 'blocks';",
        instead: "if (!isTerminating && rule.whileTerminating !== 'Ignore') return 'blocks';",
      },
    ],
    fails: { 'S1.15': 'answered 200, expected 403' },
  },
  {
    name: 'what-goes-holds-nothing',
    does: 'lets what is being deleted hold nothing, whatever the rule says',
    changes: [
      {
        file: STANDING,
        now: "return uid !== undefined && subject.ownerUids.has(uid) ? 'waits-for-it' : 'blocks';",
        instead: "return uid !== undefined && subject.ownerUids.has(uid) ? 'waits-for-it' : 'nothing';",
      },
    ],
    fails: { 'S13.16': 'expected 403', 'S1.11': '200 !== 403' },
  },
  {
    name: 'circles-guard-nothing',
    does: 'goes by no rule about types that refer to each other',
    changes: [
      {
        file: 'libs/rule-registry/src/registry/rule-registry.ts',
        now: '.filter(({ rule }) => admits(rule));',
        instead: `.filter(({ rule }) => {
      const naming = [...this.#state.index.ofType(rule.dependent)].filter(([author]) => authors.has(author));
      const back = naming.flatMap(([, paths]) => [...paths.values()].flatMap((found) => [...found]));
      return admits(rule) && !back.some((match) => match.rule.dependent.resource === type.resource);
    });`,
      },
    ],
    fails: { 'S2.9': 'answered 200, expected 403' },
  },
  {
    name: 'namespaces-of-references-are-ignored',
    does: 'looks for what is referred to in the namespace of the object that refers, whatever its reference says',
    changes: [
      {
        file: 'libs/fieldpath/src/reference-tree.ts',
        now: 'const { fieldPath, namespacePath } = asker;',
        instead: 'const { fieldPath } = asker;\n    const namespacePath = undefined as FieldPath | undefined;',
      },
    ],
    fails: { 'S1.6': 'answered 200, expected 403' },
  },
  {
    name: 'named-by-the-request',
    does: 'goes by the name in the request, which a delete of many has not',
    changes: [
      {
        file: REVIEW,
        now: "  ['request', 'userInfo', 'username'],",
        instead: "  ['request', 'name'],\n  ['request', 'userInfo', 'username'],",
      },
      { file: REVIEW, now: "const name = text(metadata?.['name']);", instead: "const name = text(request['name']);" },
    ],
    fails: { 'S1.7': '400 !== 403' },
  },
  {
    name: 'warnings-refuse',
    does: 'refuses what rules are only to warn of',
    changes: [
      {
        file: 'apps/dep-ctrl/src/webhook/decision/decide-deletion.ts',
        now: "const strict = evidence.findings.filter(({ rule }) => rule.enforcement === 'Deny');",
        instead: "const strict = evidence.findings.filter(({ rule }) => rule.enforcement !== 'Audit');",
      },
    ],
    fails: { 'S2.4': 'it warns' },
  },
  {
    name: 'consent-is-ignored',
    does: 'counts rules of every workspace, whomever the guard admits',
    changes: [
      {
        file: 'libs/rule-registry/src/registry/registry-state.ts',
        now: 'if (guard === undefined) return admission(guard, this.workspaces);',
        instead: 'if (guard === undefined || this.#version >= 0) return admission(undefined, this.workspaces);',
      },
    ],
    fails: { 'S3.7': 'nobody holds anything' },
  },
  {
    name: 'missing-candidate-proves-absence',
    does: 'takes candidates that it cannot find by name for the proof that nobody refers',
    changes: [
      {
        file: TYPE_LOOKUP,
        now: 'if (areAllVerified && (candidates.length === 0 || referrers.areDecisive)) return',
        instead: 'if (areAllVerified) return',
      },
    ],
    fails: { 'S7.1': 'for a candidate: the delete was allowed' },
  },
  {
    name: 'broken-table-is-empty',
    does: 'takes a Table that makes no sense for an empty one',
    changes: [
      {
        file: TYPE_LOOKUP,
        now: "if (!isKcpError(failure, 'invalid', 'invalid-response')) throw failure;",
        instead: "if (!isKcpError(failure, 'invalid', 'invalid-response')) throw failure;\n      if (seen.isBelieved) return [];",
      },
    ],
    fails: { 'S7.1': 'for the table: the delete was allowed' },
  },
  {
    name: 'frees-nothing-while-a-shard-is-away',
    does: 'lets nothing go while it does not know all rules of others, though nothing refers to it',
    changes: [
      {
        file: 'apps/dep-ctrl/src/webhook/review/deletion-guard.ts',
        now: "return { state: 'rules-known', findings: await this.#find(subject, { ...rules, bindings: bindings.all }, options) };",
        instead: `const findings = await this.#find(subject, { ...rules, bindings: bindings.all }, options);
    const isFree = findings.every(({ lookup }) => lookup.answer !== 'listed' || lookup.dependents.length === 0);
    return rules.areOthers && isFree ? { state: 'rules-unknown' } : { state: 'rules-known', findings };`,
      },
    ],
    fails: { 'S5.8': 'answered 503, expected 200' },
  },
];
