import { describe, expect, it } from '@jest/globals';
import { entriesOf, planRemoval, waitsFor } from './held-entry.js';
import { logicalCluster } from './spec-support/seen.js';

describe(waitsFor, () => {
  it.each([
    { given: 'a dying workspace that lists it', lists: { terminators: ['a', 'own'] }, dying: true, kind: 'terminating', waits: true },
    { given: 'a living workspace that lists it', lists: { terminators: ['own'] }, dying: false, kind: 'terminating', waits: false },
    { given: 'a dying workspace that lists others', lists: { terminators: ['a'] }, dying: true, kind: 'terminating', waits: false },
    { given: 'a dying workspace without a list', lists: {}, dying: true, kind: 'terminating', waits: false },
    { given: 'the entry in the other list', lists: { initializers: ['own'] }, dying: true, kind: 'terminating', waits: false },
    { given: 'one that is being prepared', lists: { initializers: ['own'] }, dying: false, kind: 'initializing', waits: true },
    {
      given: 'one that is deleted while it is prepared',
      lists: { initializers: ['own'] },
      dying: true,
      kind: 'initializing',
      waits: false,
    },
  ] as const)('given $given, then it waits: $waits', ({ lists, dying, kind, waits }) => {
    expect(waitsFor(logicalCluster('c', lists, { dying }).object, { kind, entry: 'own', namesPermissions: false })).toBe(waits);
  });

  it.each([
    { given: 'permissions, right after the delete', phase: 'Ready', namesPermissions: true, waits: false },
    { given: 'permissions, once kcp says so', phase: 'Terminating', namesPermissions: true, waits: true },
    { given: 'permissions, while other terminators are gone', phase: 'Deleting', namesPermissions: true, waits: true },
    { given: 'no permissions, as kcp 0.31 leaves the phase', phase: 'Ready', namesPermissions: false, waits: true },
    { given: 'no phase at all', phase: undefined, namesPermissions: true, waits: true },
  ])('given a dying workspace, $given, then it waits: $waits', ({ phase, namesPermissions, waits }) => {
    const { object } = logicalCluster('c', { terminators: ['own'], phase });

    expect(waitsFor(object, { kind: 'terminating', entry: 'own', namesPermissions })).toBe(waits);
  });

  it('given one that is being prepared, then its phase does not matter', () => {
    const { object } = logicalCluster('c', { initializers: ['own'], phase: 'Ready' }, { dying: false });

    expect(waitsFor(object, { kind: 'initializing', entry: 'own', namesPermissions: true })).toBe(true);
  });
});

describe(entriesOf, () => {
  it.each([{ status: undefined }, { status: 'x' }, { status: { terminators: 'x' } }, { status: { terminators: [7, null] } }])(
    'given $status, then there are no entries',
    ({ status }) => expect(entriesOf({ metadata: {}, status }, 'terminating')).toEqual([]),
  );
});

describe(planRemoval, () => {
  it.each([
    { given: 'the own entry alone', entries: ['own'], index: 0 },
    { given: 'others before and behind it', entries: ['a', 'own', 'b'], index: 1 },
    { given: 'an entry that begins alike', entries: ['own-2', 'own'], index: 1 },
  ])('given $given, then a patch removes that position, if the own entry is there', ({ entries, index }) => {
    const path = `/status/terminators/${index}`;

    expect(planRemoval(entries, 'terminating', 'own')).toEqual({
      kind: 'remove',
      patch: [
        { op: 'test', path, value: 'own' },
        { op: 'remove', path },
      ],
    });
  });

  it.each([{ entries: [] }, { entries: ['a'] }, { entries: ['own-2'] }])('given $entries, then nothing is written', ({ entries }) => {
    expect(planRemoval(entries, 'initializing', 'own')).toEqual({ kind: 'absent' });
  });
});
