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
        now: 'return reaches ? [{ from, to, rule: rule.key }] : [];',
        instead: 'return reaches ? [{ from: to, to: from, rule: rule.key }] : [];',
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
        now: 'await deleteOne(client, target, { signal });',
        instead: 'await annotateOne(client, target, { signal }).then(() => deleteOne(client, target, { signal }));',
      },
    ],
    fails: { 'S13.1': 'objects were annotated' },
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
        now: "kind: waiting.length === 0 ? 'empty' : 'waiting',",
        instead: "kind: waiting.length >= 0 ? 'empty' : 'waiting',",
      },
    ],
    fails: { 'S13.2': 'the controller waits', 'S13.4': 'the controller waits', 'S13.5': 'the controller waits' },
  },
];
