import { describe, expect, it } from '@jest/globals';
import type { LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';
import { atOnce } from '@dep-ctrl/fair-shares';
import { parseReview, type ParsedReview } from '../webhook/decision/admission-review.js';
import { printExplanation, reviewOf, unguarded, withCheck, withContent, withUnready, type Explanation } from './explanation.js';
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
    const { body, mode } = reviewOf({ type, guardedCluster: cluster('net'), object: vpc() });

    expect(mode).toBe('enforcing');
    expect(parsed(body)).toMatchObject({
      kind: 'deletion',
      request: { subject: { cluster: 'abc', group: type.group, resource: 'vpcs', namespace: 'default', name: 'my-vpc', uid: 'u' } },
    });
  });

  it('given the annotation that lifts the protection, then the review goes where kcp would send it', () => {
    const object = vpc({ 'dependencies.opendefense.cloud/skip-protection': 'true' });

    expect(reviewOf({ type, guardedCluster: cluster('net'), object }).mode).toBe('bypass');
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
    expect(inTeam('tenancy.kcp.io', 'workspaces').warnings).toEqual([]);
    const found = {
      type: { group: '', version: 'v1', resource: 'namespaces' },
      guardedCluster: undefined,
      object: { metadata: { name: 'x' } },
    };
    const refused = { ...unguarded(found, 'root:team' as WorkspacePath), allowed: false };
    expect(withContent(refused, found)).toBe(refused);
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

    expect(printExplanation({ ...explanation, allowed: false, because: 'in-use', message: 'cannot delete it', blockers: [blocker] })).toBe(
      [
        'vpcs/my-vpc in root:teams:team-a, namespace default: a delete would be refused',
        '  cannot delete it',
        '  rule root:compute/vms (Deny): VirtualMachine/my-vm .spec.vpcRef.name, which is being deleted',
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
