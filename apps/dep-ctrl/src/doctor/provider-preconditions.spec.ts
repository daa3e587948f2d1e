import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { PERMISSION_CLAIM, type GuardRuleEntry } from '@dep-ctrl/rule-registry';
import { newGuard } from '../controller/guard/guard-objects.js';
import type { ConfigurationState, Provider } from '../installation/providers.js';
import { broken, met, notChecked, type DoctorFacts } from './precondition.js';
import { judge, kubectlIn, NOT_INSTALLED, NOTHING_READ, REFUSED, SILENT, START_ROLES, type Row } from './spec-support/judge.js';
import { binding, clusterNamed, facts, installation, shard } from './spec-support/whole-facts.js';

const NAME = 'root:providers:compute';
const BIND = `dep-ctrl bind ${NAME}`;
const CONFIGURATION = `configuration in ${NAME}`;
const GUARD = `guard in ${NAME}`;

const ENTRY: GuardRuleEntry = {
  cluster: clusterNamed('compute'),
  rule: 'vm-dependencies',
  uid: 'u',
  generation: 1,
  dependent: 'VirtualMachine.compute.example.com',
  resource: 'vpcs.network.example.com',
  enforcement: 'Deny',
};

/** Facts of one workspace that binds dep-ctrl. */
const provider = (changes: Partial<Provider> = {}, others: DoctorFacts = facts()): DoctorFacts => {
  const whole: Provider = {
    cluster: clusterNamed('compute'),
    name: NAME,
    bindings: [binding()],
    guard: undefined,
    configuration: undefined,
    configurationState: { state: 'none' },
    entries: [],
  };
  return { ...others, providers: [{ ...whole, ...changes }] };
};

/** A binding that kcp has not looked at. */
const { status: _, ...UNSEEN } = binding();

const NOT_KNOWN: ConfigurationState = { state: 'unknown', why: 'not every rule could be read' };
const differs = (lacks: readonly string[], beyond: readonly string[]): ConfigurationState => ({ state: 'differs', lacks, beyond });

/** One workspace with its configuration in that state. */
const configured = (configurationState: ConfigurationState): DoctorFacts => provider({ configurationState });

const condition = (type: string, status: 'True' | 'False', more: { readonly message?: string; readonly reason?: string } = {}) => ({
  ...{ type, status, reason: 'Reason', message: 'so it is', lastTransitionTime: '2026-11-23T11:00:00Z' },
  ...more,
});
const guardSaying = (...conditions: readonly object[]): KubeObject => ({ ...newGuard(), status: { conditions } });

describe('may-look', () => {
  const { url } = shard();
  const withShards = (...shards: readonly Parameters<typeof shard>[0][]): DoctorFacts =>
    facts({ installation: installation({ shards: shards.map(shard) }) });

  it.each<Row>([
    { given: 'a kcp of which nothing was read', facts: NOTHING_READ, judgements: [] },
    { given: 'a shard that was read', facts: facts(), judgements: [met(url)] },
    {
      given: 'a shard that did not answer, and one that was read',
      facts: withShards({ rules: SILENT }, { url: 'https://second' }),
      judgements: [notChecked(url, SILENT), met('https://second')],
    },
  ])('given $given, then each shard is judged', ({ facts: given, judgements }) => {
    expect(judge('may-look', given)).toEqual(judgements);
  });

  it.each(['bindings', 'rules', 'guards', 'configurations'] as const)('given %s that may not be read, then the role is named', (kind) => {
    expect(judge('may-look', withShards({ [kind]: REFUSED }))).toEqual([
      broken(
        url,
        'cannot be looked behind with these credentials: role missing: some role',
        kubectlIn('root:dep-ctrl', 'create clusterrolebinding NAME --clusterrole dep-ctrl:webhook --user USER'),
      ),
    ]);
  });
});

describe('binding-bound', () => {
  const where = `APIBinding dependencies.opendefense.cloud in ${NAME}`;
  const waiting = (...conditions: readonly object[]) => provider({ bindings: [binding({ status: { phase: 'Binding', conditions } })] });

  it.each<Row>([
    { given: 'no workspace that binds', facts: { ...facts(), providers: [] }, judgements: [] },
    { given: 'a binding that is bound', facts: provider(), judgements: [met(where)] },
    {
      given: 'a binding that is being deleted',
      facts: provider({ bindings: [binding({ metadata: { deletionTimestamp: '2026-11-23T11:00:00Z' } })] }),
      judgements: [broken(where, 'is being deleted, and waits for the controller or for dep-ctrl uninstall', START_ROLES)],
    },
    {
      given: 'a binding that kcp has not looked at',
      facts: provider({ bindings: [UNSEEN] }),
      judgements: [broken(where, 'is in phase ""', BIND)],
    },
    {
      given: 'a binding that waits and does not say why',
      facts: waiting(condition('Ready', 'True'), condition('InitialBindingCompleted', 'False', { message: '' })),
      judgements: [broken(where, 'is in phase "Binding"', BIND)],
    },
    {
      given: 'a binding that waits and says why',
      facts: waiting(
        condition('APIExportValid', 'True'),
        condition('Ready', 'False', { message: '' }),
        condition('InitialBindingCompleted', 'False', { message: 'names are taken' }),
      ),
      judgements: [broken(where, 'is in phase "Binding": names are taken', BIND)],
    },
  ])('given $given, then each binding is judged', ({ facts: given, judgements }) => {
    expect(judge('binding-bound', given)).toEqual(judgements);
  });
});

describe('claim-accepted', () => {
  const answering = (...permissionClaims: readonly object[]): KubeObject => ({
    ...binding(),
    spec: { ...(binding()['spec'] as object), permissionClaims },
  });
  const notInstalled = facts({ installation: installation({ home: NOT_INSTALLED }) });

  it.each<Row>([
    { given: 'a kcp of which nothing was read', facts: provider({}, NOTHING_READ), judgements: [] },
    {
      given: 'a kcp without dep-ctrl, and a binding that it has not looked at',
      facts: provider({ bindings: [UNSEEN] }, notInstalled),
      judgements: [],
    },
    { given: 'no binding', facts: provider({ bindings: [] }), judgements: [] },
    {
      given: 'a binding that is being deleted',
      facts: provider({ bindings: [binding({ metadata: { deletionTimestamp: '2026-11-23T11:00:00Z' } })] }),
      judgements: [],
    },
    {
      given: 'a binding to the export of another workspace',
      facts: provider({ bindings: [binding({ status: { apiExportClusterName: 'other' } })] }),
      judgements: [],
    },
    { given: 'a claim that is accepted', facts: provider(), judgements: [met(NAME)] },
    {
      given: 'a claim that is rejected',
      facts: provider({ bindings: [answering({ ...PERMISSION_CLAIM, state: 'Rejected' })] }),
      judgements: [broken(NAME, 'rejects the permission claim of dep-ctrl', BIND)],
    },
    {
      given: 'a claim without an answer',
      facts: provider({ bindings: [answering()] }),
      judgements: [broken(NAME, 'has not answered the permission claim of dep-ctrl', BIND)],
    },
    {
      given: 'a claim that is accepted for a verb',
      facts: provider({ bindings: [answering({ ...PERMISSION_CLAIM, verbs: ['get'], state: 'Accepted' })] }),
      judgements: [broken(NAME, 'accepts the permission claim of dep-ctrl without all of its verbs', BIND)],
    },
  ])('given $given, then the answer of the workspace is judged', ({ facts: given, judgements }) => {
    expect(judge('claim-accepted', given)).toEqual(judgements);
  });
});

describe('guard-there', () => {
  const equal = { configurationState: { state: 'equal' } } as const;
  const { finalizers: _, ...released } = newGuard().metadata;

  it.each<Row>([
    { given: 'no configuration', facts: provider({ configurationState: { state: 'missing' } }), judgements: [] },
    {
      given: 'a configuration and no guard',
      facts: provider(equal),
      judgements: [broken(GUARD, 'is missing: the controller makes it when it runs', START_ROLES)],
    },
    { given: 'a configuration and its guard', facts: provider({ ...equal, guard: newGuard() }), judgements: [met(GUARD)] },
    {
      given: 'a configuration that differs, and its guard',
      facts: provider({ configurationState: differs([], []), guard: newGuard() }),
      judgements: [met(GUARD)],
    },
    {
      given: 'a guard without the finalizer',
      facts: provider({ ...equal, guard: { ...newGuard(), metadata: released } }),
      judgements: [broken(GUARD, 'lacks the finalizer of dep-ctrl: the controller puts it there when it runs', START_ROLES)],
    },
  ])('given $given, then the guard is judged where a configuration needs it', ({ facts: given, judgements }) => {
    expect(judge('guard-there', given)).toEqual(judgements);
  });
});

describe('consent-resolved', () => {
  it.each<Row>([
    { given: 'no guard', facts: provider(), judgements: [] },
    {
      given: 'a guard whose paths are resolved',
      facts: provider({ guard: guardSaying(condition('Ready', 'False'), condition('ConsentResolved', 'True')) }),
      judgements: [],
    },
    {
      given: 'a guard with a path that is not resolved',
      facts: provider({ guard: guardSaying(condition('ConsentResolved', 'False', { message: 'root:nowhere is not there' })) }),
      judgements: [
        broken(
          GUARD,
          'root:nowhere is not there',
          kubectlIn(NAME, 'edit dependencyguards.dependencies.opendefense.cloud dependency-controller'),
        ),
      ],
    },
  ])('given $given, then its condition is told if it is false', ({ facts: given, judgements }) => {
    expect(judge('consent-resolved', given)).toEqual(judgements);
  });
});

describe('configuration-ours', () => {
  const foreign = broken(
    CONFIGURATION,
    'was made by another owner: bind the workspace again if that is a former installation, or delete it',
    kubectlIn(NAME, 'get validatingwebhookconfiguration dependency-controller -o yaml'),
  );

  it.each<Row>([
    { given: 'nothing known', facts: configured(NOT_KNOWN), judgements: [] },
    { given: 'none', facts: configured({ state: 'none' }), judgements: [] },
    { given: 'one that is missing', facts: configured({ state: 'missing' }), judgements: [] },
    { given: 'one as it is wanted', facts: configured({ state: 'equal' }), judgements: [met(CONFIGURATION)] },
    { given: 'one that differs', facts: configured(differs([], [])), judgements: [met(CONFIGURATION)] },
    { given: 'one that is left', facts: configured({ state: 'leftover' }), judgements: [met(CONFIGURATION)] },
    { given: 'one of another owner', facts: configured({ state: 'foreign' }), judgements: [foreign] },
  ])('given $given, then its owner is judged', ({ facts: given, judgements }) => {
    expect(judge('configuration-ours', given)).toEqual(judgements);
  });
});

describe('configuration-there', () => {
  const missing = broken(CONFIGURATION, 'is missing: the controller writes it when it runs', START_ROLES);

  it.each<Row>([
    { given: 'nothing known', facts: configured(NOT_KNOWN), judgements: [] },
    { given: 'none', facts: configured({ state: 'none' }), judgements: [] },
    { given: 'one of another owner', facts: configured({ state: 'foreign' }), judgements: [] },
    { given: 'one that is left', facts: configured({ state: 'leftover' }), judgements: [] },
    { given: 'one as it is wanted', facts: configured({ state: 'equal' }), judgements: [met(CONFIGURATION)] },
    { given: 'one that differs', facts: configured(differs([], [])), judgements: [met(CONFIGURATION)] },
    { given: 'one that is missing', facts: configured({ state: 'missing' }), judgements: [missing] },
    {
      given: 'one that is missing where dep-ctrl is not bound any more',
      facts: provider({ configurationState: { state: 'missing' }, bindings: [] }),
      judgements: [],
    },
  ])('given $given, then it is judged where rules want one', ({ facts: given, judgements }) => {
    expect(judge('configuration-there', given)).toEqual(judgements);
  });
});

describe('configuration-equal', () => {
  const six = ['a', 'b', 'c', 'd', 'e', 'f'];
  const wrong = (says: string) => broken(CONFIGURATION, `${says}: the controller corrects it when it runs`, START_ROLES);

  it.each<Row>([
    {
      given: 'nothing known',
      facts: configured(NOT_KNOWN),
      judgements: [notChecked(CONFIGURATION, { because: 'not-asked', why: 'not every rule could be read' })],
    },
    { given: 'none', facts: configured({ state: 'none' }), judgements: [] },
    { given: 'one of another owner', facts: configured({ state: 'foreign' }), judgements: [] },
    { given: 'one as it is wanted', facts: configured({ state: 'equal' }), judgements: [met(CONFIGURATION)] },
    { given: 'one that lacks types', facts: configured(differs(['a', 'b'], [])), judgements: [wrong('does not guard a, b')] },
    {
      given: 'one that lacks a type and guards another',
      facts: configured(differs(['a'], ['c'])),
      judgements: [wrong('does not guard a, and still guards c')],
    },
    { given: 'one that guards more', facts: configured(differs([], ['c'])), judgements: [wrong('still guards c')] },
    {
      given: 'one that does both with many types',
      facts: configured(differs(six, [...six, 'g'])),
      judgements: [wrong('does not guard a, b, c, d, e and 1 more, and still guards a, b, c, d, e and 2 more')],
    },
    { given: 'one that is written otherwise', facts: configured(differs([], [])), judgements: [wrong('was changed by somebody')] },
  ])('given $given, then what it guards is judged', ({ facts: given, judgements }) => {
    expect(judge('configuration-equal', given)).toEqual(judgements);
  });
});

describe('no-leftover', () => {
  const left = broken(CONFIGURATION, 'is left, and no rule wants it: the controller removes it when it runs', START_ROLES);

  it.each<Row>([
    { given: 'a configuration that is left', facts: configured({ state: 'leftover' }), judgements: [left] },
    { given: 'one as it is wanted', facts: configured({ state: 'equal' }), judgements: [] },
  ])('given $given, then it is told if it is left', ({ facts: given, judgements }) => {
    expect(judge('no-leftover', given)).toEqual(judgements);
  });
});

describe('no-abandoned-guard', () => {
  const wanted = { entries: [ENTRY] };
  const uninstalled = condition('Ready', 'False', { reason: 'Uninstalled' });
  const abandoned = broken(GUARD, 'says that dep-ctrl was uninstalled, and rules want it', START_ROLES);

  it.each<Row>([
    { given: 'no guard', facts: provider(wanted), judgements: [] },
    { given: 'a guard without conditions', facts: provider({ ...wanted, guard: newGuard() }), judgements: [] },
    { given: 'a guard that is ready', facts: provider({ ...wanted, guard: guardSaying(condition('Ready', 'True')) }), judgements: [] },
    {
      given: 'a guard of which another condition has that reason',
      facts: provider({ ...wanted, guard: guardSaying({ ...uninstalled, type: 'Conflict' }, condition('Ready', 'True')) }),
      judgements: [],
    },
    { given: 'one that uninstall left and no rule wants', facts: provider({ guard: guardSaying(uninstalled) }), judgements: [] },
    {
      given: 'one that uninstall left and rules want',
      facts: provider({ ...wanted, guard: guardSaying(uninstalled) }),
      judgements: [abandoned],
    },
  ])('given $given, then it is told if rules want it', ({ facts: given, judgements }) => {
    expect(judge('no-abandoned-guard', given)).toEqual(judgements);
  });
});
