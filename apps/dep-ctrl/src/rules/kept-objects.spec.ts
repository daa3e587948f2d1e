import { describe, expect, it } from '@jest/globals';
import { keptOf, parseKept } from './kept-objects.js';
import { FedSource } from './spec-support/fed-source.js';

const { seen } = new FedSource();
const OWN = { name: 'mine', uid: 'u', resourceVersion: '7', generation: 2, creationTimestamp: 'then', deletionTimestamp: 'now' };
const READ = { 'kcp.io/cluster': 'compute1', 'kcp.io/path': 'root:compute' };
const HUGE = {
  labels: { huge: 'x' },
  finalizers: ['huge/x'],
  ownerReferences: [{ apiVersion: 'v1', kind: 'Huge', name: 'huge', uid: 'huge' }],
  managedFields: [{ manager: 'huge' }],
};

describe(keptOf, () => {
  it.each(['rules', 'bindings'] as const)('given %s with whatever in its metadata, then what is read is kept', (kind) => {
    const object = { kind: 'Any', metadata: { ...HUGE, ...OWN, annotations: { ...READ, huge: 'x' } }, spec: { a: 1 }, status: { b: 2 } };

    expect(keptOf(seen[kind].type, object)).toEqual({
      kind: 'Any',
      metadata: { ...OWN, annotations: READ },
      spec: { a: 1 },
      status: { b: 2 },
    });
  });

  it('given a binding with any number of claims, then the first answer to ours is kept', () => {
    const claim = { group: 'admissionregistration.k8s.io', resource: 'validatingwebhookconfigurations', state: 'Accepted' };
    const others = [{ group: '', resource: 'secrets' }, 'none', { group: claim.group, resource: 'others' }];
    const kept = (permissionClaims: unknown): unknown =>
      keptOf(seen.bindings.type, { metadata: OWN, spec: { reference: {}, permissionClaims } })?.['spec'];

    expect(kept([...others, claim, { ...claim, state: 'Rejected' }])).toEqual({ reference: {}, permissionClaims: [claim] });
    expect(kept(others)).toEqual({ reference: {}, permissionClaims: [] });
    expect(kept('none')).toEqual({ reference: {}, permissionClaims: 'none' });
  });

  it.each(['guards', 'configurations'] as const)('given %s, then the one of our name is kept whole, and no other', (kind) => {
    const ours = { metadata: { ...HUGE, name: 'dependency-controller' } };

    expect(keptOf(seen[kind].type, ours)).toBe(ours);
    expect(keptOf(seen[kind].type, { metadata: { name: 'theirs' } })).toBeUndefined();
  });
});

describe(parseKept, () => {
  const labels = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`label-${index}`, '']));
  const object = {
    apiVersion: 'a/v1',
    kind: 'Any',
    metadata: { ...HUGE, ...OWN, labels, annotations: { ...READ, huge: 'x' } },
    spec: { a: [{ b: 1 }] },
    status: { c: [[2]] },
  };

  it.each(['rules', 'bindings'] as const)('given %s that are large, then what is kept is parsed, and no more', async (kind) => {
    const kept = keptOf(seen[kind].type, object);

    expect(await parseKept(seen[kind].type, Buffer.from(JSON.stringify({ kind: 'List', items: [object] })), 'list')).toEqual({
      items: [kept],
    });
    expect(await parseKept(seen[kind].type, Buffer.from(JSON.stringify({ type: 'ADDED', object })), 'event')).toEqual({
      type: 'ADDED',
      object: kept,
    });
  });

  it.each(['guards', 'configurations'] as const)('given %s that are large, then all of it is parsed', async (kind) => {
    const event = { type: 'ADDED', object };

    expect(await parseKept(seen[kind].type, Buffer.from(JSON.stringify(event)), 'event')).toEqual(event);
  });
});
