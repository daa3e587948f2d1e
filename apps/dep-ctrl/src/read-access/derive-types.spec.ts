import { describe, expect, it } from '@jest/globals';
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import { deriveFrom } from './derive-types.js';

const VMS = { group: 'b.io', resource: 'vms' };
const NETS = { group: 'b.io', resource: 'nets' };
const one = 'one' as LogicalClusterName;
const two = 'two' as LogicalClusterName;

describe(deriveFrom, () => {
  it('given providers with a type in common, then it is there once, and all were read', () => {
    expect(
      deriveFrom({
        providers: new Map([
          [one, [VMS]],
          [two, [VMS, NETS]],
        ]),
        unread: [],
      }),
    ).toEqual({
      types: [NETS, VMS],
      isWhole: true,
      notes: [],
    });
  });

  it('given a provider that does not answer, then the list is not whole, and a note says what that means', () => {
    const { isWhole, notes } = deriveFrom({ providers: new Map([[one, [VMS]]]), unread: ['what logical cluster two exports: no answer'] });

    expect(isWhole).toBe(false);
    expect(notes).toEqual([
      'not read: what logical cluster two exports: no answer; nothing that the webhook may read already was taken away: run bootstrap again once this can be read',
    ]);
  });

  it('given a provider that exports more than there is room for, then a note says whose types are missing', () => {
    const many = Array.from({ length: 40 }, (_, index) => ({ group: 'b.io', resource: `r${index}` }));

    const { types, isWhole, notes } = deriveFrom(
      {
        providers: new Map([
          [one, [VMS]],
          [two, many],
        ]),
        unread: [],
      },
      1_000,
    );

    expect(types).toContainEqual(VMS);
    expect(isWhole).toBe(true);
    expect(notes).toEqual([
      `${String(41 - types.length)} types that logical cluster two exports found no room in the ClusterRole: deletes that a rule about one of them guards are refused, unless bootstrap runs with --read-access wildcard`,
    ]);
  });
});
