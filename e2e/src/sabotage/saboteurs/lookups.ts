import type { Saboteur } from '../saboteur.js';

const DECIDE = 'apps/dep-ctrl/src/webhook/decision/decide-deletion.ts';
const GUARDING = 'apps/dep-ctrl/src/webhook/fresh-rules/guarding-rules.ts';
const UNKNOWN = "if (state !== 'known') return { state: 'unknown' };";
const TAKEN_FOR_NONE = "if (state !== 'known') return { state: 'known', matches: [], areOthers: false };";
const TYPE_LOOKUP = 'apps/dep-ctrl/src/webhook/lookup/type-lookup.ts';

/** The webhook takes what it could not read for nothing. */
export const lookups: readonly Saboteur[] = [
  {
    name: 'allow-on-403',
    does: 'takes a type that it may not list for one that nobody has bound',
    changes: [
      {
        file: TYPE_LOOKUP,
        now: 'return doubtsOf(question, lookupFailureOf(failure, search));',
        instead: `const doubt = lookupFailureOf(failure, search);
      return doubt.code === 'forbidden' ? findingsOf(question, { answer: 'not-bound' }) : doubtsOf(question, doubt);`,
      },
    ],
    fails: { 'S7.1': 'the delete was allowed', 'S10.8': 'a delete is refused with the command' },
  },
  {
    name: 'unread-path-leads-nowhere',
    does: 'goes by the paths of rules alone, and takes one that it cannot look up for one at which there is no workspace',
    changes: [
      {
        file: 'libs/rule-registry/src/registry/registry-state.ts',
        now: 'if (ref.resource !== resource) continue;',
        instead: "if (ref.resource !== '') continue;",
      },
      {
        file: 'libs/workspace-resolver/src/path-lookups.ts',
        now: "this.#dependencies.tell(path, 'unknown', isNews);",
        instead: "this.#dependencies.tell(path, 'missing', isNews);",
      },
    ],
    fails: { 'S7.26': 'the delete was allowed' },
  },
  {
    name: 'failed-page-is-the-end',
    does: 'takes a later page that cannot be read for the end of the list',
    changes: [
      {
        file: 'libs/kcp-client/src/requests/list-pages.ts',
        now: "if (!again || !isKcpError(failure, 'expired')) throw failure;",
        instead:
          "if (token !== undefined && !isKcpError(failure, 'expired')) return;\n      if (!again || !isKcpError(failure, 'expired')) throw failure;",
      },
    ],
    fails: { 'S7.1': 'for the second page: the delete was allowed' },
  },
  {
    name: 'unread-bindings-are-none',
    does: 'takes bindings that it cannot read for none',
    changes: [
      {
        file: 'apps/dep-ctrl/src/webhook/review/deletion-guard.ts',
        now: 'return { failure: lookupFailureOf(failure, options) };',
        instead: 'return { all: [] };',
      },
      {
        file: 'apps/dep-ctrl/src/webhook/review/deletion-guard.ts',
        now: "if (asking !== undefined && asking !== guarded) return { state: 'not-exported-here' };",
        instead: "if (bindings.all.length === 0) return { state: 'rules-known', findings: [] };",
      },
    ],
    fails: { 'S7.1': 'for the bindings: the delete was allowed', 'S8.2': 'was allowed' },
  },
  {
    name: 'unread-schema-is-not-bound',
    does: 'takes a type whose schema it cannot read for one that nobody has bound',
    changes: [
      {
        file: TYPE_LOOKUP,
        now: 'const list = listOf(question, plan, search);',
        instead:
          "if (!plan.isNameEnough) return findingsOf(question, { answer: 'not-bound' });\n    const list = listOf(question, plan, search);",
      },
    ],
    fails: { 'S7.2': 'for the schema: the delete was allowed' },
  },
  {
    name: 'unknown-rules-are-none',
    does: 'takes rules that it does not know for none',
    changes: [
      {
        file: GUARDING,
        now: UNKNOWN,
        instead: TAKEN_FOR_NONE,
      },
    ],
    fails: {
      'S7.4': 'the delete was allowed',
    },
  },
  {
    name: 'allow-when-time-is-over',
    does: 'allows a delete when its time for a look is over',
    changes: [
      {
        file: DECIDE,
        now: "if (evidence.state !== 'rules-known') {",
        instead: `if (evidence.state === 'bindings-unknown' && evidence.failure.code === 'timeout') return { verdict: 'allow', because: 'not-guarded' };
  if (evidence.state !== 'rules-known') {`,
      },
    ],
    fails: { 'S8.1': 'true undefined' },
  },
  {
    name: 'no-rules-at-first',
    does: 'takes rules for none in the first seconds in which it is asked',
    changes: [
      {
        file: GUARDING,
        now: 'const { registry } = this.#dependencies;\n    const watched',
        instead: `const { registry } = this.#dependencies;
    const shared = globalThis as { firstAskedAt?: number };
    const firstAt = (shared.firstAskedAt ??= performance.now());
    if (performance.now() - firstAt < 4000) return { state: 'known', matches: [], areOthers: false };
    const watched`,
      },
    ],
    fails: {
      'S5.2': 'the deletion was allowed',
      'S7.5': 'a delete was allowed',
      'S7.23': 'a delete was allowed',
    },
  },
  {
    name: 'broken-watch-is-no-rule',
    does: 'takes rules for none while a watch of them is broken',
    changes: [
      {
        file: GUARDING,
        now: 'const { registry } = this.#dependencies;\n    const watched',
        instead: `const { registry } = this.#dependencies;
    const watches = [...this.#dependencies.source.state().endpoints.values()].flatMap((byType) => [...byType.values()]);
    if (watches.some(({ lastError }) => lastError !== undefined)) return { state: 'known', matches: [], areOthers: false };
    const watched`,
      },
    ],
    fails: { 'S5.7': 'the delete was allowed' },
  },
  {
    name: 'unread-endpoints-are-none',
    does: 'takes endpoints that it cannot read the names of for none, and rules that it does not know too',
    changes: [
      {
        file: 'apps/dep-ctrl/src/webhook/fresh-rules/live-rules.ts',
        now: 'const endpoints = new Set([...(slices?.endpoints ?? []), ...watched]);',
        instead: 'const endpoints = new Set(slices === undefined ? [] : [...slices.endpoints, ...watched]);',
      },
      {
        file: 'apps/dep-ctrl/src/webhook/fresh-rules/live-rules.ts',
        now: 'if (!endpoints.has(endpoint)) this',
        instead: 'if (slices !== undefined && !endpoints.has(endpoint)) this',
      },
      { file: GUARDING, now: UNKNOWN, instead: TAKEN_FOR_NONE },
      {
        file: GUARDING,
        now: "if (answer.state === 'known' && !this.#isInPlace(looked.registry, where)) return { state: 'not-bound' };",
        instead: '',
      },
    ],
    fails: { 'S7.3': 'for the rules: the delete was allowed' },
  },
  {
    name: 'columns-are-believed',
    does: 'believes a column of the same name and type without a second look at the schema that it belongs to',
    changes: [
      {
        file: TYPE_LOOKUP,
        now: "return bound.state === 'bound' && bound.schema?.uid === schema.uid;",
        instead: "return bound.state === 'bound' || schema.uid === '';",
      },
      {
        file: 'libs/shared-lists/src/table-page.ts',
        now: "return !cells.includes(index + 1) || definition['description'] === column.description;",
        instead: 'return cells.length > 0;',
      },
    ],
    fails: { 'S3.16': 'the delete was allowed' },
  },
  {
    name: 'unread-list-is-empty',
    does: 'takes a list of an endpoint that it cannot read for an empty one',
    changes: [
      {
        file: 'apps/dep-ctrl/src/webhook/fresh-rules/live-endpoint.ts',
        now: '[type, await readAll(client, type, options)] as const',
        instead: '[type, await readAll(client, type, options).catch((): readonly Observed[] => [])] as const',
      },
    ],
    fails: { 'S7.4': 'for dependencyrules: the delete was allowed' },
  },
  {
    name: 'refused-for-ever',
    does: 'reads no type again that it once was not allowed to read',
    changes: [
      {
        file: TYPE_LOOKUP,
        now: 'return await this.#read(question, search);',
        instead: `const known = (globalThis as { refused?: Map<string, ReturnType<typeof lookupFailureOf>> }).refused?.get(question.type.resource);
      if (known !== undefined) return doubtsOf(question, known);
      return await this.#read(question, search);`,
      },
      {
        file: TYPE_LOOKUP,
        now: 'return doubtsOf(question, lookupFailureOf(failure, search));',
        instead: `const doubt = lookupFailureOf(failure, search);
      const memory = globalThis as { refused?: Map<string, typeof doubt> };
      if (doubt.code === 'forbidden') (memory.refused ??= new Map()).set(question.type.resource, doubt);
      return doubtsOf(question, doubt);`,
      },
    ],
    fails: { 'S10.8': 'still referenced by' },
  },
  {
    name: 'believes-half-a-table',
    does: 'takes a Table for whole where a later page of it cannot be read',
    changes: [
      {
        file: 'libs/kcp-client/src/requests/list-pages.ts',
        now: 'const smaller = left > 0 ?',
        instead: "if (form.shape === 'rows' && token !== undefined) return;\n      const smaller = left > 0 ?",
      },
    ],
    fails: { 'S7.1': 'for the second page of the table: the delete was allowed' },
  },
  {
    name: 'rehearses-better-than-it-deletes',
    does: 'refuses a dry run where it cannot tell, and allows the delete itself',
    changes: [
      {
        file: 'apps/dep-ctrl/src/webhook/review/review-desk.ts',
        now: 'const decision = await this.#decide(review, target, options);',
        instead: `const decided = await this.#decide(review, target, options);
    const isReal = review.kind === 'deletion' && !review.request.isDryRun;
    const decision: Decision = isReal && decided.verdict === 'deny' && decided.because !== 'in-use' ? { verdict: 'allow', because: 'bypassed' } : decided;`,
      },
    ],
    fails: { 'S7.1': 'the delete was allowed', 'S7.2': 'the delete was allowed' },
  },
  {
    name: 'reads-more-than-it-needs',
    does: 'lets the webhook read namespaces and events everywhere',
    changes: [
      {
        file: 'apps/dep-ctrl/src/read-access/read-rules.ts',
        now: "resources: ['logicalclusters'], verbs: ['get'] },",
        instead:
          "resources: ['logicalclusters'], verbs: ['get'] },\n  { apiGroups: [''], resources: ['namespaces', 'events'], verbs: READING },",
      },
    ],
    fails: { 'S10.8': 'answered 200, expected 403' },
  },
];
