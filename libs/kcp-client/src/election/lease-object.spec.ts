import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import type { LeaseView } from './election-step.js';
import { leaseObject, LEASES, parseLease, type LeaseClaim } from './lease-object.js';

const NOW = Date.parse('2026-11-23T11:00:00.500Z');
const NOW_TEXT = '2026-11-23T11:00:00.500000Z';
const EARLIER = '2026-11-23T10:00:00.000000Z';

const leaseOf = (spec?: unknown, resourceVersion: string | undefined = '7'): KubeObject => ({
  metadata: { name: 'a', ...(resourceVersion !== '' && { resourceVersion }) },
  ...(spec !== undefined && { spec }),
});
const claim = (change: Partial<LeaseClaim> = {}): LeaseClaim => ({
  namespace: 'default',
  name: 'dep-ctrl',
  holder: 'me',
  durationMs: 15_000,
  nowMs: NOW,
  ...change,
});
const mine: LeaseView = {
  resourceVersion: '7',
  holder: 'me',
  durationMs: 15_000,
  transitions: 3,
  acquireTime: EARLIER,
  renewTime: EARLIER,
};

describe(parseLease, () => {
  const released = { resourceVersion: '7', holder: '', durationMs: 0, transitions: 0 };

  it.each([
    {
      given: 'a whole one',
      spec: { holderIdentity: 'me', leaseDurationSeconds: 15, leaseTransitions: 3, acquireTime: EARLIER, renewTime: NOW_TEXT },
      expected: { ...mine, renewTime: NOW_TEXT },
    },
    { given: 'one that was released', spec: { holderIdentity: '' }, expected: released },
    { given: 'no spec', spec: undefined, expected: released },
    { given: 'a spec that is null', spec: null, expected: released },
    { given: 'a spec that is text', spec: 'text', expected: released },
    {
      given: 'fields of other types',
      spec: { holderIdentity: 7, leaseDurationSeconds: '15', leaseTransitions: '3', acquireTime: 7, renewTime: 7 },
      expected: released,
    },
  ])('given $given, then its holder and its times are read', ({ spec, expected }) => {
    expect(parseLease(leaseOf(spec))).toEqual({ ok: true, value: expected });
  });

  it('given a lease without a version, then it cannot be written later', () => {
    expect(parseLease(leaseOf({}, ''))).toEqual({ ok: false, problem: 'the lease has no resourceVersion' });
  });
});

describe(leaseObject, () => {
  it('given no lease yet, then it is acquired now, and nobody held it before', () => {
    expect(leaseObject(claim(), undefined)).toStrictEqual({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { namespace: 'default', name: 'dep-ctrl' },
      spec: { holderIdentity: 'me', leaseDurationSeconds: 15, acquireTime: NOW_TEXT, renewTime: NOW_TEXT, leaseTransitions: 0 },
    });
  });

  it.each<{ given: string; from: LeaseView; holder?: string; expected: object }>([
    {
      given: 'its own',
      from: mine,
      expected: { holderIdentity: 'me', acquireTime: EARLIER, renewTime: NOW_TEXT, leaseTransitions: 3 },
    },
    {
      given: 'its own, of nobody knows when',
      from: { resourceVersion: '7', holder: 'me', durationMs: 15_000, transitions: 3 },
      expected: { holderIdentity: 'me', acquireTime: NOW_TEXT, renewTime: NOW_TEXT, leaseTransitions: 3 },
    },
    {
      given: 'that of another',
      from: { ...mine, holder: 'other' },
      expected: { holderIdentity: 'me', acquireTime: NOW_TEXT, renewTime: NOW_TEXT, leaseTransitions: 4 },
    },
    {
      given: 'its own, to release it',
      from: mine,
      holder: '',
      expected: { holderIdentity: '', acquireTime: NOW_TEXT, renewTime: NOW_TEXT, leaseTransitions: 3 },
    },
    {
      given: 'its own, renewed in the same millisecond, as a write that changes nothing has no new version',
      from: { ...mine, renewTime: NOW_TEXT },
      expected: { holderIdentity: 'me', acquireTime: EARLIER, renewTime: '2026-11-23T11:00:00.500001Z', leaseTransitions: 3 },
    },
  ])('given $given, then that version is replaced', ({ from, holder = 'me', expected }) => {
    const { metadata, ...rest } = leaseObject(claim({ holder }), from);

    expect(metadata.resourceVersion).toBe('7');
    expect(rest['spec']).toEqual({ leaseDurationSeconds: 15, ...expected });
  });

  it('given annotations, then they are written', () => {
    expect(leaseObject(claim({ annotations: { version: '1' } }), undefined).metadata).toEqual({
      namespace: 'default',
      name: 'dep-ctrl',
      annotations: { version: '1' },
    });
  });

  it.each([
    { durationMs: 10, expected: 1 },
    { durationMs: 0, expected: 1 },
    { durationMs: 1_001, expected: 2 },
  ])('given $durationMs ms, then they are $expected s, as a lease holds whole seconds and at least one', ({ durationMs, expected }) => {
    expect(leaseObject(claim({ durationMs }), undefined)['spec']).toMatchObject({ leaseDurationSeconds: expected });
  });

  it('given a lease as it was written, then it reads as it was meant', () => {
    const written = leaseObject(claim(), mine);

    expect(parseLease(written)).toEqual({ ok: true, value: { ...mine, renewTime: NOW_TEXT } });
    expect(LEASES).toEqual({ group: 'coordination.k8s.io', version: 'v1', resource: 'leases' });
  });
});
