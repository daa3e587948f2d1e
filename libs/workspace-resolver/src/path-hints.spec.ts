import { describe, expect, it } from '@jest/globals';
import { parseVirtualWorkspaceUrl, type VirtualWorkspaceUrl } from '@dep-ctrl/kcp-client';
import { logicalCluster, workspacePath } from '@dep-ctrl/kcp-names';
import { PathHints, type PathHint } from './path-hints.js';

const [one, other] = [endpointOf('one'), endpointOf('one-more')];
const hintOf = (cluster: string, path: string): PathHint => ({ cluster: logicalCluster(cluster), path: workspacePath(path) });

describe(PathHints, () => {
  it('given bindings, then what each says last is known, in the order in which they were first seen', () => {
    const hints = new PathHints();

    const news = [
      hints.see(one, 'b', hintOf('c1', 'root:a')),
      hints.see(one, 'b', hintOf('c2', 'root:b')),
      hints.see(one, 'other', hintOf('c1', 'root:a')),
      hints.see(other, 'b', hintOf('c1', 'root:a')),
      hints.see(one, 'b', hintOf('c1', 'root:a')),
      hints.see(one, 'b', hintOf('c1', 'root:moved')),
    ];

    expect(news).toEqual([true, true, true, true, false, true]);
    expect(told(hints)).toEqual(['c1 root:moved', 'c2 root:b', 'c1 root:a', 'c1 root:a']);
  });

  it('given a binding that is forgotten, then those of other names, workspaces and endpoints stay, and it is news again', () => {
    const hints = new PathHints();
    hints.see(one, 'b', hintOf('c1', 'root:gone'));
    hints.see(one, 'other', hintOf('c1', 'root:name'));
    hints.see(one, 'b', hintOf('c2', 'root:workspace'));
    hints.see(other, 'b', hintOf('c1', 'root:endpoint'));

    hints.forget(one, 'b', logicalCluster('c1'));

    expect(told(hints)).toEqual(['c1 root:name', 'c2 root:workspace', 'c1 root:endpoint']);
    expect(hints.see(one, 'b', hintOf('c1', 'root:gone'))).toBe(true);
  });

  it('given an endpoint that is forgotten, then only what it showed is, also where the name of another begins alike', () => {
    const hints = new PathHints();
    hints.see(one, 'a', hintOf('c1', 'root:a'));
    hints.see(other, 'a', hintOf('c1', 'root:b'));
    hints.see(one, 'b', hintOf('c2', 'root:c'));

    hints.forgetEndpoint(one);

    expect(told(hints)).toEqual(['c1 root:b']);
  });
});

function told(hints: PathHints): readonly string[] {
  return [...hints.all()].map(({ cluster, path }) => `${cluster} ${path}`);
}

function endpointOf(name: string): VirtualWorkspaceUrl {
  const url = parseVirtualWorkspaceUrl(`https://kcp.example.com/services/apiexport/root/${name}`);
  if (!url.ok) throw new Error(url.problem);
  return url.value;
}
