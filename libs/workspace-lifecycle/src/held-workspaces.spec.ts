import { describe, expect, it } from '@jest/globals';
import { HeldWorkspaces } from './held-workspaces.js';
import { clusterName, logicalCluster, viewUrl } from './spec-support/seen.js';

const FOR = { kind: 'terminating', entry: 'own', namesPermissions: false } as const;
const [ONE, TWO] = [viewUrl('https://one'), viewUrl('https://two')];
const waiting = (cluster: string, uid = 'u'): ReturnType<typeof logicalCluster> =>
  logicalCluster(cluster, { terminators: ['own'] }, { uid });

function withTwo(): HeldWorkspaces {
  const held = new HeldWorkspaces();
  held.take(ONE, { kind: 'replaced', objects: [waiting('a'), waiting('b')] }, FOR);
  return held;
}

describe(HeldWorkspaces, () => {
  it('given a list, then those that wait are new once', () => {
    const held = new HeldWorkspaces();
    const objects = [waiting('a'), logicalCluster('b', { terminators: ['other'] })];

    expect(held.take(ONE, { kind: 'replaced', objects }, FOR)).toEqual(['a']);
    expect(held.take(ONE, { kind: 'replaced', objects }, FOR)).toEqual([]);
    expect(held.take(ONE, { kind: 'applied', object: waiting('a') }, FOR)).toEqual([]);
    expect(held.size).toBe(1);
  });

  it.each([
    { given: 'it is deleted', event: { kind: 'deleted', object: waiting('a') } },
    { given: 'its entry is gone', event: { kind: 'applied', object: logicalCluster('a', { terminators: ['other'] }) } },
    { given: 'a list does not have it', event: { kind: 'replaced', objects: [waiting('b')] } },
  ] as const)('given one that waits, when $given, then its signal aborts and the others wait on', ({ event }) => {
    const held = withTwo();
    const [a, b] = [held.get(clusterName('a')), held.get(clusterName('b'))];

    expect(held.take(ONE, event, FOR)).toEqual([]);

    expect(a?.signal.reason).toEqual(new Error('the workspace waits no more'));
    expect(b?.signal.aborted).toBe(false);
    expect(held.get(clusterName('a'))).toBeUndefined();
    expect(held.size).toBe(1);
  });

  it('given one on each of two shards, when one shard lists nothing, then the other one waits on', () => {
    const held = withTwo();
    held.take(TWO, { kind: 'replaced', objects: [waiting('c')] }, FOR);

    held.take(ONE, { kind: 'replaced', objects: [] }, FOR);

    expect(held.get(clusterName('c'))?.signal.aborted).toBe(false);
    expect(held.size).toBe(1);
  });

  it('given a workspace that was made again under its name, then it is new and the old one is over', () => {
    const held = withTwo();
    const old = held.get(clusterName('a'));

    expect(held.take(ONE, { kind: 'applied', object: waiting('a', 'v') }, FOR)).toEqual(['a']);
    expect(old?.signal.reason).toEqual(new Error('another workspace took its place'));
  });

  it('given what cannot be read, then all wait on', () => {
    const held = withTwo();
    const a = held.get(clusterName('a'));

    expect(held.take(ONE, { kind: 'undecodable', problem: 'no object' }, FOR)).toEqual([]);

    expect([held.size, a?.signal.aborted]).toEqual([2, false]);
  });

  it('given one that was released, when the watch tells what was before, then it does not begin anew', () => {
    const held = withTwo();
    const a = held.get(clusterName('a'));
    if (a !== undefined) held.release(a);

    expect(held.take(ONE, { kind: 'applied', object: waiting('a') }, FOR)).toEqual([]);
    expect(held.get(clusterName('a'))).toBeUndefined();
    expect(held.size).toBe(1);
  });

  it.each([
    { given: 'is gone by then', event: { kind: 'deleted', object: waiting('a') }, waits: false },
    { given: 'was made again under its name by then', event: { kind: 'applied', object: waiting('a', 'v') }, waits: true },
  ] as const)('given one that $given, when it is released, then its name waits: $waits', ({ event, waits }) => {
    const held = withTwo();
    const a = held.get(clusterName('a'));
    held.take(ONE, event, FOR);

    if (a !== undefined) held.release(a);

    expect(held.get(clusterName('a')) !== undefined).toBe(waits);
  });

  it('given a virtual workspace that is withdrawn, then what it showed is over', () => {
    const held = withTwo();
    const a = held.get(clusterName('a'));

    held.withdraw(ONE);

    expect(a?.signal.aborted).toBe(true);
    expect(held.size).toBe(0);
  });
});
