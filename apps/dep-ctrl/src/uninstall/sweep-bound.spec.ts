import { describe, expect, it } from '@jest/globals';
import { GUARD_FINALIZER, GUARD_NAME, GUARDS } from '@dep-ctrl/rule-registry';
import { connectShard } from '../command-line/connect.js';
import { connectTo, onEmbeddedKcp } from '../testing/embedded-world.js';
import { left, leftBehind, options } from './spec-support/left-behind.js';
import { sweepBound } from './sweep-bound.js';

const OTHER = 'example.com/wait';

describe('the command that releases a guard by hand', () => {
  it.each([
    { given: 'our finalizer alone', finalizers: [GUARD_FINALIZER], place: 0, expected: [] },
    { given: 'one of others behind ours', finalizers: [GUARD_FINALIZER, OTHER], place: 0, expected: [OTHER] },
    { given: 'one of others before ours', finalizers: [OTHER, GUARD_FINALIZER], place: 0, expected: 'refused' },
    { given: 'one of others before ours, and its place', finalizers: [OTHER, GUARD_FINALIZER], place: 1, expected: [OTHER] },
    { given: 'one of others alone', finalizers: [OTHER], place: 0, expected: 'refused' },
  ])('given a guard with $given, then it takes off ours and no other', ({ finalizers, place, expected }) =>
    onEmbeddedKcp(async (world) => {
      const { network, owner } = await leftBehind(world);
      const guard = await network.get(GUARDS, { name: GUARD_NAME }, options());
      await network.replace(GUARDS, { ...guard, metadata: { ...guard.metadata, finalizers } }, options());
      const [shard, stranger] = [connectShard(world.adminKubeconfig).connection, connectTo(world.kcp.kubeconfig({ user: 'stranger' }))];
      // A user who sees bindings and may look into no workspace.
      const connection = { baseUrl: shard.baseUrl, wildcard: () => shard.wildcard(), cluster: stranger.cluster.bind(stranger) };

      const { problems } = await sweepBound({ connection, file: 'shard.kubeconfig' }, owner, options());
      const printed = /--type json -p '(.+)'$/.exec(problems[0] ?? '')?.[1] ?? '[]';
      const body = JSON.parse(printed.replaceAll('/0"', `/${String(place)}"`)) as readonly object[];
      const outcome = await network.patch(GUARDS, { name: GUARD_NAME }, { kind: 'json', body }, options()).then(
        () => 'taken',
        () => 'refused',
      );
      await Promise.all([shard, stranger].map((each) => each.close()));

      expect(outcome === 'taken' ? await left(network, GUARDS) : outcome).toEqual(expected);
    }),
  );
});
