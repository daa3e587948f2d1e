import { describe, expect, it } from '@jest/globals';
import type { LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';
import { atOnce } from '@dep-ctrl/fair-shares';
import { parseReview, type ParsedReview } from '../webhook/decision/admission-review.js';
import type { DecidedReview } from '../webhook/decision/review-observer.js';
import type { Blocker, Decision } from '../webhook/decision/decide-deletion.js';
import { dependent, person, rule, subject, VM } from '../webhook/testing/builders.js';
import {
  explanationOf,
  printExplanation,
  reviewOf,
  unguarded,
  UNSEEN,
  withCheck,
  withConfiguration,
  withContent,
  withUnready,
  type Explanation,
} from './explanation.js';
import { chooseType } from './find-subject.js';

const cluster = (name: string) => name as LogicalClusterName;
const vpc = (annotations: Record<string, string> = {}) => ({
  apiVersion: 'network.example.com/v1alpha1',
  kind: 'VPC',
  metadata: { name: 'my-vpc', namespace: 'default', uid: 'u', annotations: { 'kcp.io/cluster': 'abc', ...annotations } },
});
const type = { group: 'network.example.com', version: 'v1alpha1', resource: 'vpcs' };

describe(reviewOf, () => {
  it('given an object, then the review is one that the webhook reads as its deletion', () => {
    const { body, mode } = reviewOf({ type, guardedCluster: cluster('net'), object: vpc() }, 'yes');

    expect(mode).toBe('enforcing');
    expect(parsed(body)).toMatchObject({
      kind: 'deletion',
      request: { subject: { cluster: 'abc', group: type.group, resource: 'vpcs', namespace: 'default', name: 'my-vpc', uid: 'u' } },
    });
  });

  it('given the annotation that lifts the protection, then the review goes where kcp would send it', () => {
    const object = vpc({ 'dependencies.opendefense.cloud/skip-protection': 'true' });

    expect(reviewOf({ type, guardedCluster: cluster('net'), object }, 'yes').mode).toBe('bypass');
  });

  it('given a configuration that was handed over, then the review goes where its URL leads', () => {
    expect(reviewOf({ type, guardedCluster: cluster('net'), object: vpc() }, 'handed-over').mode).toBe('handed-over');
  });

  it.each([
    { given: 'an object', object: vpc(), kind: 'VPC' },
    { given: 'one without a kind and without annotations', object: { metadata: { name: 'my-vpc', namespace: 'default' } }, kind: '' },
  ])('given $given, then the review is a dry run of its delete, as kcp posts one', ({ object, kind }) => {
    const { body, mode } = reviewOf({ type, guardedCluster: cluster('net'), object }, 'yes');

    expect(mode).toBe('enforcing');
    expect(JSON.parse(new TextDecoder().decode(body))).toEqual({
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      request: {
        uid: 'explain',
        operation: 'DELETE',
        kind: { group: 'network.example.com', version: 'v1alpha1', kind },
        resource: { group: 'network.example.com', version: 'v1alpha1', resource: 'vpcs' },
        name: 'my-vpc',
        namespace: 'default',
        userInfo: { username: 'dep-ctrl-explain' },
        object: null,
        oldObject: object,
        dryRun: true,
      },
    });
  });
});

describe(explanationOf, () => {
  const team = 'root:team' as WorkspacePath;
  const envelope = { apiVersion: 'admission.k8s.io/v1', uid: 'explain' };
  const nothing = { blockers: [], doubts: [], isComplete: true };
  const allowing = { allowed: true, warnings: ['w'], audit: {} } as const;
  const refusing = { allowed: false, status: { code: 403, reason: 'Forbidden', message: 'no' }, warnings: [], audit: {} } as const;
  const target = { guardedCluster: cluster('net'), token: undefined, mode: 'enforcing', timeoutMs: 1_000 } as const;
  const reviewed = (decision: Decision, answer: DecidedReview['answer'], about = subject()): DecidedReview => ({
    ...{ target, decision, answer, durationMs: 1 },
    review: { kind: 'deletion', envelope, request: { subject: about, caller: person, isDryRun: true } },
  });
  const blocker = (name: string, change: Partial<Blocker> = {}): Blocker => ({
    ...{ rule: rule(), type: VM, fieldPath: '.spec.vpcRef.name', dependent: dependent(name) },
    ...change,
  });
  const namesOf = (decision: Decision) => explanationOf(reviewed(decision, refusing), team).blockers.map(({ name }) => name);

  it('given a delete that goes through, then what was decided is told, without a message', () => {
    const decision: Decision = { verdict: 'allow', because: 'no-dependents', tolerated: nothing };

    expect(explanationOf(reviewed(decision, allowing), team)).toStrictEqual({
      ...{ workspace: team, object: 'vpcs/my-vpc', namespace: 'default', allowed: true, because: 'no-dependents' },
      ...{ warnings: ['w'], blockers: [] },
    });
  });

  it('given a refusal about an object without a namespace, then the message is told, and no namespace', () => {
    const { namespace: _, ...scoped } = subject();
    const decision: Decision = { verdict: 'deny', because: 'rules-unknown' };

    expect(explanationOf(reviewed(decision, refusing, scoped), team)).toStrictEqual({
      ...{ workspace: team, object: 'vpcs/my-vpc', allowed: false, because: 'rules-unknown', message: 'no', warnings: [], blockers: [] },
    });
  });

  it('given a review that is no deletion, then no object is named', () => {
    const review: DecidedReview['review'] = { kind: 'other-operation', envelope };
    const decided: DecidedReview = { ...reviewed({ verdict: 'allow', because: 'not-a-deletion' }, allowing), review };

    expect(explanationOf(decided, team)).toStrictEqual({
      ...{ workspace: team, object: '', allowed: true, because: 'not-a-deletion', warnings: ['w'], blockers: [] },
    });
  });

  it('given blockers and what is tolerated, then both are told', () => {
    const tolerated = { ...nothing, blockers: [blocker('warned')] };
    const [doubt] = [{ ...blocker('x'), failure: { code: 'timeout', lasting: false } }] as const;

    expect(namesOf({ verdict: 'deny', because: 'in-use', blockers: [blocker('a')], isComplete: true, tolerated })).toEqual(['a', 'warned']);
    expect(namesOf({ verdict: 'allow', because: 'owner-waits', owners: [blocker('b')], tolerated })).toEqual(['b', 'warned']);
    expect(namesOf({ verdict: 'deny', because: 'cannot-tell', doubts: [doubt], tolerated })).toEqual(['warned']);
    expect(namesOf({ verdict: 'deny', because: 'rules-unknown' })).toEqual([]);
  });

  it.each([
    {
      given: 'one in a namespace, of a rule whose path is known',
      change: { rule: { ...rule(), path: 'root:compute' as WorkspacePath } },
      expected: { rule: 'root:compute/vm-dependencies', namespace: 'default', name: 'my-vm', isTerminating: false },
    },
    {
      given: 'one without a namespace that is being deleted, of a rule whose path is not known',
      change: { dependent: { name: 'my-vm', uid: 'u', isTerminating: true } },
      expected: { rule: 'compute/vm-dependencies', name: 'my-vm', isTerminating: true },
    },
  ])('given a blocker, $given, then it is told as people name it', ({ change, expected }) => {
    const blockers = [blocker('my-vm', change)] as const;
    const decision: Decision = { verdict: 'deny', because: 'in-use', blockers, isComplete: true, tolerated: nothing };

    expect(explanationOf(reviewed(decision, refusing), team).blockers).toStrictEqual([
      {
        ...{ enforcement: 'Deny', type: 'virtualmachines.compute.example.com', kind: 'VirtualMachine', fieldPath: '.spec.vpcRef.name' },
        ...expected,
      },
    ]);
  });
});

describe(withUnready, () => {
  const blocker = (rule: string, enforcement = 'Deny') => ({
    ...{ rule, enforcement, type: 'vms', kind: 'VM', name: 'a', fieldPath: '.spec.vpc', isTerminating: false },
  });
  const refused = (...blockers: Explanation['blockers']): Explanation => ({
    ...{ workspace: 'root:team', object: 'vpcs/a', allowed: false, because: 'in-use', message: 'no', warnings: [], blockers },
  });
  const idle = {
    rule: 'root:compute/idle',
    isSeen: true,
    isNotInstalled: true,
    text: 'rule root:compute/idle is not ready (NotBound): it has left',
  };
  const wrong = {
    rule: 'root:compute/wrong',
    isSeen: true,
    isNotInstalled: false,
    text: 'rule root:compute/wrong is not ready (FieldNotFound): no',
  };

  it.each([
    { given: 'nothing but a rule that is not installed', blockers: [blocker(idle.rule)], allowed: true },
    {
      given: 'one that is not installed and one that warns',
      blockers: [blocker(idle.rule), blocker('root:compute/w', 'Warn')],
      allowed: true,
    },
    { given: 'one that is not installed and one that is', blockers: [blocker(idle.rule), blocker('root:compute/vms')], allowed: false },
    { given: 'one that is installed and not ready', blockers: [blocker(wrong.rule)], allowed: false },
  ])('given $given stands against a delete, then allowed is $allowed', ({ blockers, allowed }) => {
    const explanation = withUnready(refused(...blockers), [idle, wrong], 'unknown');

    expect(explanation).toMatchObject({ allowed, because: allowed ? 'not-installed' : 'in-use', unready: [idle.text, wrong.text] });
    expect(explanation.message).toBe(allowed ? undefined : 'no');
  });

  it('given a lookup that failed, then a rule that is not installed changes nothing', () => {
    expect(withUnready({ ...refused(), because: 'cannot-tell' }, [idle], 'unknown').allowed).toBe(false);
  });

  it.each([
    { because: 'in-use', asked: 'no', expected: 'not-installed' },
    { because: 'cannot-tell', asked: 'no', expected: 'not-asked' },
    { because: 'in-use', asked: 'yes', expected: 'in-use' },
    { because: 'cannot-tell', asked: 'yes', expected: 'cannot-tell' },
    { because: 'in-use', asked: 'handed-over', expected: 'in-use' },
  ] as const)('given a refusal ($because) and a configuration that is there: $asked, then the statuses decide nothing', (row) => {
    const explanation = withUnready({ ...refused(blocker(idle.rule)), because: row.because }, [idle], row.asked);

    expect(explanation).toMatchObject({ allowed: row.asked === 'no', because: row.expected, unready: [idle.text] });
  });

  it('given a rule without a status, then that is told of a refusal, and of nothing that is known to be right', () => {
    const unseen = { ...idle, isSeen: false, isNotInstalled: false };

    const told = (['yes', 'no', 'unknown'] as const).map((asked) => withUnready(refused(blocker(idle.rule)), [unseen], asked));

    expect(told.map(({ allowed, unready, warnings }) => [allowed, unready, warnings.length])).toEqual([
      [false, undefined, 0],
      [true, [unseen.text], 0],
      [false, [unseen.text], 1],
    ]);
  });

  it('given a refusal that only may be asked about, and rules of which one has no status, then it is said that a delete may go through', () => {
    const unseen = { ...idle, isSeen: false, isNotInstalled: false };
    const warned = (...rules: readonly (typeof idle)[]) => withUnready(refused(blocker('root:compute/vms')), rules, 'unknown').warnings;

    expect([warned(wrong), warned(wrong, unseen)]).toEqual([[], [UNSEEN]]);
  });

  it('given rules that are all ready, then nothing is added', () => {
    expect(withUnready(refused(), [], 'unknown')).toEqual(refused());
  });
});

describe(withCheck, () => {
  const found = { type, guardedCluster: cluster('net'), object: vpc() };
  const server = { baseUrl: 'https://kcp:6443', flags: ['--kubeconfig', 'admin.kubeconfig'] };
  const allowed = (because: Explanation['because']): Explanation => ({
    ...{ workspace: 'root:team', object: 'vpcs/my-vpc', namespace: 'default', allowed: true, because, warnings: [], blockers: [] },
  });

  it.each(['no-dependents', 'tolerated', 'owner-waits'] as const)(
    'given a delete that the rules let go (%s), then there is the command that asks kcp, which alone knows whether it reaches dep-ctrl',
    (because) => {
      expect(withCheck(allowed(because), found, server).check).toBe(
        'kubectl --kubeconfig admin.kubeconfig --server https://kcp:6443/clusters/root:team delete vpcs.network.example.com my-vpc -n default --dry-run=server',
      );
    },
  );

  it('given an object without a namespace and a kubeconfig from the environment, then the command names neither', () => {
    const { namespace: _, ...explanation } = allowed('no-dependents');

    expect(withCheck(explanation, found, { ...server, flags: [] }).check).toBe(
      'kubectl --server https://kcp:6443/clusters/root:team delete vpcs.network.example.com my-vpc --dry-run=server',
    );
  });

  it('given a type that kcp still asks about, then that is a warning, and the command asks kcp', () => {
    const explanation = withConfiguration({ ...allowed('not-guarded'), warnings: ['before'] });

    expect(explanation).toEqual({ ...allowed('not-guarded'), warnings: ['before', expect.stringContaining('kcp still asks dep-ctrl')] });
    expect(withCheck(explanation, found, server).check).toMatch(/^kubectl .* --dry-run=server$/);
  });

  it.each([
    { given: 'a refusal', explanation: { ...allowed('in-use'), allowed: false } },
    { given: 'a type that no rule guards', explanation: allowed('not-guarded') },
    { given: 'a type that kcp does not ask about', explanation: allowed('not-installed') },
    { given: 'the annotation, which kcp honours by itself', explanation: allowed('bypassed') },
  ])('given $given, then there is nothing to ask', ({ explanation }) => {
    expect(withCheck(explanation, found, server)).toBe(explanation);
  });
});

describe(withContent, () => {
  const inTeam = (group: string, resource: string, rest = {}) => {
    const found = { type: { group, version: 'v1', resource }, guardedCluster: undefined, object: { metadata: { name: 'stage' }, ...rest } };
    return withContent(unguarded(found, 'root:team' as WorkspacePath), found);
  };

  it('given a namespace, then what its end may wait for is said, with the command that names it', () => {
    expect(printExplanation(inTeam('', 'namespaces'))).toBe(
      [
        'namespaces/stage in root:team: a delete would go through (no rule guards its type)',
        '  warning: kcp then deletes what is in it one by one, and what is still referenced is held: dep-ctrl explain --workspace root:team names it',
        '',
      ].join('\n'),
    );
  });

  it('given a binding or a workspace, then the command looks where its objects are', () => {
    expect(inTeam('apis.kcp.io', 'apibindings').warnings).toEqual([expect.stringContaining(' --workspace root:team names it')]);
    expect(inTeam('tenancy.kcp.io', 'workspaces', { spec: { cluster: '2abc' } }).warnings).toEqual([
      expect.stringContaining(' --workspace 2abc names it'),
    ]);
  });

  it('given another type of kcp itself, a workspace that is not made yet, or a delete that is refused, then there is no warning', () => {
    expect(inTeam('', 'configmaps').warnings).toEqual([]);
    for (const spec of [undefined, {}, { cluster: '' }, { cluster: 7 }])
      expect(inTeam('tenancy.kcp.io', 'workspaces', { spec }).warnings).toEqual([]);
    const found = {
      type: { group: '', version: 'v1', resource: 'namespaces' },
      guardedCluster: undefined,
      object: { metadata: { name: 'x' } },
    };
    const refused = { ...unguarded(found, 'root:team' as WorkspacePath), allowed: false };
    expect(withContent(refused, found)).toBe(refused);
  });
});

describe(unguarded, () => {
  it.each([
    { given: 'an object in a namespace', where: { namespace: 'default' } },
    { given: 'one of the workspace', where: {} },
  ])('given $given, then no rule guards it', ({ where }) => {
    const found = { type, guardedCluster: undefined, object: { metadata: { name: 'my-vpc', ...where } } };

    expect(unguarded(found, 'root:team' as WorkspacePath)).toStrictEqual({
      ...{ workspace: 'root:team', object: 'vpcs/my-vpc', ...where, allowed: true, because: 'not-guarded', warnings: [], blockers: [] },
    });
  });
});

describe(printExplanation, () => {
  const explanation: Explanation = {
    workspace: 'root:teams:team-a',
    object: 'vpcs/my-vpc',
    namespace: 'default',
    allowed: true,
    because: 'no-dependents',
    warnings: [],
    blockers: [],
  };

  it('given nobody who refers to it, then one line says so', () => {
    expect(printExplanation(explanation)).toBe(
      'vpcs/my-vpc in root:teams:team-a, namespace default: a delete would go through (nothing refers to it)\n',
    );
  });

  it.each([
    ...(['not-installed', 'not-asked', 'bypassed', 'terminating'] as const),
    ...(['not-guarded', 'no-dependents', 'owner-waits', 'tolerated'] as const),
  ])('given a delete that goes through (%s), then the reason is told in words', (because) => {
    expect(printExplanation({ ...explanation, because })).toMatch(/ go through \((?:\S+ ){2,}\S+\)\n$/);
  });

  it('given a reason without words, then its name stands there', () => {
    expect(printExplanation({ ...explanation, because: 'in-doubt' })).toMatch(/ go through \(in-doubt\)\n$/);
  });

  it('given a command that asks kcp, then it is the last line', () => {
    expect(printExplanation({ ...explanation, unready: ['rule a is not ready'], check: 'kubectl delete' })).toBe(
      [
        'vpcs/my-vpc in root:teams:team-a, namespace default: a delete would go through (nothing refers to it)',
        '  but rule a is not ready',
        '  this is the answer of dep-ctrl; to see that of kcp, run: kubectl delete',
        '',
      ].join('\n'),
    );
  });

  it('given a blocker, then the answer of the delete and the rule are told', () => {
    const blocker = {
      rule: 'root:compute/vms',
      enforcement: 'Deny',
      type: 'virtualmachines.compute.example.com',
      kind: 'VirtualMachine',
      name: 'my-vm',
      fieldPath: '.spec.vpcRef.name',
      isTerminating: true,
    };

    const other = { ...blocker, namespace: 'default', isTerminating: false };
    const refused = { ...explanation, allowed: false, because: 'in-use', message: 'cannot delete it' } as const;

    expect(printExplanation({ ...refused, blockers: [blocker, other] })).toBe(
      [
        'vpcs/my-vpc in root:teams:team-a, namespace default: a delete would be refused',
        '  cannot delete it',
        '  rule root:compute/vms (Deny): VirtualMachine/my-vm .spec.vpcRef.name, which is being deleted',
        '  rule root:compute/vms (Deny): VirtualMachine/default/my-vm .spec.vpcRef.name',
        '',
      ].join('\n'),
    );
  });
});

describe(chooseType, () => {
  const types = [
    { group: 'network.example.com', resource: 'vpcs' },
    { group: 'other.example.com', resource: 'vpcs' },
    { group: 'compute.example.com', resource: 'vms' },
  ];
  const query = (resource: string, group?: string) => ({
    resource,
    name: 'x',
    namespace: 'default',
    ...(group === undefined ? {} : { group }),
  });
  const choose = (asked: ReturnType<typeof query>) => chooseType(types, asked, ({ resource }) => resource === asked.resource);

  it('given one type of that name, or the group, then it is that; given none, then none', () => {
    expect(choose(query('vms'))).toBe(types[2]);
    expect(choose(query('vpcs', 'other.example.com'))).toBe(types[1]);
    expect(choose(query('vpcx'))).toBeUndefined();
  });

  it('given several, then it asks for the group', () => {
    expect(() => choose(query('vpcs'))).toThrow(
      'RESOURCE must say which group it means: vpcs.network.example.com or vpcs.other.example.com',
    );
  });
});

function parsed(body: Uint8Array): ParsedReview {
  return atOnce(parseReview(body));
}
