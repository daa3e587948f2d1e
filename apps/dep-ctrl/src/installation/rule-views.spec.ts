import { describe, expect, it } from '@jest/globals';
import { MOST_RULES } from '@dep-ctrl/rule-registry';
import { workspacePath, type KubeObject } from '@dep-ctrl/kcp-names';
import { desiredWebhooks } from '../controller/configuration/desired-webhooks.js';
import { DEV_PATHS } from '../dev/dev-paths.js';
import { VPCS } from '../dev/provider-manifests.js';
import { binding, clusterNamed, installation, read, ready, rule, shard } from '../doctor/spec-support/whole-facts.js';
import type { InstallationFacts, ShardFacts } from './facts.js';
import type { Provider } from './providers.js';
import type { Unread } from './reading.js';
import { ruleViews } from './rule-views.js';

const NETWORK = clusterNamed('network');
const COMPUTE = clusterNamed('compute');
const unread: Unread = { state: 'unread', what: 'the guards', because: 'silent', why: 'no answer' };
const { dependencies: [dependency] = [] } = rule()['spec'] as { readonly dependencies?: readonly object[] };

/** The rule, changed. */
const changed = ({ metadata = {}, ...changes }: { metadata?: object; spec?: object; status?: object } = {}): KubeObject => {
  const one = rule(changes);
  return { ...one, metadata: { ...one.metadata, ...metadata } };
};
const to = (...resources: readonly (string | undefined)[]) => ({
  spec: { dependencies: resources.map((resource) => ({ ...dependency, resource })) },
});

const guarding = (...resources: readonly string[]): KubeObject => {
  const types = resources.map((resource) => ({ group: VPCS.group, resource, enforcement: 'Deny' }) as const);
  return { metadata: {}, ...desiredWebhooks(types, { guardedCluster: NETWORK, webhookUrl: 'https://w:9443/validate' }) };
};
const provider = (changes: Partial<Provider> = {}): Provider => ({
  ...{ cluster: NETWORK, name: DEV_PATHS.network, bindings: [], guard: undefined, entries: [] },
  ...{ configuration: guarding('vpcs'), configurationState: { state: 'equal' } },
  ...changes,
});
const HOME_OF_RULES = provider({
  cluster: COMPUTE,
  name: DEV_PATHS.compute,
  configuration: undefined,
  configurationState: { state: 'none' },
});

const seen = (rules: readonly KubeObject[], changes: Partial<ShardFacts> = {}): InstallationFacts =>
  installation({
    paths: new Map([[DEV_PATHS.network, NETWORK]]),
    shards: [shard({ rules: read(rules), bindings: read([binding()]), ...changes })],
  });
const TWO_PATHS = new Map([
  [DEV_PATHS.network, NETWORK],
  [DEV_PATHS.teamA, clusterNamed('team')],
]);
const viewOf = (one: KubeObject, providers: readonly Provider[] = [HOME_OF_RULES, provider()], facts = seen([one])) =>
  ruleViews(facts, providers)[0];

describe(ruleViews, () => {
  it('given a rule that all is well with, then its view says so', () => {
    const targets = [{ path: DEV_PATHS.network, resource: 'vpcs.network.example.com', state: 'Installed' }];
    const one = rule({
      status: { targets, conditions: [{ ...ready('True', 'Installed'), type: 'Verified' }, ready('True', 'Installed')] },
    });

    expect(ruleViews(seen([one]), [HOME_OF_RULES, provider()])).toEqual([
      {
        ...{ cluster: COMPUTE, workspace: DEV_PATHS.compute, name: 'vm-dependencies', ready: ready('True', 'Installed'), isSeen: true },
        ...{ createdAt: '2026-11-23T11:00:00Z', inForce: 'yes', problems: [], targets, lost: [], guarded: [NETWORK] },
      },
    ]);
  });

  it('given a rule of a moment ago, then it has no condition, no target, and was not seen', () => {
    expect(viewOf(rule({ status: { observedGeneration: undefined, conditions: [] } }))).toMatchObject({
      ...{ ready: undefined, isSeen: false, targets: [] },
    });
  });

  it('given targets of which one is at a path without a workspace, then that one is lost; a path that was not asked about is not', () => {
    const targets = [DEV_PATHS.network, 'root:typo', 'root:other'].map((path) => ({ path, resource: 'vpcs', state: 'Missing' }));
    const facts = seen([rule({ status: { targets } })]);
    const paths = new Map([...facts.paths, [workspacePath('root:typo'), 'missing'] as const]);

    expect(ruleViews({ ...facts, paths }, [HOME_OF_RULES, provider()])[0]?.lost).toEqual(['root:typo']);
  });

  it('given the status of the generation before, then the rule was not seen as it is', () => {
    expect(viewOf(rule({ status: { observedGeneration: 1 } }))?.isSeen).toBe(false);
  });

  it.each<{
    given: string;
    one?: KubeObject;
    providers?: readonly Provider[];
    facts?: InstallationFacts;
    paths?: InstallationFacts['paths'];
    inForce: string;
  }>([
    {
      given: 'a configuration that guards its target, among others',
      providers: [provider({ configuration: guarding('subnets', 'vpcs') })],
      inForce: 'yes',
    },
    { given: 'a configuration that guards other types', providers: [provider({ configuration: guarding('subnets') })], inForce: 'no' },
    { given: 'one of two targets that is guarded', one: changed(to('vpcs', 'subnets')), inForce: 'partly' },
    { given: 'one of two targets that can be read', one: changed(to('vpcs', undefined)), inForce: 'partly' },
    {
      given: 'one of two targets that binds dep-ctrl',
      one: rule({ spec: { dependencies: [dependency, { ...dependency, apiExportRef: { path: DEV_PATHS.teamA, name: 'a.io' } }] } }),
      paths: TWO_PATHS,
      inForce: 'partly',
    },
    { given: 'no target that can be read', one: changed(to(undefined)), inForce: 'no' },
    { given: 'a target that does not bind dep-ctrl', providers: [], inForce: 'no' },
    {
      given: 'the same, where not every guard could be read',
      providers: [],
      facts: seen([rule()], { guards: unread }),
      inForce: 'unknown',
    },
    {
      given: 'a configuration that is there, where not every guard could be read',
      facts: seen([rule()], { guards: unread }),
      inForce: 'yes',
    },
    {
      given: 'a configuration of another owner',
      providers: [provider({ configurationState: { state: 'foreign' } })],
      inForce: 'no',
    },
    {
      given: 'a configuration that kcp hides',
      providers: [provider({ configuration: undefined, configurationState: { state: 'unknown', why: 'hidden' } })],
      inForce: 'unknown',
    },
    {
      given: 'a configuration that is there, in a workspace that is not judged',
      providers: [provider({ configurationState: { state: 'unknown', why: 'crowded' } })],
      inForce: 'yes',
    },
    { given: 'a path that nobody looked up', facts: { ...seen([rule()]), paths: new Map() }, inForce: 'unknown' },
    { given: 'a path that leads nowhere', facts: { ...seen([rule()]), paths: new Map([[DEV_PATHS.network, 'missing']]) }, inForce: 'no' },
  ])('given $given, then it is in force: $inForce', ({ one = rule(), providers, facts = seen([one]), paths = facts.paths, inForce }) => {
    expect(viewOf(one, providers, { ...facts, paths })?.inForce).toBe(inForce);
  });

  it('given a rule with problems, then each is told, and the targets that can be read are guarded', () => {
    expect(viewOf(changed(to('vpcs', undefined)))).toMatchObject({
      problems: [expect.stringMatching(/^\.?spec\.dependencies\[1\]\.resource: ./)],
      guarded: [NETWORK],
    });
  });

  it('given a rule of which nothing can be read, then it guards nothing', () => {
    expect(viewOf(changed(to(undefined)))?.guarded).toEqual([]);
  });

  it.each([
    { given: 'leads nowhere', paths: new Map([[DEV_PATHS.network, 'missing' as const]]) },
    { given: 'nobody looked up', paths: new Map<never, never>() },
  ])('given a path that $given, then no workspace is guarded', ({ paths }) => {
    expect(viewOf(rule(), [], { ...seen([rule()]), paths })?.guarded).toEqual([]);
  });

  it('given rules of several workspaces, then they are in the order of their workspaces and names', () => {
    const named = (name: string, cluster: string) => changed({ metadata: { name, annotations: { 'kcp.io/cluster': cluster } } });
    const storage = provider({ cluster: clusterNamed('storage'), name: 'root:a:storage' });
    const rules = [named('b', 'compute'), named('z', 'storage'), named('a', 'compute'), named('c', 'nowhere')];

    const views = ruleViews(seen(rules), [HOME_OF_RULES, storage]);

    expect(views.map(({ workspace, name }) => `${workspace}/${name}`)).toEqual([
      'nowhere/c',
      'root:a:storage/z',
      `${DEV_PATHS.compute}/a`,
      `${DEV_PATHS.compute}/b`,
    ]);
  });

  it('given more rules of one workspace than count, then the newest is not in force', () => {
    const rules = Array.from({ length: MOST_RULES + 1 }, (_, at) =>
      changed({ metadata: { name: `r${String(at)}`, uid: `u${String(at)}`, creationTimestamp: new Date(1_000 * at).toISOString() } }),
    );

    const views = ruleViews(seen(rules), [HOME_OF_RULES, provider()]);

    expect(views.filter(({ inForce }) => inForce !== 'yes').map(({ name, inForce }) => `${name} ${inForce}`)).toEqual([
      `r${String(MOST_RULES)} no`,
    ]);
  });
});
