// The function that the lifecycle controller calls, on a workspace of the embedded kcp that lives, with a clock that the spec moves.
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { ClusterClient } from '@dep-ctrl/kcp-client';
import { ManualClock, recordingLogger } from '@dep-ctrl/kcp-client/testing';
import { CloudStage, type Team } from './spec-support/cloud-stage.js';
import type { Ordering } from './ordering.js';
import { FORBIDDEN_MS, ORDER_UNKNOWN_MS, type TeardownEnd } from './teardown-end.js';
import { TeardownHandler, type TeardownHandlerOptions } from './teardown-handler.js';

jest.setTimeout(120_000);
const TIMEOUT_MS = 60_000;
const BINDINGS = /\/apibindings/;
const MACHINES = /\/virtualmachines/;
const TOO_LATE = { kind: 'answer', status: 504, body: { kind: 'Status', apiVersion: 'v1', code: 504, message: 'timeout' } } as const;
const AWAY = { kind: 'answer', status: 503, body: 'away' } as const;

describe(TeardownHandler, () => {
  let stage: CloudStage;

  beforeAll(async () => {
    stage = await CloudStage.start();
  });

  afterEach(() => stage.faults.clear());

  afterAll(() => stage.stop());

  it('given a finalizer that stays, then it is called again after pauses that grow, until the time is up', async () => {
    const { handler, call, clock, logged, ends } = await dying({ finalizers: ['example.com/held'] });

    const pauses: unknown[] = [];
    for (let calls = 0; calls < 7; calls += 1) pauses.push(await call());
    const held = handler.held;
    clock.ms = TIMEOUT_MS;
    const last = await call();

    expect(pauses).toEqual([50, 100, 200, 400, 800, 1_000, 1_000].map((againMs) => ({ againMs })));
    expect([held, last, handler.held]).toEqual([1, undefined, 0]);
    expect(ends).toEqual(['timed-out']);
    const waits = logged.filter((line) => line.startsWith('info teardown waits'));
    expect(waits).toEqual([expect.stringContaining('default/a is held by example.com/held')]);
    expect(logged.at(-1)).toMatch(/^error teardown timed out: .* is held by example.com\/held/);
  });

  it('given a deletion longer ago than the timeout, as after a restart, then there is one try and no wait', async () => {
    const { call, ends } = await dying({ finalizers: ['example.com/held'], deletedAgoMs: TIMEOUT_MS });

    expect(await call()).toBeUndefined();

    expect(ends).toEqual(['timed-out']);
  });

  it('given somebody else who refuses, then it is told who and tried again', async () => {
    const { call, logged } = await dying();
    const body = { kind: 'Status', apiVersion: 'v1', code: 403, message: 'admission webhook "x.example.com" denied the request: no' };
    stage.faults.onRequest({ method: 'DELETE', path: MACHINES }, { kind: 'answer', status: 403, body });

    expect(await call()).toEqual({ againMs: 50 });

    expect(logged.at(-1)).toContain('default/a is refused: admission webhook');
  });

  it('given a webhook of others that keeps kcp waiting, then its turns are rarer, and when the time is up nothing is asked any more', async () => {
    const { call, clock, logged, ends } = await dying();
    stage.faults.onRequest({ method: 'DELETE', path: MACHINES }, TOO_LATE);

    const pauses: unknown[] = [];
    for (let calls = 0; calls < 7; calls += 1) pauses.push(await call());
    clock.ms = TIMEOUT_MS;
    stage.faults.onRequest({}, { kind: 'hold' });

    expect(await call()).toBeUndefined();
    expect(pauses).toEqual([1, 2, 4, 8, 16, 30, 30].map((seconds) => ({ againMs: seconds * 1_000 })));
    expect(ends).toEqual(['timed-out']);
    expect(logged.filter((line) => line.startsWith('info'))).toEqual([expect.stringContaining('kcp does not answer its delete in time')]);
    expect(logged.at(-1)).toMatch(/^error teardown timed out: .* kcp does not answer its delete in time/);
  });

  it('given workspaces that keep kcp waiting, then only four of them are worked on at a time, and another one is at once', async () => {
    const all = [await dying(), await dying(), await dying(), await dying(), await dying(), await dying()] as const;
    const [{ handler }] = all;
    const [last, ...slow] = all.toReversed();
    const call = ({ workspace }: (typeof all)[number]) => handler.handle(waiting(workspace, undefined), options());
    const ofSlow = new RegExp(`(?:${slow.map(({ workspace }) => workspace.cluster).join('|')}).*virtualmachines`);
    const late = stage.faults.onRequest({ method: 'DELETE', path: ofSlow }, TOO_LATE);
    for (const each of slow) expect(await call(each)).toEqual({ againMs: 1_000 });
    late();
    const mend = stage.faults.onRequest({ method: 'DELETE', path: ofSlow }, { kind: 'hold' });

    const [fifth, ...four] = slow;
    const working = four.map(call);

    expect(await call(fifth!)).toEqual({ againMs: 500 });
    expect(await call(last!)).toBeUndefined();
    mend();
    expect(await Promise.all(working)).toEqual([undefined, undefined, undefined, undefined]);
    expect(await call(fifth!)).toBeUndefined();
  });

  it('given lists that take longer than a turn, then what they find is deleted in the same turn', async () => {
    const { callWith, ends } = await dying();

    expect(await callWith({ listMs: 1_900 })).toBeUndefined();

    expect(ends).toEqual(['empty']);
  });

  it('given lists that take so long that nothing is found in time, then it is said why, and the workspace is let go when its time is up', async () => {
    const { handler, call, callWith, clock, logged, ends } = await dying();

    const pauses = [await callWith({ listMs: 30_000 }), handler.held];
    clock.ms = TIMEOUT_MS;

    expect([...pauses, await call()]).toEqual([{ againMs: 50 }, 1, undefined]);
    expect(ends).toEqual(['timed-out']);
    expect(logged).toEqual([
      expect.stringMatching(/^info teardown waits .*time: it takes too long to look at its 2 types/),
      expect.stringMatching(/^error teardown timed out: .*time: it takes too long to look at its 2 types/),
    ]);
  });

  it('given bindings that may not be read, then it fails for a moment, and then the workspace is let go and the right is named', async () => {
    const { call, clock, logged, ends } = await dying();
    stage.faults.onRequest({ path: BINDINGS }, { kind: 'answer', status: 403, body: 'no rule allows list on apis.kcp.io/apibindings' });

    await expect(call()).rejects.toMatchObject({ code: 'forbidden' });
    clock.ms = FORBIDDEN_MS;

    expect(await call()).toBeUndefined();
    expect(ends).toEqual(['forbidden']);
    expect(logged.at(-1)).toMatch(/^warn .*"get\\" and \\"list\\" on apibindings.apis.kcp.io/);
  });

  it('given a shard that is away, then it fails, until the time is up', async () => {
    const { call, clock, ends } = await dying();
    stage.faults.onRequest({ path: BINDINGS }, AWAY);

    await expect(call()).rejects.toMatchObject({ code: 'unavailable' });
    clock.ms = TIMEOUT_MS;

    expect(await call()).toBeUndefined();
    expect(ends).toEqual(['timed-out']);
  });

  it('given content that is closed and a type that is gone, then the workspace is let go at once', async () => {
    const { call, ends } = await dying({ change: { isTypeGone: () => true } });
    stage.faults.onRequest({ path: BINDINGS }, AWAY);

    expect(await call()).toBeUndefined();

    expect(ends).toEqual(['type-gone']);
  });

  it('given an order that is not known yet, then it waits for it, but not for long', async () => {
    const { call, clock, ends } = await dying({ change: { ordering: { orderOf: () => ({ edges: [], isComplete: false }) } } });

    const first = await call();
    clock.ms = ORDER_UNKNOWN_MS;

    expect([first, await call()]).toEqual([{ againMs: 200 }, undefined]);
    expect(ends).toEqual(['empty']);
  });

  it('given a type that is not served, then it is left to kcp, and so is what it may refer to', async () => {
    const { call, logged, ends } = await dying();
    stage.faults.onRequest({ method: 'GET', path: MACHINES }, { kind: 'answer', status: 404, body: '404 page not found' });
    const causes = [{ reason: 'StillReferenced' }];
    const body = { kind: 'Status', apiVersion: 'v1', code: 403, message: 'still referenced', details: { causes } };
    stage.faults.onRequest({ method: 'DELETE' }, { kind: 'answer', status: 403, body });

    expect(await call()).toBeUndefined();

    expect(ends).toEqual(['partly-left']);
    expect(logged.filter((line) => line.startsWith('warn type left to kcp'))).toEqual([
      expect.stringMatching(/virtualmachines.*it is not served/),
      expect.stringMatching(/vpcs.*a type that refers to it was left/),
    ]);
  });

  it('given a type that goes with its binding after the bindings were read, then nothing of it is left to kcp', async () => {
    const { call, logged, ends } = await dying();
    stage.faults.onRequest({ method: 'GET', path: MACHINES }, { kind: 'answer', status: 404, body: '404 page not found' });
    stage.faults.onRequest({ method: 'DELETE' }, { kind: 'answer', status: 200, body: { kind: 'Status', apiVersion: 'v1' } });
    stage.faults.onRequest({ path: BINDINGS }, { kind: 'delay', ms: 0 }, { times: 1 });
    const none = { kind: 'APIBindingList', apiVersion: 'apis.kcp.io/v1alpha2', metadata: {}, items: [] };
    stage.faults.onRequest({ path: BINDINGS }, { kind: 'answer', status: 200, body: none });

    expect(await call()).toBeUndefined();

    expect(ends).toEqual(['empty']);
    expect(logged.filter((line) => line.startsWith('warn'))).toEqual([]);
  });

  it.each<{ given: string; ordering: (circle: Required<Ordering>) => Ordering; patched: number; again: object | undefined; says: string }>([
    {
      given: 'an annotation for such refusals',
      ordering: (circle) => circle,
      patched: 2,
      again: undefined,
      says: 'workspace torn down in order',
    },
    {
      given: 'no annotation',
      ordering: ({ orderOf, isReferenced }) => ({ orderOf, isReferenced }),
      patched: 0,
      again: { againMs: 50 },
      says: 'virtualmachines.compute.example.com default/a is still referred to',
    },
    {
      given: 'no way to know such refusals',
      ordering: ({ orderOf }) => ({ orderOf }),
      patched: 0,
      again: { againMs: 50 },
      says: 'virtualmachines.compute.example.com default/a is refused: in use',
    },
  ])(
    'given a circle of types whose objects are all refused, and $given, then $patched are annotated',
    async ({ ordering, patched, again, says }) => {
      const { call, workspace, logged } = await dying({ change: { ordering: ordering(stage.circle) } });
      const body = { kind: 'Status', apiVersion: 'v1', code: 403, message: 'in use', details: { causes: [{ reason: 'StillReferenced' }] } };
      stage.faults.onRequest({ method: 'DELETE' }, { kind: 'answer', status: 403, body }, { times: 2 });

      expect(await call()).toEqual(again);

      expect(stage.patches(workspace)).toHaveLength(patched);
      expect(logged.at(-1)).toContain(says);
    },
  );

  it('given a function for the order that throws, then nothing is deleted, it is called again, and the workspace is let go when its time is up', async () => {
    const orderOf = () => {
      throw new TypeError('a mistake of the author');
    };
    const { call, workspace, clock, logged, ends } = await dying({ change: { ordering: { orderOf } } });

    await expect(call()).rejects.toThrow('a mistake of the author');
    clock.ms = TIMEOUT_MS;

    expect(await call()).toBeUndefined();
    expect(ends).toEqual(['timed-out']);
    expect(logged.at(-1)).toContain('a mistake of the author');
    expect(stage.deletes(workspace)).toEqual([]);
  });

  it('given a right that is missing and a hint, then the line ends with it', async () => {
    const { call, logged } = await dying({ change: { ordering: { ...stage.ordering, hints: { onTypes: 'as "install" does' } } } });
    stage.faults.onRequest({ method: 'DELETE', path: MACHINES }, { kind: 'answer', status: 403, body: 'no rule allows this' });

    await call();

    expect(logged.join()).toContain(
      '\\"delete\\" is not allowed: add it to spec.terminatorPermissions of the WorkspaceType, as \\"install\\" does',
    );
  });

  interface Given {
    readonly finalizers?: readonly string[];
    readonly deletedAgoMs?: number;
    readonly change?: Partial<TeardownHandlerOptions>;
  }

  /** A workspace with one VPC and one machine, and the handler that is called for it. */
  async function dying({ finalizers = [], deletedAgoMs = 0, change = {} }: Given = {}) {
    const workspace = await stage.team(finalizers);
    const [clock, logged, ends]: [ManualClock, string[], TeardownEnd[]] = [new ManualClock(), [], []];
    const handler = new TeardownHandler({
      ordering: stage.ordering,
      typeName: 'ordered',
      timeoutMs: TIMEOUT_MS,
      isTypeGone: () => false,
      observer: { objectDeleted: () => undefined, objectAnnotated: () => undefined, teardownEnded: (end) => void ends.push(end) },
      clock,
      logger: recordingLogger(logged),
      ...change,
    });
    const deletionTimestamp = new Date(clock.now() - deletedAgoMs).toISOString();
    const call = () => handler.handle(waiting(workspace, deletionTimestamp), options());
    /** Where each list takes so long. */
    const callWith = ({ listMs }: { readonly listMs: number }) => {
      const { client } = workspace;
      const list: ClusterClient['list'] = (...asked) => {
        clock.ms += listMs;
        return client.list(...asked);
      };
      const slow = new Proxy(client, { get: (of, key) => (key === 'list' ? list : bound(of, key)) });
      return handler.handle({ ...waiting(workspace, deletionTimestamp), client: slow }, options());
    };
    return { handler, workspace, call, callWith, clock, logged, ends };
  }
});

/** A method of a client, which has private parts. */
function bound(client: ClusterClient, key: string | symbol): unknown {
  const value: unknown = Reflect.get(client, key);
  return typeof value === 'function' ? (value.bind(client) as unknown) : value;
}

const options = () => ({ signal: new AbortController().signal });

function waiting({ cluster, client }: Team, deletionTimestamp: string | undefined) {
  return { cluster, client, deletionTimestamp, earlierRuns: 0, path: () => Promise.reject(new Error('nobody asks for it')) };
}
