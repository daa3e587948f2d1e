import { describe, expect, it } from '@jest/globals';
import { accessAfterBind, accessAfterBootstrap, type Derived } from './next-access.js';
import type { ReadAccess } from './read-rules.js';

const VMS = { group: 'b.io', resource: 'vms' };
const NETS = { group: 'b.io', resource: 'nets' };
const DISKS = { group: 'a.io', resource: 'disks' };
const WILDCARD: ReadAccess = { kind: 'wildcard' };
const listed = (...types: readonly (typeof VMS)[]): ReadAccess => ({ kind: 'listed', types });

describe(accessAfterBootstrap, () => {
  it.each<{ given: string; now: ReadAccess | undefined; derived: Partial<Derived>; expected: ReadAccess }>([
    { given: 'a new ClusterRole, then it lists what is bound', now: undefined, derived: { types: [VMS] }, expected: listed(VMS) },
    { given: 'the wildcard asked for, then everything', now: listed(VMS), derived: { wanted: 'wildcard' }, expected: WILDCARD },
    {
      given: 'a wildcard of an earlier version, then a list',
      now: WILDCARD,
      derived: { types: [VMS], first: WILDCARD },
      expected: listed(VMS),
    },
    {
      given: 'a wildcard and a provider that does not answer, then it stays: nobody knows what that provider exports',
      now: WILDCARD,
      derived: { types: [VMS], isWhole: false, first: WILDCARD },
      expected: WILDCARD,
    },
    {
      given: 'a type that no bound provider exports any more, then it goes',
      now: listed(VMS, NETS),
      derived: { types: [VMS], first: listed(VMS, NETS) },
      expected: listed(VMS),
    },
    {
      given: 'the same with a provider that does not answer, then it stays: it may be of that provider',
      now: listed(VMS, NETS),
      derived: { types: [DISKS], isWhole: false, first: listed(VMS, NETS) },
      expected: listed(DISKS, NETS, VMS),
    },
    {
      given: 'a type that bind added while the providers were read, then it stays',
      now: listed(VMS, NETS),
      derived: { types: [VMS], first: listed(VMS) },
      expected: listed(NETS, VMS),
    },
    {
      given: 'a list that somebody made of the wildcard while the providers were read, then it stays and grows',
      now: listed(NETS),
      derived: { types: [VMS], first: WILDCARD },
      expected: listed(NETS, VMS),
    },
  ])('given $given', ({ now, derived, expected }) => {
    expect(accessAfterBootstrap(now, { wanted: 'listed', types: [], isWhole: true, first: undefined, ...derived })).toEqual(expected);
  });
});

describe(accessAfterBind, () => {
  it.each<{ given: string; now: ReadAccess | undefined; expected: ReadAccess | undefined }>([
    { given: 'a list, then it grows', now: listed(VMS), expected: listed(DISKS, NETS, VMS) },
    { given: 'a list that has the types already, then it stays as it is', now: listed(DISKS, NETS), expected: listed(DISKS, NETS) },
    { given: 'the wildcard, then there is nothing to write', now: WILDCARD, expected: undefined },
    { given: 'no ClusterRole, then none is made: nobody would be bound to it', now: undefined, expected: undefined },
  ])('given $given', ({ now, expected }) => {
    expect(accessAfterBind(now, [NETS, DISKS])).toEqual(expected);
  });
});
