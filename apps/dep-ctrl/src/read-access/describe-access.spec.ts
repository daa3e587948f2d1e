import { describe, expect, it } from '@jest/globals';
import { printAccess, reportAccess, type AccessReport } from './describe-access.js';
import type { ReadAccess } from './read-rules.js';

const VMS = { group: 'b.io', resource: 'vms' };
const NETS = { group: 'b.io', resource: 'nets' };
const DISKS = { group: 'a.io', resource: 'disks' };
const listed = (...types: readonly (typeof VMS)[]): ReadAccess => ({ kind: 'listed', types });
const WILDCARD: ReadAccess = { kind: 'wildcard' };

describe(reportAccess, () => {
  it.each<{ given: string; before: ReadAccess | undefined; after: ReadAccess | undefined; expected: Omit<AccessReport, 'where'> }>([
    {
      given: 'a list, then its types are counted by group, and the change is named',
      before: listed(NETS),
      after: listed(DISKS, VMS),
      expected: {
        access: 'listed',
        groups: { 'a.io': 1, 'b.io': 1 },
        added: ['disks.a.io', 'vms.b.io'],
        removed: ['nets.b.io'],
        wasWildcard: false,
      },
    },
    {
      given: 'a list that becomes the wildcard, then no type is removed: all may be read',
      before: listed(VMS),
      after: WILDCARD,
      expected: { access: 'wildcard', groups: {}, added: [], removed: [], wasWildcard: false },
    },
    {
      given: 'a wildcard that becomes a list, then no type is added: all could be read',
      before: WILDCARD,
      after: listed(VMS),
      expected: { access: 'listed', groups: { 'b.io': 1 }, added: [], removed: [], wasWildcard: true },
    },
    {
      given: 'no ClusterRole, then no type is listed',
      before: undefined,
      after: undefined,
      expected: { access: 'listed', groups: {}, added: [], removed: [], wasWildcard: false },
    },
  ])('given $given', ({ before, after, expected }) => {
    expect(reportAccess('shard', { before, after })).toEqual({ where: 'shard', ...expected });
  });
});

describe(printAccess, () => {
  it.each<{ given: string; before: ReadAccess | undefined; after: ReadAccess; expected: string }>([
    { given: 'nothing bound', before: undefined, after: listed(), expected: 'the webhook may read no types of providers yet' },
    { given: 'one type that was there', before: listed(VMS), after: listed(VMS), expected: 'the webhook may read 1 type (b.io 1)' },
    {
      given: 'types that are new',
      before: listed(VMS),
      after: listed(DISKS, NETS, VMS),
      expected: 'the webhook may read 3 types (a.io 1, b.io 2); added disks.a.io, nets.b.io',
    },
    {
      given: 'a type that goes',
      before: listed(NETS, VMS),
      after: listed(VMS),
      expected: 'the webhook may read 1 type (b.io 1); removed nets.b.io, which no bound provider exports',
    },
    {
      given: 'a wildcard that becomes a list',
      before: WILDCARD,
      after: listed(VMS),
      expected:
        'the webhook may read 1 type (b.io 1); it could read everything before, and can again after bootstrap with --read-access wildcard',
    },
    { given: 'the wildcard', before: listed(VMS), after: WILDCARD, expected: 'the webhook may read everything (--read-access wildcard)' },
    {
      given: 'more new types than fit into a line',
      before: listed(),
      after: listed(...Array.from({ length: 12 }, (_, index) => ({ group: 'c.io', resource: `r${index}` }))),
      expected: `the webhook may read 12 types (c.io 12); added ${Array.from({ length: 10 }, (_, index) => `r${index}.c.io`).join(', ')} and 2 more`,
    },
  ])('given $given, then the line says so', ({ before, after, expected }) => {
    expect(printAccess(reportAccess('system:admin (a.kubeconfig)', { before, after }))).toBe(`system:admin (a.kubeconfig): ${expected}`);
  });
});
