import type { Saboteur } from '../saboteur.js';

const EDGES = 'apps/dep-ctrl/src/controller/teardown/edges-here.ts';
const LIB = 'libs/ordered-teardown/src';
const DELETES = 'await deleteOne(client, target, { signal, timeoutMs: requestMs, isReferenced });';
const ANNOTATES_AND_DELETES =
  'await annotateOne(client, target, { signal, timeoutMs: requestMs, annotation: ordering.skipAnnotation! }).then(() => deleteOne(client, target, { signal, timeoutMs: requestMs, isReferenced }));';

/** Dying workspaces lose their order, or are not let go. */
export const teardowns: readonly Saboteur[] = [
  {
    name: 'order-reversed',
    does: 'deletes in a dying workspace what is referred to before what refers to it',
    changes: [
      {
        file: EDGES,
        now: 'return isCluster(target) ? [{ from, to }] : [];',
        instead: 'return isCluster(target) ? [{ from: to, to: from }] : [];',
      },
    ],
    fails: {
      'S13.1': ['reviews were refused', 'the workspace is let go'],
      'S13.6': ['reviews were refused', 'the workspace is let go'],
    },
  },
  {
    name: 'holds-for-ever',
    does: 'never lets go a workspace that something else holds',
    changes: [
      {
        file: `${LIB}/teardown-end.ts`,
        now: "return dyingForMs(times) >= timeoutMs ? 'timed-out' : 'go-on';",
        instead: "return dyingForMs(times) >= timeoutMs + Infinity ? 'timed-out' : 'go-on';",
      },
    ],
    fails: { 'S13.8': 'the workspace is let go', 'S13.17': 'the workspace is let go' },
  },
  {
    name: 'lets-go-at-once',
    does: 'lets a workspace go that something else holds, without waiting',
    changes: [
      {
        file: `${LIB}/teardown-end.ts`,
        now: "return dyingForMs(times) >= timeoutMs ? 'timed-out' : 'go-on';",
        instead: "return dyingForMs(times) >= 0 * timeoutMs ? 'timed-out' : 'go-on';",
      },
    ],
    fails: { 'S13.8': 'it was let go after' },
  },
  {
    name: 'annotates-everything',
    does: 'annotates whatever it deletes in a dying workspace',
    changes: [
      {
        file: `${LIB}/sweep.ts`,
        now: DELETES,
        instead: ANNOTATES_AND_DELETES,
      },
    ],
    fails: { 'S13.1': 'objects were annotated', 'S13.15': 'objects of others were annotated' },
  },
  {
    name: 'annotates-nothing',
    does: 'waits in a dying workspace for objects that hold each other',
    changes: [
      {
        file: `${LIB}/stage-step.ts`,
        now: "return isCycle && mayAnnotate ? 'annotate' : 'wait';",
        instead: "return isCycle && !mayAnnotate ? 'annotate' : 'wait';",
      },
    ],
    fails: { 'S13.3': 'the workspace is gone', 'S13.15': 'the workspace is gone' },
  },
  {
    name: 'goes-past-what-is-held',
    does: 'deletes in a dying workspace, and annotates, what is referred to while a finalizer still holds what refers to it',
    changes: [
      {
        file: `${LIB}/teardown-pass.ts`,
        now: 'if (isOver || stage.after.some((before) => undone.has(before))) {',
        instead: 'if (isOver) {',
      },
      { file: `${LIB}/sweep.ts`, now: DELETES, instead: ANNOTATES_AND_DELETES },
    ],
    fails: { 'S13.2': 'answered 404, expected 200', 'S13.12': 'the Zone stays' },
  },
  {
    name: 'asks-for-what-is-held',
    does: 'asks in a dying workspace for what is referred to while a finalizer still holds what refers to it, and is refused',
    changes: [
      {
        file: `${LIB}/teardown-pass.ts`,
        now: 'if (isOver || stage.after.some((before) => undone.has(before))) {',
        instead: 'if (isOver) {',
      },
    ],
    fails: { 'S13.12': 'reviews were refused' },
  },
  {
    name: 'keeps-old-edges',
    does: 'orders what is deleted in a dying workspace by rules that were deleted, too',
    changes: [
      {
        file: 'apps/dep-ctrl/src/controller/teardown/our-ordering.ts',
        now: 'orderOf: (types) => edgesHere(types, registry),',
        instead: `orderOf: (types) => {
          const [now, known] = [edgesHere(types, registry), globalThis as unknown as { kept?: ReturnType<typeof edgesHere> }];
          if (now.edges.length >= (known.kept?.edges.length ?? 0)) known.kept = now;
          return known.kept ?? now;
        },`,
      },
    ],
    fails: { 'S13.4': 'the workspace is let go' },
  },
  {
    name: 'sees-new-deaths-only',
    does: 'leaves alone a workspace whose deletion began before the controller started',
    changes: [
      {
        file: `${LIB}/teardown-handler.ts`,
        now: 'const call = { workspace, notes: this.#memory.of(workspace.cluster) };',
        instead: `if (Date.parse(workspace.deletionTimestamp ?? '') < Date.now() - process.uptime() * 1_000) return { againMs: 1_000 };
    const call = { workspace, notes: this.#memory.of(workspace.cluster) };`,
      },
    ],
    fails: { 'S13.5': 'the workspace is gone' },
  },
  {
    name: 'follows-one-shard-of-the-type',
    does: 'follows dying workspaces on one shard only',
    changes: [
      {
        file: 'libs/workspace-lifecycle/src/named-views.ts',
        now: 'const kept = named.length === 0 ? before.urls : new Set(urls);',
        instead: 'const kept = named.length === 0 ? before.urls : new Set(urls.slice(0, 1));',
      },
    ],
    fails: { 'S13.6': 'the workspace is let go' },
  },
  {
    name: 'unresolved-leads-nowhere',
    does: 'lets go a dying workspace before it knows where the paths of rules lead',
    changes: [{ file: EDGES, now: "isComplete &&= target !== 'unknown';", instead: '' }],
    fails: { 'S13.9': 'it was let go too early' },
  },
  {
    name: 'gives-up-at-once',
    does: 'lets go a dying workspace once kcp does not answer',
    changes: [
      {
        file: `${LIB}/teardown-end.ts`,
        now: "if (pass === 'forbidden' && times.seenForMs >= FORBIDDEN_MS) return pass;",
        instead: "if (pass === 'failed') return 'timed-out';",
      },
    ],
    fails: { 'S13.10': 'the workspace is held' },
  },
  {
    name: 'lists-every-type-or-none',
    does: 'lets go a dying workspace where it may not list one of the types',
    changes: [{ file: `${LIB}/sweep.ts`, now: "if (isRightMissing(failure)) return leftWithout('list', type, context);", instead: '' }],
    fails: { 'S13.11': 'the controller says "type left to kcp"' },
  },
  {
    name: 'deletes-at-the-first-try-only',
    does: 'deletes in a dying workspace only what is there at its first try',
    changes: [
      {
        file: `${LIB}/teardown-handler.ts`,
        now: '        client,\n        ordering,',
        instead:
          '        client: notes.waits === 0 ? client : { list: client.list.bind(client), patch: client.patch.bind(client), delete: async () => undefined },\n        ordering,',
      },
    ],
    fails: { 'S13.12': 'hosts/late is going' },
  },
  {
    name: 'waits-for-a-type-that-is-gone',
    does: 'does not let go a dying workspace whose type is gone',
    changes: [
      { file: `${LIB}/teardown-handler.ts`, now: "isTypeGone() ? 'type-gone' : 'failed'", instead: "isTypeGone() ? 'failed' : 'failed'" },
    ],
    fails: { 'S13.13': 'the workspace is let go' },
  },
  {
    name: 'lets-go-only-when-time-is-up',
    does: 'holds a dying workspace for --teardown-timeout although nothing in it has an order any more',
    changes: [{ file: `${LIB}/teardown-handler.ts`, now: "if (end !== 'go-on') {", instead: "if (end === 'timed-out') {" }],
    fails: { 'S13.7': 'the workspace is gone' },
  },
  {
    name: 'waits-for-every-answer',
    does: 'waits for a delete in a dying workspace for as long as kcp does',
    changes: [
      { file: `${LIB}/teardown-handler.ts`, now: 'const REQUEST_MS = 2_000;', instead: 'const REQUEST_MS = 60_000;' },
      { file: `${LIB}/teardown-handler.ts`, now: 'const LONGEST_REQUEST_MS = 10_000;', instead: 'const LONGEST_REQUEST_MS = 60_000;' },
    ],
    fails: { 'S13.17': 'the workspace is let go' },
  },
  {
    name: 'takes-every-terminator-off',
    does: 'takes the terminators of others off with its own',
    changes: [
      {
        file: 'libs/workspace-lifecycle/src/held-entry.ts',
        now: "      { op: 'test', path, value: entry },\n      { op: 'remove', path },",
        instead: "      { op: 'add', path: path.replace(/\\/\\d+$/, ''), value: [] },",
      },
    ],
    fails: { 'S13.14': 'our entry goes' },
  },
  {
    name: 'orders-by-rules-of-anybody',
    does: 'orders what is deleted in a dying workspace by rules of providers that it has not bound, too',
    changes: [
      { file: EDGES, now: "Pick<RegistryReader, 'guarding' | 'paths'>", instead: "Pick<RegistryReader, 'guarding' | 'naming' | 'paths'>" },
      {
        file: EDGES,
        now: 'const { state, matches } = registry.guarding(to.exporter, to, authors);',
        instead:
          'const { state, matches } = { ...registry.guarding(to.exporter, to, authors), matches: [...registry.naming(to.exporter, to)] };',
      },
      {
        file: EDGES,
        now: 'if (from?.exporter !== rule.cluster) return [];',
        instead: 'if (from === undefined) return [];',
      },
    ],
    fails: { 'S13.15': 'the workspace is let go' },
  },
  {
    name: 'waiting-owners-block',
    does: 'refuses the delete of what its owner waits for',
    changes: [
      {
        file: 'apps/dep-ctrl/src/webhook/decision/standing.ts',
        now: "subject.ownerUids.has(uid) ? 'waits-for-it' : 'blocks'",
        instead: "subject.ownerUids.has(uid) ? 'blocks' : 'blocks'",
      },
    ],
    fails: { 'S13.16': 'zones/owned is going' },
  },
  {
    name: 'silent-end-of-the-type',
    does: 'says nothing of workspaces that it lets go as their type is gone',
    changes: [
      {
        file: `${LIB}/teardown-handler.ts`,
        now: "logger.warn('the workspace type is gone: the workspace is let go without an order', fields);",
        instead: 'void fields;',
      },
    ],
    fails: { 'S13.13': 'the controller says "the workspace type is gone' },
  },
  {
    name: 'holds-for-four-times-as-long',
    does: 'lets a dying workspace go after four times --teardown-timeout',
    changes: [{ file: `${LIB}/teardown-end.ts`, now: 'dyingForMs(times) >= timeoutMs ?', instead: 'dyingForMs(times) >= 4 * timeoutMs ?' }],
    fails: { 'S13.8': 'it was held for' },
  },
  {
    name: 'leaves-only-what-it-may-not-list',
    does: 'tries again for ever where it may list a type in a dying workspace, and not delete it',
    changes: [
      {
        file: `${LIB}/sweep.ts`,
        now: 'if (failure instanceof RightMissing) return leftWithout(failure.verb, type, context);',
        instead: '',
      },
    ],
    fails: { 'S13.11': 'the controller says "type left to kcp"' },
  },
];
