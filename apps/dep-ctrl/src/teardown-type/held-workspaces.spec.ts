import { describe, expect, it } from '@jest/globals';
import { letGo, positionOf } from './held-workspaces.js';

const OURS = 'home:dependency-ordered';

describe(positionOf, () => {
  it.each([
    { given: 'a workspace without terminators', object: { status: { phase: 'Ready' } }, expected: undefined },
    { given: 'one with ours behind another', object: { status: { phase: 'Ready', terminators: ['a:b', OURS] } }, expected: 1 },
    {
      given: 'one whose type of the same name is of somebody else',
      object: { status: { terminators: ['x:dependency-ordered'] } },
      expected: undefined,
    },
    {
      given: 'one from which it was taken, though its type has it',
      object: { spec: { terminators: [OURS] }, status: { phase: 'Ready', terminators: [] } },
      expected: undefined,
    },
    { given: 'one that is still made', object: { spec: { terminators: [OURS] }, status: { phase: 'Scheduling' } }, expected: 0 },
  ])('given $given, then $expected', ({ object, expected }) => {
    expect(positionOf({ metadata: { name: 'cluster' }, ...object }, OURS)).toBe(expected);
  });
});

describe(letGo, () => {
  it('given a place, then the command takes off just that entry, and kcp refuses it where another stands there', () => {
    expect(letGo({ file: 'root.kubeconfig', server: 'https://shard/clusters/abc', at: 1, entry: OURS })).toBe(
      `kubectl --kubeconfig root.kubeconfig --server https://shard/clusters/abc patch logicalclusters.core.kcp.io cluster --subresource status --type json -p '[{"op":"test","path":"/status/terminators/1","value":"${OURS}"},{"op":"remove","path":"/status/terminators/1"}]'`,
    );
  });
});
