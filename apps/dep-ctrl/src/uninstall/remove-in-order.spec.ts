import { describe, expect, it } from '@jest/globals';
import { systemClock, type Clock } from '@dep-ctrl/kcp-client';
import { logicalCluster } from '@dep-ctrl/kcp-names';
import type { Place } from './find-removals.js';
import type { Removal } from './plan-removal.js';
import { removeInOrder } from './remove-in-order.js';

const atOnce: Clock = { ...systemClock, sleep: () => Promise.resolve() };

/** A place with one thing to remove in a workspace that is not served any more. */
function goingWith(action: Removal['action']): Place {
  const cluster = logicalCluster('provider1');
  const object = { apiVersion: 'v1', kind: 'ClusterRole', metadata: { name: 'one' } };
  const client = () => {
    throw new Error('404 page not found');
  };
  return { name: 'shard', removals: [{ cluster: cluster, action, object }], paths: new Map(), bindings: [], foreign: [], client };
}

describe(removeInOrder, () => {
  it.each([
    { action: 'mark-rule', problems: [], state: 'done' },
    { action: 'delete-guard', problems: [], state: 'done' },
    { action: 'release-guard', problems: [], state: 'done' },
    { action: 'mark-rule', problems: ['a shard does not answer'], state: 'failed' },
    { action: 'delete-configuration', problems: [], state: 'failed' },
    { action: 'delete-right', problems: [], state: 'failed' },
  ] as const)(
    'given $action that fails, and a look that finds it no more with the problems $problems, then it is $state',
    async ({ action, problems, state }) => {
      const look = { places: [goingWith(action)], problems: [] };
      const again = () => Promise.resolve({ places: [], problems });

      const [removed] = await removeInOrder(look, again, {
        dryRun: false,
        leave: new Set(),
        clock: atOnce,
        signal: new AbortController().signal,
        tell: () => undefined,
      });

      expect(removed?.state).toBe(state);
      expect(removed?.problem).toBe(state === 'done' ? undefined : '404 page not found');
    },
  );

  it.each([
    { leave: [], expected: 'the webhook needs it while something else is left' },
    { leave: ['provider1'], expected: '404 page not found' },
  ])('given a configuration that a tenant keeps, and leave $leave, then the rights are told: $expected', async ({ leave, expected }) => {
    const kept = goingWith('delete-configuration');
    const right = goingWith('delete-right');
    const rights = { ...right, removals: right.removals.map((each) => ({ ...each, cluster: logicalCluster('system') })) };

    const removed = await removeInOrder({ places: [kept, rights], problems: [] }, () => Promise.resolve({ places: [kept], problems: [] }), {
      dryRun: false,
      leave: new Set(leave.map(logicalCluster)),
      clock: atOnce,
      signal: new AbortController().signal,
      tell: () => undefined,
    });

    expect(removed.map(({ action, state, problem }) => [action, state, problem])).toEqual([
      ['delete-configuration', 'failed', '404 page not found'],
      ['delete-right', 'failed', expected],
    ]);
  });
});
