import { describe, expect, it } from '@jest/globals';
import type { RuleTarget } from '@dep-ctrl/rule-registry';
import type { RuleView } from '../installation/rule-views.js';
import { broken, met, type DoctorFacts } from './precondition.js';
import type { Probes } from './probes/probes.js';
import { judge, kubectlIn, type Row } from './spec-support/judge.js';
import { binding, clusterNamed, facts, installation, NOW_MS, read, ready, server, shard } from './spec-support/whole-facts.js';

const WORKSPACE = 'root:providers:compute';
const WHERE = `rule ${WORKSPACE}/vm-dependencies`;
const READYZ = "curl -s 'http://HOST:8081/readyz?verbose'";
const EDIT = kubectlIn(WORKSPACE, 'edit dependencyrules.dependencies.opendefense.cloud vm-dependencies');

/** Facts with one rule, which is in force unless `changes` say otherwise. */
const rule = (changes: Partial<RuleView> = {}, others: DoctorFacts = facts()): DoctorFacts => {
  const whole: RuleView = {
    cluster: clusterNamed('compute'),
    workspace: WORKSPACE,
    name: 'vm-dependencies',
    ready: ready('True', 'Installed'),
    isSeen: true,
    createdAt: '2026-11-23T11:00:00Z',
    inForce: 'yes',
    problems: [],
    targets: [],
    lost: [],
    guarded: [],
  };
  return { ...others, rules: [{ ...whole, ...changes }] };
};

describe('rule-readable', () => {
  it.each<Row>([
    { given: 'a rule without problems', facts: rule(), judgements: [met(WHERE)] },
    {
      given: 'a rule with a problem',
      facts: rule({ problems: ['spec.a: is wrong'] }),
      judgements: [broken(WHERE, 'cannot be read as a whole: spec.a: is wrong', EDIT)],
    },
    {
      given: 'a rule with three problems',
      facts: rule({ problems: ['spec.a: is wrong', 'spec.b: too', 'spec.c: too'] }),
      judgements: [broken(WHERE, 'cannot be read as a whole: spec.a: is wrong (and 2 more)', EDIT)],
    },
  ])('given $given, then the first one is told', ({ facts: given, judgements }) => {
    expect(judge('rule-readable', given)).toEqual(judgements);
  });
});

describe('rule-looked-at', () => {
  const createdBefore = (ms: number) => ({ createdAt: new Date(NOW_MS - ms).toISOString() });

  it.each<Row>([
    { given: 'a rule that the controller has looked at', facts: rule(), judgements: [met(WHERE)] },
    {
      given: 'a rule of a moment ago',
      facts: rule({ isSeen: false, ready: undefined, ...createdBefore(14_999) }),
      judgements: [met(WHERE)],
    },
    {
      given: 'a rule without status after 15 s',
      facts: rule({ isSeen: false, ready: undefined, ...createdBefore(15_000) }),
      judgements: [broken(WHERE, 'has no status: no controller of this installation runs', READYZ)],
    },
    {
      given: 'a rule with the status of before',
      facts: rule({ isSeen: false }),
      judgements: [broken(WHERE, 'has the status of an older generation: no controller of this installation runs', READYZ)],
    },
  ])('given $given, then its status is judged', ({ facts: given, judgements }) => {
    expect(judge('rule-looked-at', given)).toEqual(judgements);
  });
});

describe('rule-ready', () => {
  const unready = (reason: string): Partial<RuleView> => ({ ready: ready('False', reason) });
  const notReady = (reason: string, run: string) => [broken(WHERE, `is not ready (${reason}): so it is`, run)];
  const target = (path: string, state: RuleTarget['state']): RuleTarget => ({ path, resource: 'vpcs.network.example.com', state });

  it.each<Row>([
    { given: 'a rule without status', facts: rule({ ready: undefined }), judgements: [] },
    { given: 'a rule that is ready', facts: rule(), judgements: [met(WHERE)] },
    { given: 'a rule with the status of before', facts: rule({ ...unready('FieldNotFound'), isSeen: false }), judgements: [met(WHERE)] },
    { given: 'a rule with problems, which are told', facts: rule({ ...unready('Invalid'), problems: ['spec: is wrong'] }), judgements: [] },
    { given: 'a rule that its author can mend', facts: rule(unready('FieldNotFound')), judgements: notReady('FieldNotFound', EDIT) },
    {
      given: 'a rule with targets, one of which is installed',
      facts: rule({ ...unready('NotBound'), targets: [target('root:a', 'Installed'), target('root:b', 'Pending')] }),
      judgements: notReady('NotBound', 'dep-ctrl bind root:b'),
    },
  ])('given $given, then its status is told', ({ facts: given, judgements }) => {
    expect(judge('rule-ready', given)).toEqual(judgements);
  });

  const rejected = { ...binding(), spec: { ...(binding()['spec'] as object), permissionClaims: [] } };
  const probed = (probes: Partial<Probes>): DoctorFacts => ({ ...facts(), probes });
  const lacking = { workspace: WORKSPACE, action: 'list it', grant: read('missing' as const), role: 'webhook' as const };
  const nobody = { file: 'f', rights: read(new Map()), orphans: [], configurations: read([]) };
  const provider = (configurationState: DoctorFacts['providers'][number]['configurationState']): DoctorFacts => {
    const given = facts();
    return { ...given, providers: given.providers.map((each) => ({ ...each, configurationState })) };
  };

  const causes = [
    {
      given: 'a claim that is not accepted',
      reason: 'ClaimNotAccepted',
      facts: facts({ installation: installation({ shards: [shard({ bindings: read([rejected]) })] }) }),
    },
    { given: 'a configuration of another owner', reason: 'Conflict', facts: provider({ state: 'foreign' }) },
    { given: 'a shard without the rights of the roles', reason: 'GrantMissing', facts: probed({ shardAdmins: [nobody] }) },
    { given: 'a webhook that may not enter', reason: 'GrantMissing', facts: probed({ rights: [{ ...lacking, of: 'consumers' }] }) },
    { given: 'a webhook that may not read', reason: 'GrantMissing', facts: probed({ rights: [{ ...lacking, of: 'dependents' }] }) },
    {
      given: 'a kcp that is silent',
      reason: 'Unreachable',
      facts: facts({ server: server({ peek: { state: 'silent', problem: 'no answer' } }) }),
    },
  ];

  it.each(causes)('given $given, and a rule that is not ready ($reason), then the cause alone is told', ({ reason, facts: others }) => {
    expect(judge('rule-ready', rule(unready(reason), others))).toEqual([]);
  });

  it.each(causes)('given $given, and a rule that is not ready for another reason, then both are told', ({ facts: others }) => {
    expect(judge('rule-ready', rule(unready('FieldNotFound'), others))).toEqual(notReady('FieldNotFound', EDIT));
  });

  it.each([
    { reason: 'ClaimNotAccepted', run: `dep-ctrl bind ${WORKSPACE}` },
    { reason: 'Conflict', run: kubectlIn(WORKSPACE, 'get validatingwebhookconfiguration dependency-controller -o yaml') },
    { reason: 'GrantMissing', run: `dep-ctrl bind ${WORKSPACE} --shard-kubeconfig FILE` },
    { reason: 'Unreachable', run: 'dep-ctrl doctor' },
  ])('given a rule that is not ready ($reason) where the cause is not seen, then it is told', ({ reason, run }) => {
    expect(judge('rule-ready', rule(unready(reason)))).toEqual(notReady(reason, run));
  });
});
