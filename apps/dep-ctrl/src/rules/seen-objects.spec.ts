import { describe, expect, it } from '@jest/globals';
import { SeenObjects } from './seen-objects.js';
import { endpoint, guard, name, rule } from './spec-support/objects.js';

const a = endpoint('a');
const b = endpoint('b');

describe(SeenObjects, () => {
  it('given a relist, then it is swapped in whole and only what differs is touched', () => {
    const seen = new SeenObjects();
    seen.apply(a, 'rules', { kind: 'replaced', objects: [rule({ name: 'stays' }), rule({ name: 'changes' }), rule({ name: 'goes' })] });

    const touched = seen.apply(a, 'rules', {
      kind: 'replaced',
      objects: [rule({ name: 'stays' }), rule({ name: 'changes', version: '2' }), rule({ name: 'comes' })],
    });

    expect(touched.map((object) => object.name).sort()).toEqual(['changes', 'comes', 'goes']);
    expect([...seen.all('rules')].map(({ object }) => object.metadata.name).sort()).toEqual(['changes', 'comes', 'stays']);
  });

  it('given the same name in two workspaces and on two endpoints, then none replaces the other', () => {
    const seen = new SeenObjects();
    seen.apply(a, 'rules', { kind: 'applied', object: rule({ cluster: 'one' }) });
    seen.apply(b, 'rules', { kind: 'applied', object: rule({ cluster: 'two' }) });

    seen.apply(b, 'rules', { kind: 'deleted', object: rule({ cluster: 'two' }) });

    expect(seen.get('rules', name('one'), 'vms')?.endpoint).toBe(a);
    expect(seen.get('rules', name('two'), 'vms')).toBeUndefined();
  });

  it('given something deleted that was never seen, or undecodable, then nothing is touched', () => {
    const seen = new SeenObjects();

    expect(seen.apply(a, 'rules', { kind: 'deleted', object: rule() })).toEqual([]);
    expect(seen.apply(a, 'rules', { kind: 'undecodable', problem: 'half JSON' })).toEqual([]);
  });

  it('given an endpoint that listed nothing of a kind, then it has listed it all the same', () => {
    const seen = new SeenObjects();
    expect(seen.hasListed(a, 'guards')).toBe(false);

    seen.apply(a, 'guards', { kind: 'replaced', objects: [] });

    expect([seen.hasListed(a, 'guards'), seen.hasListed(a, 'rules'), seen.hasListed(b, 'guards')]).toEqual([true, false, false]);
  });

  it('given a cluster proven gone, then withdrawn endpoints forget it and others keep it', () => {
    const seen = new SeenObjects();
    for (const at of [a, b]) seen.apply(at, 'guards', { kind: 'replaced', objects: [guard()] });

    seen.forgetWithdrawn(name('network1'), [a]);

    expect(seen.endpoints()).toEqual([b]);
    expect(seen.get('guards', name('network1'), 'dependency-controller')?.endpoint).toBe(b);
  });
});
