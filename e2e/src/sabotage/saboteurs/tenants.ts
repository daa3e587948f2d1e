import type { Saboteur } from '../saboteur.js';

const STATE = 'libs/rule-registry/src/registry/registry-state.ts';
const FEED = 'apps/dep-ctrl/src/rules/registry-feed.ts';
const GUARD = 'apps/dep-ctrl/src/webhook/review/deletion-guard.ts';
const PROOFS = 'libs/kcp-controller/src/store/unbound-proofs.ts';

/** One tenant's word counts for another one's objects. */
export const tenants: readonly Saboteur[] = [
  {
    name: 'told-paths-are-believed',
    does: 'believes the path that the owner of a workspace writes into its bindings',
    changes: [
      {
        file: FEED,
        now: 'if (path !== undefined) this.#dependencies.hints.see(endpoint, nameOf(observed), { cluster, path });',
        instead: `if (path !== undefined) {
      this.#dependencies.hints.see(endpoint, nameOf(observed), { cluster, path });
      this.#dependencies.writer.pathResolved(path, cluster);
    }`,
      },
      {
        file: 'libs/workspace-resolver/src/path-lookups.ts',
        now: "this.#dependencies.tell(path, resolution.state === 'found' ? resolution.cluster : 'missing', false);",
        instead:
          "if (hintedBy === '') this.#dependencies.tell(path, resolution.state === 'found' ? resolution.cluster : 'missing', false);",
      },
    ],
    fails: {
      'S9.1': 'with the path',
      'S9.2': 'with the path that is admitted',
      'S9.3': 'nothing is installed there',
      'S9.4': 'all is as before',
    },
  },
  {
    name: 'last-guard-counts',
    does: 'goes by the guard that it saw last, whosever it is',
    changes: [
      {
        file: STATE,
        now: 'const guard = this.guards.view.get(cluster);\n    if (guard === undefined)',
        instead: 'const guard = [...this.guards.view.values()].at(-1);\n    if (guard === undefined)',
      },
    ],
    fails: { 'S9.5': 'while its guard names' },
  },
  {
    name: 'refusal-proves-absence',
    does: 'takes a refusal about an author that any guard names for the proof that its rules are gone',
    changes: [
      {
        file: PROOFS,
        now: "const isProof = word === 'no-binding' || (word === 'refused' && madeMs <= each.boundMs);",
        instead: "const isProof = word !== 'something-else' || madeMs < 0;",
      },
      { file: PROOFS, now: 'const NOWHERE_MS = 60_000;', instead: 'const NOWHERE_MS = 0;' },
      {
        file: PROOFS,
        now: 'judgedBy.every((store) => store.isWhole()) && !bindings',
        instead: 'judgedBy.length > 0 && !bindings',
      },
      {
        file: 'libs/rule-registry/src/guarding/gone-workspaces.ts',
        now: 'return this.#everywhere.has(author) || (this.#at.get(author)?.has(guarded) ?? false);',
        instead: "return this.#everywhere.has(author) || (this.#at.has(author) && guarded !== '');",
      },
    ],
    fails: { 'S9.6': 'while the guard of an outsider says' },
  },
  {
    name: 'any-url-asks-about-anybody',
    does: 'answers a review at the URL of a workspace that the type is not bound from',
    changes: [
      {
        file: GUARD,
        now: 'if (bindings === undefined || guarded === undefined || (asking !== undefined && asking !== guarded)) return undefined;',
        instead: 'if (bindings === undefined || guarded === undefined) return undefined;',
      },
      { file: GUARD, now: "if (asking !== undefined && asking !== guarded) return { state: 'not-exported-here' };", instead: '' },
    ],
    fails: { 'S9.14': ['it tells something', 'it tells one from the other'] },
  },
  {
    name: 'one-token-for-all',
    does: 'has the same URL token for every workspace',
    changes: [
      {
        file: 'apps/dep-ctrl/src/url-tokens/url-tokens.ts',
        now: '`dep-ctrl webhook url\\n${cluster}`',
        instead: '`dep-ctrl webhook url\\n${cluster.slice(0, 0)}`',
      },
    ],
    fails: { 'S9.15': 'answered 200' },
  },
  {
    name: 'tells-where-a-workspace-is',
    does: 'says less about a workspace that exists than about one that does not',
    changes: [
      {
        file: 'apps/dep-ctrl/src/controller/rule-status/rule-facts.ts',
        now: 'verification: NOT_KNOWN, installation: undefined, home };',
        instead: "verification: NOT_KNOWN, installation: undefined, home: resolution?.state === 'found' ? undefined : home };",
      },
    ],
    fails: { 'S9.12': 'both are told the same' },
  },
  {
    name: 'tells-what-others-export',
    does: 'tells the author of a rule what another provider exports',
    changes: [
      {
        file: 'libs/exported-types/src/schemas/locate-schema.ts',
        now: "const exported = type.isOwn ? `: it exports ${printExported(apiExport)}` : '';",
        instead: 'const exported = `: it exports ${printExported(apiExport)}`;',
      },
    ],
    fails: { 'S9.13': 'is told' },
  },
  {
    name: 'names-for-everybody',
    does: 'tells a provider that deletes through its virtual workspace the names of what belongs to others',
    changes: [
      {
        file: 'apps/dep-ctrl/src/webhook/decision/deny-message.ts',
        now: 'context.caller?.isThroughExport === true ? countedText(blockers, isComplete)',
        instead: 'context.caller?.isThroughExport === undefined ? countedText(blockers, isComplete)',
      },
    ],
    fails: { 'S1.8': 'a name is told' },
  },
  {
    name: 'one-quota-for-all',
    does: 'has the oldest rules in force of all authors together',
    changes: [
      {
        file: 'libs/rule-registry/src/registry/rule-quota.ts',
        now: 'const after = new Map(oldest([...(this.#all.get(author)?.values() ?? [])]).map((report) => [report.key, report]));',
        instead: `const everybody = [...this.#all.values()].flatMap((reports) => [...reports.values()]);
    const after = new Map(oldest(everybody).flatMap((report) => (report.cluster === author ? [[report.key, report] as const] : [])));`,
      },
    ],
    // The rule of the other author may have been ready before there were too many.
    fails: { 'S9.9': ['the other author is not', 'those that came last are over the quota'] },
  },
  {
    name: 'opens-the-way-round',
    does: 'asks for no URL token where the annotation has to be looked at only',
    changes: [
      {
        file: 'apps/dep-ctrl/src/webhook/receive-calls.ts',
        now: '  const { guardedCluster } = target;',
        instead: "  if (target.mode === 'bypass') return true;\n  const { guardedCluster } = target;",
      },
    ],
    fails: { 'S9.15': 'answered 200' },
  },
];
