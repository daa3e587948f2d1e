import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { decideCollection, disowned, type OwnerState } from './decide-collection.js';

function dependent(owners: readonly string[], finalizers: readonly string[] = []): KubeObject {
  const ownerReferences = owners.map((uid) => ({ apiVersion: 'v1', kind: 'ConfigMap', name: uid, uid }));
  return { metadata: { name: 'x', ownerReferences, finalizers } };
}

describe(decideCollection, () => {
  it.each<{ given: string; states: OwnerState[]; hasDependents?: boolean; finalizers?: string[]; expected: object }>([
    { given: 'no owners', states: [], expected: { kind: 'keep' } },
    { given: 'an owner that is there', states: ['solid'], expected: { kind: 'keep' } },
    { given: 'an owner of a kind that is not served', states: ['unknown'], expected: { kind: 'keep' } },
    { given: 'an owner that is gone', states: ['absent'], expected: { kind: 'delete', policy: 'Background' } },
    { given: 'all owners gone', states: ['absent', 'absent'], expected: { kind: 'delete', policy: 'Background' } },
    { given: 'one of two owners gone', states: ['solid', 'absent'], expected: { kind: 'disown', owners: ['owner-1'] } },
    { given: 'one gone, one nobody can tell of', states: ['unknown', 'absent'], expected: { kind: 'disown', owners: ['owner-1'] } },
    { given: 'one of two owners waiting', states: ['waiting', 'solid'], expected: { kind: 'disown', owners: ['owner-0'] } },
    { given: 'an owner waiting', states: ['waiting'], expected: { kind: 'delete', policy: 'Background' } },
    {
      given: 'an owner waiting, and dependents of its own',
      states: ['waiting'],
      hasDependents: true,
      expected: { kind: 'delete', policy: 'Foreground' },
    },
    {
      given: 'an owner gone, and the wish to orphan',
      states: ['absent'],
      finalizers: ['orphan'],
      expected: { kind: 'delete', policy: 'Orphan' },
    },
    {
      given: 'an owner gone, and the wish to wait',
      states: ['absent'],
      finalizers: ['foregroundDeletion'],
      expected: { kind: 'delete', policy: 'Foreground' },
    },
  ])('given $given, when decided, then as Kubernetes does', ({ states, hasDependents = false, finalizers = [], expected }) => {
    const object = dependent(
      states.map((_, index) => `owner-${index}`),
      finalizers,
    );

    expect(decideCollection(object, ({ uid }) => states[Number(uid.split('-')[1])] ?? 'unknown', hasDependents)).toEqual(expected);
  });
});

describe(disowned, () => {
  it('given the last owner, when disowned, then the list goes too', () => {
    expect(disowned(dependent(['a']), ['a']).metadata).not.toHaveProperty('ownerReferences');
  });

  it('given another owner, when disowned, then it stays', () => {
    expect(disowned(dependent(['a', 'b']), ['a']).metadata.ownerReferences?.map(({ uid }) => uid)).toEqual(['b']);
  });
});
