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
});

function name(text: string): LogicalClusterName {
  return text as LogicalClusterName;
}

function endpoint(shard: string): VirtualWorkspaceUrl {
  const url = parseVirtualWorkspaceUrl(`https://${shard}.example.com/services/apiexport/owner1/rules.example.com`);
  if (!url.ok) throw new Error(url.problem);
  return url.value;
}

function rule({ cluster = 'compute1', name: called = 'vms', version = '1' } = {}): Observed {
  return {
    cluster: name(cluster),
    object: {
      apiVersion: 'v1',
      kind: 'Rule',
      metadata: { name: called, resourceVersion: version, annotations: { 'kcp.io/cluster': cluster } },
    },
  };
}
