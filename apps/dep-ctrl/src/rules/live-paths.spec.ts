import { describe, expect, it } from '@jest/globals';
import type { LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';
import { LivePaths } from './live-paths.js';

const path = 'root:network' as WorkspacePath;
const other = 'root:compute' as WorkspacePath;
const old = 'old1' as LogicalClusterName;
const young = 'new2' as LogicalClusterName;

describe(LivePaths, () => {
  it('given a binding, then path and cluster name each other until it is forgotten', () => {
    const paths = new LivePaths();

    expect(paths.see('b', old, path)).toEqual([path]);
    expect([paths.clusterOf(path), paths.pathOf(old)]).toEqual([old, path]);
    expect(paths.forget('b')).toEqual([path]);
    expect([paths.clusterOf(path), paths.pathOf(old)]).toEqual([undefined, undefined]);
  });

  it('given the same sight again, or something unknown forgotten, then nothing may have changed', () => {
    const paths = new LivePaths();
    paths.see('b', old, path);

    expect(paths.see('b', old, path)).toEqual([]);
    expect(paths.forget('x')).toEqual([]);
  });

  it('given two bindings of one workspace, when one goes, then the other still shows it', () => {
    const paths = new LivePaths();
    paths.see('a', old, path);
    paths.see('b', old, path);

    paths.forget('a');

    expect([paths.clusterOf(path), paths.pathOf(old)]).toEqual([old, path]);
  });

  it('given a workspace made again while the old one is still seen, then the path is not known until the old one is gone', () => {
    const paths = new LivePaths();
    paths.see('a', old, path);
    paths.see('b', young, path);

    expect(paths.clusterOf(path)).toBeUndefined();
    paths.forget('a');
    expect(paths.clusterOf(path)).toBe(young);
  });

  it('given a binding that shows something else now, then both paths may have changed', () => {
    const paths = new LivePaths();
    paths.see('b', old, path);

    expect(paths.see('b', old, other)).toEqual([path, other]);
    expect([paths.clusterOf(path), paths.clusterOf(other), paths.pathOf(old)]).toEqual([undefined, old, other]);
  });
});
