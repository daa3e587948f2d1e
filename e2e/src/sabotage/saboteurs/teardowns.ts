import type { Saboteur } from '../saboteur.js';

const ROOM = 'apps/dep-ctrl/src/controller/teardown';

/** Dying workspaces lose their order, or are not let go. */
export const teardowns: readonly Saboteur[] = [
  {
    name: 'order-reversed',
    does: 'deletes in a dying workspace what is referred to before what refers to it',
    changes: [
      {
        file: `${ROOM}/edges-here.ts`,
        now: 'return isCluster(target) ? [{ from, to, rule: rule.key }] : [];',
        instead: 'return isCluster(target) ? [{ from: to, to: from, rule: rule.key }] : [];',
      },
    ],
    fails: { 'S13.1': 'reviews were refused' },
  },
  {
    name: 'holds-for-ever',
    does: 'never lets go a workspace that something else holds',
    changes: [
      {
        file: `${ROOM}/teardown-end.ts`,
        now: "return dyingForMs(times) >= timeoutMs ? 'timed-out' : 'go-on';",
        instead: "return dyingForMs(times) >= timeoutMs + Infinity ? 'timed-out' : 'go-on';",
      },
    ],
    fails: { 'S13.8': 'the workspace is let go' },
  },
  {
    name: 'annotates-everything',
    does: 'annotates whatever it deletes in a dying workspace',
    changes: [
      {
        file: `${ROOM}/sweep.ts`,
        now: 'await deleteOne(client, target, { signal, timeoutMs: requestMs });',
        instead:
          'await annotateOne(client, target, { signal, timeoutMs: requestMs }).then(() => deleteOne(client, target, { signal, timeoutMs: requestMs }));',
      },
    ],
    fails: { 'S13.1': 'objects were annotated', 'S13.15': 'objects of others were annotated' },
  },
  {
    name: 'annotates-nothing',
    does: 'waits in a dying workspace for objects that hold each other',
    changes: [
      {
        file: `${ROOM}/stage-step.ts`,
        now: "return isCycle && !hasAnnotated ? 'annotate' : 'wait';",
        instead: "return isCycle && hasAnnotated ? 'annotate' : 'wait';",
      },
    ],
    fails: { 'S13.3': 'the workspace is gone' },
  },
  {
    name: 'does-not-wait',
    does: 'lets go a dying workspace after one try',
    changes: [
      {
        file: `${ROOM}/teardown-pass.ts`,
        now: "kind: undone.size === 0 ? 'empty' : 'waiting',",
        instead: "kind: undone.size >= 0 ? 'empty' : 'waiting',",
      },
    ],
    fails: {
      'S13.2': 'the controller waits',
      'S13.4': 'the controller waits',
      'S13.5': 'the controller waits',
      'S13.6': 'the controller waits',
    },
  },
  {
    name: 'unresolved-leads-nowhere',
    does: 'lets go a dying workspace before it knows where the paths of rules lead',
    changes: [{ file: `${ROOM}/edges-here.ts`, now: "isComplete &&= target !== 'unknown';", instead: '' }],
    fails: { 'S13.9': 'it was let go too early' },
  },
  {
    name: 'gives-up-at-once',
    does: 'lets go a dying workspace once kcp does not answer',
    changes: [
      {
        file: `${ROOM}/teardown-end.ts`,
        now: "if (pass === 'forbidden' && times.seenForMs >= FORBIDDEN_MS) return pass;",
        instead: "if (pass === 'failed') return 'timed-out';",
      },
    ],
    fails: { 'S13.10': 'the workspace is held' },
  },
  {
    name: 'lists-every-type-or-none',
    does: 'lets go a dying workspace where it may not list one of the types',
    changes: [{ file: `${ROOM}/sweep.ts`, now: "if (isRightMissing(failure)) return leftWithout('list', type);", instead: '' }],
    fails: { 'S13.11': 'the controller says "type left to kcp"' },
  },
  {
    name: 'deletes-at-the-first-try-only',
    does: 'deletes in a dying workspace only what is there at its first try',
    changes: [
      {
        file: `${ROOM}/teardown-handler.ts`,
        now: '        client,\n        registry,',
        instead:
          '        client: notes.waits === 0 ? client : { list: client.list.bind(client), patch: client.patch.bind(client), delete: async () => undefined },\n        registry,',
      },
    ],
    fails: { 'S13.12': 'hosts/late is going' },
  },
  {
    name: 'waits-for-a-type-that-is-gone',
    does: 'does not let go a dying workspace whose type is gone',
    changes: [
      { file: `${ROOM}/teardown-handler.ts`, now: "isTypeGone() ? 'type-gone' : 'failed'", instead: "isTypeGone() ? 'failed' : 'failed'" },
    ],
    fails: { 'S13.13': 'the workspace is let go' },
  },
  {
    name: 'lets-go-only-when-time-is-up',
    does: 'holds a dying workspace for --teardown-timeout although nothing in it has an order any more',
    changes: [{ file: `${ROOM}/teardown-handler.ts`, now: "if (end !== 'go-on') {", instead: "if (end === 'timed-out') {" }],
    fails: { 'S13.7': 'the workspace is gone' },
  },
  {
    name: 'waits-for-every-answer',
    does: 'waits for a delete in a dying workspace for as long as kcp does',
    changes: [
      { file: `${ROOM}/teardown-handler.ts`, now: 'const REQUEST_MS = 2_000;', instead: 'const REQUEST_MS = 60_000;' },
      { file: `${ROOM}/teardown-handler.ts`, now: 'const LONGEST_REQUEST_MS = 10_000;', instead: 'const LONGEST_REQUEST_MS = 60_000;' },
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
      {
        file: `${ROOM}/edges-here.ts`,
        now: 'const { state, matches } = registry.guarding(to.exporter, to, authors);',
        instead:
          'const { state, matches } = { ...registry.guarding(to.exporter, to, authors), matches: [...registry.naming(to.exporter, to)] };',
      },
      {
        file: `${ROOM}/edges-here.ts`,
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
];
