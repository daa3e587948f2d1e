import { describe, expect, it } from '@jest/globals';
import { logicalCluster, workspacePath } from '@dep-ctrl/kcp-names';
import { whyItStops } from './why-it-stops.js';

const held = (name: string) => ({ cluster: logicalCluster(name), path: workspacePath(`root:${name}`), isDying: false, letGo: 'kubectl' });
const shards = [{ file: 'root.kubeconfig' }];
const unseen = { where: 'shard "two" at https://two', why: 'no --shard-kubeconfig leads there; give one of its admin too' };

describe(whyItStops, () => {
  it.each([
    {
      given: 'one workspace',
      found: { held: [held('a')], shards, unswept: [], problems: [] },
      expected: /^1 workspace carries the terminator of dep-ctrl \(root:a; /,
    },
    {
      given: 'more than a person reads',
      found: { held: ['e', 'd', 'c', 'b', 'a'].map(held), shards, unswept: [], problems: [] },
      expected: /^5 workspaces carry the terminator of dep-ctrl \(root:a, root:b, root:c and 2 more; /,
    },
    {
      given: 'a type that extends ours, and a workspace',
      found: { extending: ['tenant in root:teams'], held: [held('a')], shards, unswept: [], problems: [] },
      expected:
        /^a WorkspaceType extends the one of the ordered teardown \(tenant in root:teams\), .* of it any more: first remove dependency-ordered from spec\.extend\.with$/,
    },
    {
      given: 'more types that extend ours than a person reads',
      found: { extending: ['a in root:x', 'b in root:x', 'c in root:x', 'd in root:x'], held: [], shards, unswept: [], problems: [] },
      expected:
        /^4 WorkspaceTypes extend the one of the ordered teardown \(a in root:x, b in root:x, c in root:x and 1 more\), .* of them any more: first remove dependency-ordered from /,
    },
    {
      given: 'no shard',
      found: { held: [], shards: [], unswept: [], problems: [] },
      expected: /: no shard was looked at; give --shard-kubeconfig once per shard, or give /,
    },
    {
      given: 'a shard that no kubeconfig leads to',
      found: { held: [], shards, unswept: [unseen], problems: [] },
      expected: /: shard "two" at https:\/\/two: no --shard-kubeconfig /,
    },
    {
      given: 'a shard that does not answer',
      found: { held: [], shards, unswept: [], problems: ['root.kubeconfig: 503'] },
      expected: /: root.kubeconfig: 503, or give /,
    },
  ])('given $given, then it stops, and says what to do', ({ found, expected }) => {
    expect(whyItStops({ extending: [], ...found })).toMatch(expected);
  });

  it('given that no workspace carries it, on all shards, then it goes on', () => {
    expect(whyItStops({ extending: [], held: [], shards, unswept: [], problems: [] })).toBeUndefined();
  });
});
