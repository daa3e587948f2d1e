import { describe, expect, it } from '@jest/globals';
import type { KubeObject, WorkspacePath } from '@dep-ctrl/kcp-names';
import { unguarded, UNSEEN, type Explanation } from './explanation.js';
import { heldByFinalizers, heldByRules, printTeardown, readTeardown, type TeardownExplanation, withNextTry } from './teardown.js';

const teamA = 'root:teams:team-a' as WorkspacePath;
const since = '2026-01-02T03:04:05Z';
const OURS = 'home:dependency-ordered';
const vpcs = { group: 'network.example.com', version: 'v1alpha1', resource: 'vpcs' };

describe(readTeardown, () => {
  it('given a workspace that nobody deletes, then it has no beginning', () => {
    expect(readTeardown({ metadata: { name: 'cluster' } }, teamA)).toStrictEqual({ workspace: teamA, terminators: [] });
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

  it.each([
    { given: 'a condition of another type', condition: { type: 'Ready', status: 'False', message: 'of another' } },
    { given: 'content that is gone', condition: { type: 'WorkspaceContentDeleted', status: 'True', message: 'all of it' } },
    { given: 'content that nothing is said of', condition: { type: 'WorkspaceContentDeleted', status: 'False', message: '' } },
    { given: 'content without a message', condition: { type: 'WorkspaceContentDeleted', status: 'False' } },
  ])('given $given, then kcp says nothing about the content', ({ condition }) => {
    const logicalCluster: KubeObject = { metadata: { name: 'cluster' }, status: { conditions: [condition] } };

    expect(readTeardown(logicalCluster, teamA)).toStrictEqual({ workspace: teamA, terminators: [] });
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
    {
      given: 'refusals in two namespaces, of which one goes, for 9 s',
      explanation: {
        ...ending('namespace', 'prod'),
        deletingSince: undefined,
        held: [inNamespace, { ...refused, namespace: 'test' }],
      },
      nowMs: after(9),
      expected: 9,
    },
    { given: 'a beginning that is no time', explanation: { ...dying, deletingSince: 'once' }, nowMs: after(9), expected: undefined },
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
    {
      given: 'one that one finalizer keeps',
      metadata: { deletionTimestamp: since, finalizers: ['a'] },
      expected: 'is being deleted and waits for its finalizer a',
    },
  ])('given $given, then it is told as that', ({ metadata, expected }) => {
    expect(heldByFinalizers(vpcs, { metadata: { name: 'my-vpc', ...metadata } })?.message).toBe(expected);
  });

  it.each([
    { given: 'one in a namespace', where: { namespace: 'default' } },
    { given: 'one of the workspace', where: {} },
  ])('given $given, then the object says where it is', ({ where }) => {
    const metadata = { name: 'my-vpc', deletionTimestamp: since, finalizers: ['a'], ...where };

    expect(heldByFinalizers(vpcs, { metadata })).toStrictEqual({
      object: 'vpcs/my-vpc',
      ...where,
      because: 'finalizers',
      message: expect.any(String),
    });
  });
});

describe(heldByRules, () => {
  const allowed = unguarded({ type: vpcs, guardedCluster: undefined, object: { metadata: { name: 'my-vpc' } } }, teamA);
  const refused: Explanation = { ...allowed, allowed: false, because: 'in-use', message: 'still referenced' };
  const held = { object: 'vpcs/my-vpc', because: 'refused', message: 'still referenced' };

  it.each<{ given: string; explanation: Explanation; expected: object | undefined }>([
    { given: 'a delete that would go through', explanation: allowed, expected: undefined },
    { given: 'one that would be refused', explanation: refused, expected: held },
    { given: 'one in a namespace', explanation: { ...refused, namespace: 'default' }, expected: { ...held, namespace: 'default' } },
    { given: 'one that may not be refused', explanation: { ...refused, warnings: [UNSEEN] }, expected: { ...held, isDoubtful: true } },
    {
      given: 'a refusal without a message',
      explanation: { ...allowed, allowed: false },
      expected: { ...held, message: 'a delete would be refused' },
    },
  ])('given $given, then what is held is $expected', ({ explanation, expected }) => {
    expect(heldByRules(explanation)).toStrictEqual(expected);
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
      given: 'objects that hold each other',
      explanation: { ...nothing, deletingSince: since, held: [refused], circle: ['vpcs.x/a in namespace n', 'vms.y/b in namespace n'] },
      expected: [
        `${teamA} is being deleted (since ${since}) and waits for`,
        `  vpcs/my-vpc in namespace default: ${refused.message}`,
        `${patience}, except in a circle`,
        'vpcs.x/a in namespace n, vms.y/b in namespace n refer to each other in a circle, so that none of them goes by itself: change the reference of one, or annotate one with dependencies.opendefense.cloud/skip-protection=true',
      ],
    },
    {
      given: 'more objects in a circle than are named',
      explanation: { ...nothing, held: [refused], circle: ['a', 'b', 'c', 'd', 'e', 'f'] },
      expected: [
        `${teamA} is not being deleted; if it were, kcp would have to wait for`,
        `  vpcs/my-vpc in namespace default: ${refused.message}`,
        `${patience}, except in a circle`,
        'a, b, c, d, e and 1 more refer to each other in a circle, so that none of them goes by itself: change the reference of one, or annotate one with dependencies.opendefense.cloud/skip-protection=true',
      ],
    },
    {
      given: 'objects that hold each other, which the controller will find',
      explanation: { ...nothing, ownTerminator: OURS, held: [refused], circle: ['vpcs.x/a', 'vms.y/b'] },
      expected: [`${teamA} is not being deleted, and nothing would hold it`],
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
    {
      given: 'a workspace of ours that nobody deletes, with an object of the workspace that its finalizers keep',
      explanation: {
        ...nothing,
        terminators: [OURS],
        ownTerminator: OURS,
        held: [{ object: 'vpcs/my-vpc', because: 'finalizers', message: 'waits for its finalizer a' }],
      },
      expected: [
        `${teamA} is not being deleted; if it were, kcp would have to wait for`,
        `  terminator ${OURS} (of dep-ctrl: its controller then deletes dependents first)`,
        '  vpcs/my-vpc: waits for its finalizer a',
      ],
    },
    {
      given: 'a teardown that only finalizers hold, and the terminator of another installation',
      explanation: {
        ...nothing,
        deletingSince: since,
        terminators: ['other:dependency-ordered'],
        held: [{ ...refused, because: 'finalizers', message: 'waits for its finalizer a' }],
      },
      expected: [
        `${teamA} is being deleted (since ${since}) and waits for`,
        '  terminator other:dependency-ordered',
        '  vpcs/my-vpc in namespace default: waits for its finalizer a',
      ],
    },
    {
      given: 'objects of more types than are named',
      explanation: {
        ...nothing,
        deletingSince: since,
        left: Array.from({ length: 12 }, (_, at) => ({ type: `t${String(at)}`, count: 1, isMore: false })),
      },
      expected: [
        `${teamA} is being deleted (since ${since}): nothing that dep-ctrl knows of holds it; kcp pauses longer after each of its tries`,
        '  left: t0 1, t1 1, t2 1, t3 1, t4 1, t5 1, t6 1, t7 1, t8 1, t9 1 and 2 more',
      ],
    },
    ...(
      [
        [119, '119 s'],
        [120, '2 min'],
        [121, '3 min'],
      ] as const
    ).map(([triesAgainWithinSeconds, within]) => ({
      given: `a next try within ${within}`,
      explanation: { ...nothing, deletingSince: since, held: [refused], triesAgainWithinSeconds },
      expected: [
        `${teamA} is being deleted (since ${since}) and waits for`,
        `  vpcs/my-vpc in namespace default: ${refused.message}`,
        `${patience}; it pauses longer after each refusal: its next try comes within about ${within}`,
      ],
    })),
  ])('given $given, then it reads well', ({ explanation, expected }) => {
    expect(printTeardown(explanation)).toBe(`${expected.join('\n')}\n`);
  });
});
