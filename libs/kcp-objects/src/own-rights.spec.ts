import { describe, expect, it } from '@jest/globals';
import { Connection, systemClock } from '@dep-ctrl/kcp-client';
import { instantClock } from '@dep-ctrl/kcp-client/testing';
import { ensureWorkspace } from './ensure-workspace.js';
import { onceReady } from './fresh-workspace.js';
import { API_BINDINGS, API_EXPORTS, LOGICAL_CLUSTERS } from './kcp-types.js';
import { holdingOf, mayEnter } from './own-rights.js';
import { onEmbeddedKcp, pathOf, type EmbeddedWorld } from './spec-support/embedded-world.js';

const options = () => ({ signal: AbortSignal.timeout(60_000) });
const there = pathOf('root:there');
const BINDINGS = { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterrolebindings' };

/** A user who may enter `root:there`, and see what the role lets one see. */
async function withVisitor<T>({ kcp, admin }: EmbeddedWorld, role: string, work: (visitor: Connection) => Promise<T>): Promise<T> {
  const apiGroup = 'rbac.authorization.k8s.io';
  const binding = {
    apiVersion: `${apiGroup}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name: 'visitor' },
    roleRef: { apiGroup, kind: 'ClusterRole', name: role },
    subjects: [{ kind: 'User', apiGroup, name: 'visitor' }],
  };
  await admin.cluster(there).create(BINDINGS, binding, options());
  const visitor = new Connection({ server: kcp.baseUrl, credentials: { ca: kcp.ca, token: kcp.token('visitor') } });
  try {
    return await work(visitor);
  } finally {
    await visitor.close();
  }
}

describe(holdingOf, () => {
  it.each([
    { given: 'cluster-admin', role: 'cluster-admin', expected: ['held', true] },
    { given: 'nothing but entry', role: 'system:kcp:workspace:access', expected: ['missing', true] },
    { given: 'no entry', role: 'view', expected: ['no-entry', false] },
  ])('given $given, then kcp is asked and that is the answer', ({ role, expected }) =>
    onEmbeddedKcp(async (world) => {
      await ensureWorkspace(world.admin, there, { ...options(), clock: systemClock });
      await withVisitor(world, role, async (visitor) => {
        const client = visitor.cluster(there);
        const bind = { verb: 'bind', type: API_EXPORTS, name: 'any' };

        expect([await holdingOf(client, bind, options()), await mayEnter(client, options())]).toEqual(expected);
      });
    }),
  );
});

describe('a refusal that lasts', () => {
  const refuses = async (world: EmbeddedWorld, role: string, clock = instantClock()): Promise<number> => {
    await ensureWorkspace(world.admin, there, { ...options(), clock: systemClock });
    await withVisitor(world, role, async (visitor) => {
      const read = () => visitor.cluster(there).get(API_BINDINGS, { name: 'any' }, options());
      await expect(onceReady(visitor, there, read, { ...options(), clock })).rejects.toThrow('403 Forbidden');
    });
    return clock.monotonic();
  };

  it('given somebody who may enter a workspace that was made a moment ago, then a refusal there is believed after a second', () =>
    onEmbeddedKcp(async (world) => {
      const nowMs = Date.now();

      expect(await refuses(world, 'system:kcp:workspace:access', { ...instantClock(), ...at(nowMs) })).toBeLessThan(1_500);
    }));

  it('given a workspace that was made long ago, then its first refusal is believed', () =>
    onEmbeddedKcp(async (world) => {
      const nowMs = Date.now() + 600_000;

      expect(await refuses(world, 'view', { ...instantClock(), ...at(nowMs) })).toBe(0);
    }));

  it('given a workspace that exists and that these credentials may not enter, when it is made sure of, then nobody waits for it', () =>
    onEmbeddedKcp(async (world) => {
      await ensureWorkspace(world.admin, there, { ...options(), clock: systemClock });
      await withVisitor(world, 'view', async (visitor) => {
        const clock = { ...instantClock(), ...at(Date.now() + 600_000) };

        await expect(ensureWorkspace(visitor, there, { ...options(), clock })).rejects.toThrow(LOGICAL_CLUSTERS.resource);
        expect(clock.slept).toEqual([]);
      });
    }));
});

/** The time of day on a clock whose pauses take no time. */
function at(nowMs: number): { readonly now: () => number } {
  return { now: () => nowMs };
}
