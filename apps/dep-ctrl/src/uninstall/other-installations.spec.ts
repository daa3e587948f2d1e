import { describe, expect, it } from '@jest/globals';
import { logicalCluster, workspacePath } from '@dep-ctrl/kcp-names';
import type { Foreign, Place } from './find-removals.js';
import { otherInstallations, stayingOf } from './other-installations.js';

function place(foreign: readonly Foreign[], paths: Place['paths'] = new Map()): Place {
  const client = () => {
    throw new Error('nobody asks');
  };
  return { name: 'shard', removals: [], paths, bindings: [], foreign, client };
}

describe(otherInstallations, () => {
  it('given several on two shards, then each has its workspaces once, by path where that is known, sorted', () => {
    const [a, b, c] = [logicalCluster('cluster-a'), logicalCluster('cluster-b'), logicalCluster('cluster-c')];
    const first = place(
      [
        { cluster: a, owner: 'two' },
        { cluster: c, owner: 'one' },
      ],
      new Map([[a, workspacePath('root:a')]]),
    );
    const second = place([
      { cluster: b, owner: 'two' },
      { cluster: b, owner: 'two' },
      { cluster: c, owner: 'zero' },
    ]);

    expect(otherInstallations([first, second])).toEqual([
      { owner: 'one', workspaces: ['cluster-c'] },
      { owner: 'two', workspaces: ['cluster-b', 'root:a'] },
      { owner: 'zero', workspaces: ['cluster-c'] },
    ]);
  });
});

describe(stayingOf, () => {
  it.each([
    { given: 'one workspace', workspaces: ['root:a'], what: 'the configuration in root:a is of another installation, "gone1"' },
    { given: 'two', workspaces: ['root:a', 'root:b'], what: 'the configurations in root:a, root:b are of another installation, "gone1"' },
    {
      given: 'many',
      workspaces: Array.from({ length: 12 }, (_, index) => `w${String(index)}`),
      what: 'the configurations in w0, w1, w2, w3, w4, w5, w6, w7, w8, w9 and 2 more are of another installation, "gone1"',
    },
  ])('given $given, then it is one line with the command that removes them', ({ workspaces, what }) => {
    expect(stayingOf({ owner: 'gone1', workspaces }, ['a.kubeconfig', 'b.kubeconfig'], ['--context', 'base'])).toEqual({
      what,
      removedBy:
        'if that is gone: dep-ctrl uninstall --workspace gone1 --shard-kubeconfig a.kubeconfig --shard-kubeconfig b.kubeconfig --yes --context base',
    });
  });
});
