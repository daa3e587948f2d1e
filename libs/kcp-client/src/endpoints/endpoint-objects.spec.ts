import { describe, expect, it } from '@jest/globals';
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import { parseVirtualWorkspaceUrl, type VirtualWorkspaceUrl } from '../http/server-url.js';
import type { Observed } from '../watch/reflector-event.js';
import { EndpointObjects } from './endpoint-objects.js';

const a = endpoint('a');
const b = endpoint('b');

describe(EndpointObjects, () => {
  it('given a relist, then it is swapped in whole and only what differs is touched', () => {
    const seen = new EndpointObjects<'rules' | 'guards'>();
    seen.apply(a, 'rules', { kind: 'replaced', objects: [rule({ name: 'stays' }), rule({ name: 'changes' }), rule({ name: 'goes' })] });

    const touched = seen.apply(a, 'rules', {
      kind: 'replaced',
      objects: [rule({ name: 'stays' }), rule({ name: 'changes', version: '2' }), rule({ name: 'comes' })],
    });

    expect(touched.map((object) => object.name).sort()).toEqual(['changes', 'comes', 'goes']);
    expect([...seen.all('rules')].map(({ object }) => object.metadata.name).sort()).toEqual(['changes', 'comes', 'stays']);
  });

  it('given the same name in two workspaces and on two endpoints, then none replaces the other', () => {
    const seen = new EndpointObjects<'rules' | 'guards'>();
    seen.apply(a, 'rules', { kind: 'applied', object: rule({ cluster: 'one' }) });
    seen.apply(b, 'rules', { kind: 'applied', object: rule({ cluster: 'two' }) });

    seen.apply(b, 'rules', { kind: 'deleted', object: rule({ cluster: 'two' }) });

    expect(seen.get('rules', name('one'), 'vms')?.endpoint).toBe(a);
    expect(seen.get('rules', name('two'), 'vms')).toBeUndefined();
  });

  it('given something deleted that was never seen, or undecodable, then nothing is touched', () => {
    const seen = new EndpointObjects<'rules' | 'guards'>();

    expect(seen.apply(a, 'rules', { kind: 'deleted', object: rule() })).toEqual([]);
    expect(seen.apply(a, 'rules', { kind: 'undecodable', problem: 'half JSON' })).toEqual([]);
  });

  it('given an endpoint that listed nothing of a kind, then it has listed it all the same', () => {
    const seen = new EndpointObjects<'rules' | 'guards'>();
    expect(seen.hasListed(a, 'guards')).toBe(false);

    seen.apply(a, 'guards', { kind: 'replaced', objects: [] });

    expect([seen.hasListed(a, 'guards'), seen.hasListed(a, 'rules'), seen.hasListed(b, 'guards')]).toEqual([true, false, false]);
  });

  it('given a cluster proven gone, then withdrawn endpoints forget it and others keep it', () => {
    const seen = new EndpointObjects<'rules' | 'guards'>();
    for (const at of [a, b]) seen.apply(at, 'guards', { kind: 'replaced', objects: [rule({ cluster: 'network1', name: 'guard' })] });

    seen.forgetWithdrawn(name('network1'), [a]);

    expect(seen.endpoints()).toEqual([b]);
    expect(seen.get('guards', name('network1'), 'guard')?.endpoint).toBe(b);
  });

  it('given a withdrawn endpoint that shows other clusters too, or nothing, then only the cluster that is gone is forgotten', () => {
    const seen = new EndpointObjects<'rules' | 'guards'>();
    for (const cluster of ['network1', 'compute1']) seen.apply(a, 'rules', { kind: 'applied', object: rule({ cluster }) });

    seen.forgetWithdrawn(name('network1'), [a, b]);

    expect([[...seen.clustersAt(a)], [...seen.clustersAt(b)], seen.endpoints()]).toEqual([['compute1'], [], [a]]);
  });

  it('given an object that comes and goes, then it is what may have changed each time, and its cluster is shown as long as it is there', () => {
    const seen = new EndpointObjects<'rules' | 'guards'>();
    const touched = [{ kind: 'rules', cluster: 'compute1', name: 'vms' }];

    expect(seen.apply(a, 'rules', { kind: 'applied', object: rule() })).toEqual(touched);
    seen.apply(a, 'rules', { kind: 'applied', object: rule({ name: 'disks' }) });
    expect(seen.apply(a, 'rules', { kind: 'deleted', object: rule() })).toEqual(touched);
    expect([...seen.clustersAt(a)]).toEqual(['compute1']);
    expect(seen.apply(a, 'rules', { kind: 'deleted', object: rule() })).toEqual([]);

    seen.apply(a, 'rules', { kind: 'deleted', object: rule({ name: 'disks' }) });

    expect([...seen.clustersAt(a)]).toEqual([]);
  });

  it('given a relist without the only object of a cluster, then that object is touched', () => {
    const seen = new EndpointObjects<'rules' | 'guards'>();
    seen.apply(a, 'rules', { kind: 'replaced', objects: [rule()] });

    expect(seen.apply(a, 'rules', { kind: 'replaced', objects: [] })).toEqual([{ kind: 'rules', cluster: 'compute1', name: 'vms' }]);
  });

  it('given an object without a version, then each list of it may be a change', () => {
    const seen = new EndpointObjects<'rules' | 'guards'>();
    const list = { kind: 'replaced', objects: [rule({ version: undefined })] } as const;

    expect([seen.apply(a, 'rules', list), seen.apply(a, 'rules', list)].map((touched) => touched.length)).toEqual([1, 1]);
  });

  it('given a cluster that two endpoints show, then its objects are those of both, and of no other cluster or kind', () => {
    const seen = new EndpointObjects<'rules' | 'guards'>();
    seen.apply(a, 'rules', { kind: 'replaced', objects: [rule(), rule({ cluster: 'compute2' })] });
    seen.apply(b, 'rules', { kind: 'replaced', objects: [rule({ name: 'disks' })] });

    const inCluster = seen.inCluster('rules', name('compute1'));

    expect(inCluster.map(({ endpoint: at, cluster, object }) => [at, cluster, object.metadata.name])).toEqual([
      [a, 'compute1', 'vms'],
      [b, 'compute1', 'disks'],
    ]);
    expect([seen.inCluster('rules', name('network1')), seen.inCluster('guards', name('compute1'))]).toEqual([[], []]);
    expect([[...seen.all('guards')], seen.get('guards', name('compute1'), 'vms')]).toEqual([[], undefined]);
  });
});

function name(text: string): LogicalClusterName {
  return text as LogicalClusterName;
}

function endpoint(shard: string): VirtualWorkspaceUrl {
  const url = parseVirtualWorkspaceUrl(`https://${shard}.example.com/services/apiexport/owner1/rules.example.com`);
  if (!url.ok) throw new Error(url.problem);
  return url.value;
}

function rule(change: { cluster?: string; name?: string; version?: string | undefined } = {}): Observed {
  const { cluster, name: called, version } = { cluster: 'compute1', name: 'vms', version: '1', ...change };
  const metadata = { name: called, annotations: { 'kcp.io/cluster': cluster } };
  return {
    cluster: name(cluster),
    object: { apiVersion: 'v1', kind: 'Rule', metadata: version === undefined ? metadata : { ...metadata, resourceVersion: version } },
  };
}
