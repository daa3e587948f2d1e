import { describe, expect, it } from '@jest/globals';
import type { KubeObject, WorkspacePath } from '@dep-ctrl/kcp-names';
import { heldByFinalizers, printTeardown, readTeardown, type TeardownExplanation, withNextTry } from './teardown.js';

const teamA = 'root:teams:team-a' as WorkspacePath;
const since = '2026-01-02T03:04:05Z';
const OURS = 'home:dependency-ordered';
const vpcs = { group: 'network.example.com', version: 'v1alpha1', resource: 'vpcs' };

describe(readTeardown, () => {
  it('given a workspace that nobody deletes, then it has no beginning', () => {
    expect(readTeardown({ metadata: { name: 'cluster' } }, teamA)).toEqual({ workspace: teamA, terminators: [] });
  });

  it('given one that is being deleted, then its terminators and the words of kcp are told', () => {
    const conditions = [
      { type: 'WorkspaceContentDeleted', status: 'False', message: 'some resources remain: namespaces. has 1 resource instances' },
    ];
    const logicalCluster: KubeObject = {
      metadata: { name: 'cluster', deletionTimestamp: since },
      status: { conditions, terminators: ['abc:backup'] },
    };

    expect(readTeardown(logicalCluster, teamA)).toEqual({
      workspace: teamA,
      deletingSince: since,
      kcpSays: 'some resources remain: namespaces. has 1 resource instances',
      terminators: ['abc:backup'],
    });
  });

  it('given the terminator of dep-ctrl among them, then it is told which', () => {
    const logicalCluster: KubeObject = { metadata: { name: 'cluster' }, status: { terminators: ['abc:backup', OURS] } };

    expect(readTeardown(logicalCluster, teamA, OURS)).toEqual({ workspace: teamA, terminators: ['abc:backup', OURS], ownTerminator: OURS });
    expect(readTeardown(logicalCluster, teamA, 'other:dependency-ordered').ownTerminator).toBeUndefined();
  });
});

describe(withNextTry, () => {
  const refused = { object: 'vpcs/my-vpc', because: 'refused', message: 'still referenced' } as const;
  const finalizers = { ...refused, because: 'finalizers' } as const;
  const dying = { workspace: teamA, deletingSince: since, terminators: [], held: [refused], cutTypes: [], left: [], ending: [] };
  const inNamespace = { ...refused, namespace: 'prod' } as const;
  const ending = (what: 'namespace' | 'binding', name: string) => ({
    ...dying,
    ending: [{ what, name, since, kcpSays: [] }],
    held: [inNamespace],
  });
  const after = (seconds: number): number => Date.parse(since) + seconds * 1000;

  it.each([
    { given: 'a workspace that nobody deletes', explanation: { ...dying, deletingSince: undefined }, nowMs: after(9), expected: undefined },
    { given: 'nothing refused', explanation: { ...dying, held: [finalizers] }, nowMs: after(9), expected: undefined },
    { given: 'refusals for 9 s', explanation: dying, nowMs: after(9), expected: 9 },
    { given: 'a clock that is behind', explanation: dying, nowMs: after(-5), expected: 1 },
    { given: 'refusals for a day', explanation: dying, nowMs: after(86_400), expected: 1_000 },
    {
      given: 'refusals in a namespace for a day',
      explanation: { ...ending('namespace', 'prod'), deletingSince: undefined },
      nowMs: after(86_400),
      expected: 60,
    },
    { given: 'the same while the workspace goes too', explanation: ending('namespace', 'prod'), nowMs: after(86_400), expected: 60 },
    {
      given: 'refusals in another namespace than the one that goes',
      explanation: { ...ending('namespace', 'test'), deletingSince: undefined },
      nowMs: after(9),
      expected: undefined,
    },
    {
      given: 'a binding that goes, for 9 s',
      explanation: { ...ending('binding', 'vms'), deletingSince: undefined },
      nowMs: after(9),
      expected: 9,
    },
  ])('given $given, then the next try is within $expected s', ({ explanation: { deletingSince, ...rest }, nowMs, expected }) => {
    const explanation = { ...rest, ...(deletingSince !== undefined && { deletingSince }) };

    expect(withNextTry(explanation, nowMs).triesAgainWithinSeconds).toBe(expected);
  });
});

describe(heldByFinalizers, () => {
  it.each([
    { given: 'an object that nobody deletes', metadata: { finalizers: ['a'] }, expected: undefined },
    { given: 'one that goes without finalizers', metadata: { deletionTimestamp: since }, expected: undefined },
    {
      given: 'one that its finalizers keep',
      metadata: { deletionTimestamp: since, finalizers: ['a', 'b'] },
      expected: 'is being deleted and waits for its finalizers a, b',
    },
  ])('given $given, then it is told as that', ({ metadata, expected }) => {
    expect(heldByFinalizers(vpcs, { metadata: { name: 'my-vpc', ...metadata } })?.message).toBe(expected);
  });
});

describe(printTeardown, () => {
  const refused = {
    object: 'vpcs/my-vpc',
    namespace: 'default',
    because: 'refused',
    message: 'cannot delete vpcs/my-vpc: still referenced by VirtualMachine/my-vm',
  } as const;
  const nothing: TeardownExplanation = { workspace: teamA, terminators: [], held: [], cutTypes: [], left: [], ending: [] };
  const patience = 'kcp deletes in no particular order and tries again: what is refused now goes once nothing refers to it any more';

  it.each<{ given: string; explanation: TeardownExplanation; expected: readonly string[] }>([
    { given: 'nothing', explanation: nothing, expected: [`${teamA} is not being deleted, and nothing would hold it`] },
    {
      given: 'an object that would be refused if kcp asks, which may not be read',
      explanation: { ...nothing, held: [{ ...refused, isDoubtful: true }] },
      expected: [
        `${teamA} is not being deleted; if it were, kcp would have to wait for`,
        '  vpcs/my-vpc in namespace default: cannot delete vpcs/my-vpc: still referenced by VirtualMachine/my-vm',
        patience,
        'warning: these credentials may not read whether kcp asks dep-ctrl: until a controller has looked at the rule, a delete may go through',
      ],
    },
    {
      given: 'an object that would be refused',
      explanation: { ...nothing, held: [refused] },
      expected: [
        `${teamA} is not being deleted; if it were, kcp would have to wait for`,
        '  vpcs/my-vpc in namespace default: cannot delete vpcs/my-vpc: still referenced by VirtualMachine/my-vm',
        patience,
      ],
    },
    {
      given: 'a teardown that nothing of ours holds',
      explanation: { ...nothing, deletingSince: since, kcpSays: 'namespaces remain' },
      expected: [
        `${teamA} is being deleted (since ${since}): nothing that dep-ctrl knows of holds it; kcp pauses longer after each of its tries`,
        '  kcp says: namespaces remain',
      ],
    },
    {
      given: 'a teardown that waits',
      explanation: {
        ...nothing,
        deletingSince: since,
        terminators: ['abc:backup'],
        held: [refused],
        cutTypes: ['vpcs.network.example.com'],
      },
      expected: [
        `${teamA} is being deleted (since ${since}) and waits for`,
        '  terminator abc:backup (not of dep-ctrl: the owner of that type must remove it)',
        '  vpcs/my-vpc in namespace default: cannot delete vpcs/my-vpc: still referenced by VirtualMachine/my-vm',
        '  (of vpcs.network.example.com only the first were looked at)',
        patience,
      ],
    },
    {
      given: 'one that carries our terminator, and objects that will go in order',
      explanation: { ...nothing, terminators: [OURS], ownTerminator: OURS, held: [refused] },
      expected: [
        `${teamA} is not being deleted; if it were, kcp would have to wait for`,
        `  terminator ${OURS} (of dep-ctrl: its controller then deletes dependents first)`,
      ],
    },
    {
      given: 'one that dep-ctrl itself holds, with a namespace that ends and refusals for three minutes',
      explanation: {
        ...nothing,
        deletingSince: since,
        terminators: [OURS],
        ownTerminator: OURS,
        held: [refused],
        left: [
          { type: 'vpcs.network.example.com', count: 1, isMore: false },
          { type: 'disks.compute.example.com', count: 0, isMore: false },
          { type: 'virtualmachines.compute.example.com', count: 200, isMore: true },
        ],
        ending: [{ what: 'namespace', name: 'default', since, kcpSays: ['denied'] }],
        triesAgainWithinSeconds: 180,
      },
      expected: [
        `${teamA} is being deleted (since ${since}) and waits for`,
        `  terminator ${OURS} (of dep-ctrl: its controller deletes dependents first, then removes this terminator; if nothing changes, see dep-ctrl doctor)`,
        '  vpcs/my-vpc in namespace default: cannot delete vpcs/my-vpc: still referenced by VirtualMachine/my-vm',
        '  left: vpcs.network.example.com 1, virtualmachines.compute.example.com 200 or more',
        `  namespace default is being deleted (since ${since}); kcp says: denied`,
      ],
    },
  ])('given $given, then it reads well', ({ explanation, expected }) => {
    expect(printTeardown(explanation)).toBe(`${expected.join('\n')}\n`);
  });
});
