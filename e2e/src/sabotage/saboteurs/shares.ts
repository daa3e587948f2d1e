import type { Saboteur } from '../saboteur.js';

const REVIEW_DESK = 'apps/dep-ctrl/src/webhook/review/review-desk.ts';
const ARRIVED = 'const begunMs = this.#dependencies.clock.monotonic();';
const REFUSED = 'const decision = await this.#decide(review, target, options);';

/** Nothing else runs meanwhile. */
const spin = (ms: string): string => `for (const untilMs = performance.now() + ${ms}; performance.now() < untilMs; );`;

/** So much memory is never given back. */
const keep = (bytes: string): string => `((globalThis as { kept?: Buffer[] }).kept ??= []).push(Buffer.alloc(${bytes}, 1));`;

/** What one tenant does costs the others time, room or an answer. */
export const shares: readonly Saboteur[] = [
  {
    name: 'every-rule-costs-everybody',
    does: 'takes half a second of every review for each rule that there is, whosever it is',
    changes: [
      {
        file: 'apps/dep-ctrl/src/webhook/fresh-rules/guarding-rules.ts',
        now: 'const watched = registry.guarding(where, type, authorsFor(bindings, registry.paths));',
        instead: `const { clock } = this.#dependencies;
    await clock.sleep(500 * Math.max(0, (registry as RegistryReader).ruleCount - 1), reader);
    const watched = registry.guarding(where, type, authorsFor(bindings, registry.paths));`,
      },
    ],
    fails: { 'S9.7': 'with a great many entries' },
  },
  {
    name: 'types-by-name',
    does: 'goes by the rules of everybody about types of that name, whoever exports them',
    changes: [
      {
        file: 'libs/rule-registry/src/registry/rule-registry.ts',
        now: 'const matches = this.#state.matchesOf(authors,',
        instead:
          'const everybody = new Set([...authors, ...[...this.#state.rules.view.values()].map((rule) => rule.cluster)]);\n    const matches = this.#state.matchesOf(everybody,',
      },
      {
        file: 'apps/dep-ctrl/src/webhook/bindings/consumer-bindings.ts',
        now: 'bindings.find(({ exporter, bound }) => exporter === type.exporter && bound.has(key));',
        instead: 'bindings.find(({ bound }) => bound.has(key));',
      },
    ],
    fails: { 'S3.4': 'answered 403, expected 200', 'S9.16': 'with rules about everything' },
  },
  {
    name: 'configuration-without-bound',
    does: 'writes every type that anybody names into the configuration',
    changes: [
      {
        file: 'apps/dep-ctrl/src/controller/configuration/fit-configuration.ts',
        now: 'if (!isCrowded(entries)) return entries;',
        instead: 'if (exported?.length !== -1) return entries;',
      },
    ],
    fails: { 'S9.8': [' bytes', 'zones are not asked about'] },
  },
  {
    name: 'each-consent-for-each-rule',
    does: 'works out a long consent anew for each rule, and lets nothing else run meanwhile',
    changes: [
      {
        file: 'libs/rule-registry/src/guarding/consent.ts',
        now: 'return ({ cluster, key }) => clusters.has(cluster) || (named?.has(key) ?? false);',
        instead: `return ({ cluster, key }) => {
    if (resolved.length > 100) ${spin('20')}
    return clusters.has(cluster) || (named?.has(key) ?? false);
  };`,
      },
    ],
    fails: { 'S9.10': 'with consents that name' },
  },
  {
    name: 'paths-at-one-go',
    does: 'takes 10 ms for every path that is looked up, at one go',
    changes: [
      {
        file: 'libs/workspace-resolver/src/path-lookups.ts',
        now: 'const candidates = new Set([...names.unresolvedPaths(), ...unasked, ...this.#answers.keys()]);',
        instead: `const candidates = new Set([...names.unresolvedPaths(), ...unasked, ...this.#answers.keys()]);
    ${spin('10 * candidates.size')}`,
      },
    ],
    fails: { 'S9.11': ['with paths that name nothing', 'with a guard that names each of them many times'] },
  },
  {
    name: 'large-objects-at-one-go',
    does: 'works on each large object for two seconds at one go',
    changes: [
      {
        file: REVIEW_DESK,
        now: ARRIVED,
        instead: `${ARRIVED}
    if (body.length > SMALL_BODY_BYTES) ${spin('2_000')}`,
      },
    ],
    fails: { 'S9.17': 'while large objects are deleted' },
  },
  {
    name: 'large-lists-at-one-go',
    does: 'works on each large page of a list for two seconds at one go, once for each review',
    changes: [
      {
        file: 'libs/shared-lists/src/objects-page.ts',
        now: 'if (this.#scan.couldHold(name)) yield*',
        instead: `if (this.#page.bytes.length > 1_000_000) ${spin('2_000')}
    if (this.#scan.couldHold(name)) yield*`,
      },
    ],
    fails: { 'S9.17': 'while large objects are deleted' },
  },
  {
    name: 'every-review-is-kept',
    does: 'keeps a megabyte of each review for ever',
    changes: [{ file: REVIEW_DESK, now: ARRIVED, instead: `${ARRIVED}\n    ${keep('1_000_000')}` }],
    fails: { 'S8.2': ' rose by ' },
  },
  {
    name: 'part-of-each-review-is-kept',
    does: 'keeps 50 KB of each review for ever',
    changes: [{ file: REVIEW_DESK, now: ARRIVED, instead: `${ARRIVED}\n    ${keep('50_000')}` }],
    fails: { 'S8.1': 'the second time it took' },
  },
  {
    name: 'some-reviews-are-forgotten',
    does: 'never answers one review in a hundred',
    changes: [
      {
        file: REVIEW_DESK,
        now: REFUSED,
        instead: `if (review.kind === 'deletion' && review.envelope.uid.endsWith('77')) await new Promise(() => undefined);
    ${REFUSED}`,
      },
    ],
    fails: { 'S8.1': 'were not answered' },
  },
  {
    name: 'each-review-takes-its-time',
    does: 'lets nothing else run for 25 ms when a review comes',
    changes: [{ file: REVIEW_DESK, now: ARRIVED, instead: `${ARRIVED}\n    ${spin('25')}` }],
    fails: { 'S8.1': ['were not answered', 'connections the last after '] },
  },
  {
    name: 'one-list-for-all',
    does: 'lets one request to kcp run at a time, whosever it is',
    changes: [
      { file: 'libs/fair-shares/src/kcp-asks.ts', now: 'count: limits.asks,', instead: 'count: 1,' },
      {
        file: 'libs/fair-shares/src/fair-slots.ts',
        now: 'Math.min(this.#mostOf(sharer), this.#free)',
        instead: 'Math.max(this.#mostOf(sharer), this.#free) && this.#free > 0',
      },
    ],
    fails: { 'S9.18': 'while the lists of another are slow' },
  },
  {
    name: 'edits-at-one-go',
    does: 'works on each edit of a large rule for two seconds at one go',
    changes: [
      {
        file: 'apps/dep-ctrl/src/rules/registry-feed.ts',
        now: 'applied: (endpoint, observed) => writer.ruleApplied(endpoint, reportOf(observed)),',
        instead: `applied: (endpoint, observed) => {
        if (JSON.stringify(observed.object['spec']).length > 5_000) ${spin('2_000')}
        return writer.ruleApplied(endpoint, reportOf(observed));
      },`,
      },
    ],
    fails: { 'S9.19': 'while others write without a pause' },
  },
  {
    name: 'full-is-full',
    does: 'takes no new connection once there are many, however idle the others are',
    changes: [
      {
        file: 'libs/admission-server/src/server/connection-cap.ts',
        now: 'if (this.#connections.size > this.#most) this.#closeOne();',
        instead: 'if (this.#connections.size > this.#most) socket.destroy();',
      },
    ],
    fails: { 'S8.3': 'who connects now is answered' },
  },
  {
    name: 'wildcard-is-a-list',
    does: 'lists the types that the webhook may read where it is to read everything',
    changes: [
      {
        file: 'apps/dep-ctrl/src/read-access/next-access.ts',
        now: "if (wanted === 'wildcard') return { kind: 'wildcard' };",
        instead: '',
      },
    ],
    fails: { 'S10.9': 'may read everything' },
  },
];
