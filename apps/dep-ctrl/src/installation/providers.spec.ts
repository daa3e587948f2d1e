import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { GUARD_NAME } from '@dep-ctrl/rule-registry';
import { desiredWebhooks, type GuardedResource } from '../controller/configuration/desired-webhooks.js';
import { DEV_PATHS } from '../dev/dev-paths.js';
import { VPCS } from '../dev/provider-manifests.js';
import { binding, clusterNamed, installation, read, rule, shard } from '../doctor/spec-support/whole-facts.js';
import { OWNER_LABEL } from '../own-objects/configuration-labels.js';
import { pathOf } from '../testing/path-of.js';
import type { InstallationFacts, ShardFacts } from './facts.js';
import { providersOf, workspaceNames } from './providers.js';
import { ruleViews } from './rule-views.js';

const NETWORK = clusterNamed('network');
const guarded: GuardedResource = { ...VPCS, enforcement: 'Deny' };
const unread = { state: 'unread', what: 'the rules', because: 'silent', why: 'no answer' } as const;

/** The binding of the guarded workspace. */
const bound = (state = 'Accepted'): KubeObject => {
  const object = binding({ metadata: { annotations: { 'kcp.io/cluster': NETWORK, 'kcp.io/path': DEV_PATHS.network } } });
  const { permissionClaims, ...spec } = object['spec'] as { readonly permissionClaims: readonly object[] };
  return { ...object, spec: { ...spec, permissionClaims: permissionClaims.map((claim) => ({ ...claim, state })) } };
};

/** A configuration in the guarded workspace. */
const configuration = ({
  owner = 'home',
  resources = [guarded],
  edit = {},
  secrets = { urlToken: 'token', caBundle: 'Y2E=' },
  name = GUARD_NAME,
}: { owner?: string; resources?: readonly GuardedResource[]; edit?: object; secrets?: object; name?: string } = {}): KubeObject => {
  const address = { guardedCluster: NETWORK, webhookUrl: 'https://w:9443/validate', ...secrets };
  const { webhooks, labels } = desiredWebhooks(resources, address);
  const metadata = { name, labels: { ...labels, [OWNER_LABEL]: owner }, annotations: { 'kcp.io/cluster': NETWORK } };
  return { metadata, webhooks: webhooks.map((each) => ({ ...each, ...edit })) };
};

/** The configuration, as it is stored if its entries are sorted by their names. */
const sorted = (object: KubeObject): KubeObject => {
  const entries = object['webhooks'] as readonly { readonly name: string }[];
  return { ...object, webhooks: entries.toSorted((a, b) => (a.name < b.name ? -1 : 1)) };
};

const { dependencies: [dependency] = [] } = rule()['spec'] as { readonly dependencies?: readonly object[] };

/** A rule about some types, as strict as is said. */
const about = (name: string, enforcement: string, ...resources: readonly string[]): KubeObject => {
  const one = rule({ spec: { enforcement, dependencies: resources.map((resource) => ({ ...dependency, resource })) } });
  return { ...one, metadata: { ...one.metadata, name, uid: name } };
};
const warned: GuardedResource = { ...VPCS, enforcement: 'Warn' };

const seen = (changes: Partial<ShardFacts>) =>
  installation({
    paths: new Map([
      [DEV_PATHS.network, NETWORK],
      [DEV_PATHS.compute, clusterNamed('compute')],
    ]),
    shards: [shard({ bindings: read([binding(), bound()]), configurations: read([configuration()]), ...changes })],
  });

describe(providersOf, () => {
  it.each<{ given: string; changes: Partial<ShardFacts>; state: object; inForce?: string }>([
    { given: 'a configuration as the rule wants it', changes: {}, state: { state: 'equal' }, inForce: 'yes' },
    { given: 'no configuration', changes: { configurations: read([]) }, state: { state: 'missing' }, inForce: 'no' },
    { given: 'no rule', changes: { rules: read([]) }, state: { state: 'leftover' } },
    { given: 'neither', changes: { rules: read([]), configurations: read([]) }, state: { state: 'none' } },
    {
      given: 'one of another installation',
      changes: { configurations: read([configuration({ owner: 'other' })]) },
      state: { state: 'foreign' },
      inForce: 'no',
    },
    {
      given: 'one that guards another type',
      changes: { configurations: read([configuration({ resources: [{ ...guarded, resource: 'subnets' }] })]) },
      state: { state: 'differs', lacks: ['vpcs.network.example.com'], beyond: ['subnets.network.example.com'] },
      inForce: 'no',
    },
    {
      given: 'one that lets pass what it should refuse',
      changes: { configurations: read([configuration({ edit: { failurePolicy: 'Ignore' } })]) },
      state: { state: 'differs', lacks: [], beyond: [] },
      inForce: 'yes',
    },
    {
      given: 'rules that could not be read',
      changes: { rules: unread },
      state: { state: 'unknown', why: 'not every rule, guard and configuration could be read' },
    },
    {
      given: 'configurations that could not be read',
      changes: { configurations: unread },
      state: { state: 'unknown', why: 'not every rule, guard and configuration could be read' },
      inForce: 'unknown',
    },
    {
      given: 'one of another installation, and guards that could not be read',
      changes: { configurations: read([configuration({ owner: 'other' })]), guards: unread },
      state: { state: 'foreign' },
      inForce: 'no',
    },
    {
      given: 'one of another installation and no rule',
      changes: { configurations: read([configuration({ owner: 'other' })]), rules: read([]) },
      state: { state: 'none' },
    },
    {
      given: 'one of another name',
      changes: { configurations: read([configuration({ name: 'other' })]) },
      state: { state: 'missing' },
      inForce: 'no',
    },
    {
      given: 'one without a token and a CA',
      changes: { configurations: read([configuration({ secrets: {} })]) },
      state: { state: 'equal' },
      inForce: 'yes',
    },
    {
      given: 'one without a token and a CA, with its entries in another order',
      changes: { configurations: read([sorted(configuration({ secrets: {} }))]) },
      state: { state: 'equal' },
      inForce: 'yes',
    },
    {
      given: 'one with a token, with its entries in another order',
      changes: { configurations: read([sorted(configuration())]) },
      state: { state: 'equal' },
      inForce: 'yes',
    },
    {
      given: 'one for a rule that warns, without a token',
      changes: {
        rules: read([about('a', 'Warn', 'vpcs')]),
        configurations: read([configuration({ resources: [warned], secrets: {} })]),
      },
      state: { state: 'equal' },
      inForce: 'yes',
    },
    {
      given: 'one that names no address',
      changes: { configurations: read([configuration({ edit: { clientConfig: { url: 'nowhere' } } })]) },
      state: { state: 'differs', lacks: [], beyond: [] },
      inForce: 'yes',
    },
    {
      given: 'one that only warns',
      changes: { configurations: read([configuration({ resources: [warned] })]) },
      state: { state: 'differs', lacks: ['vpcs.network.example.com'], beyond: [] },
      inForce: 'yes',
    },
    {
      given: 'one that refuses, and a rule that warns',
      changes: { rules: read([about('a', 'Warn', 'vpcs')]) },
      state: { state: 'differs', lacks: [], beyond: ['vpcs.network.example.com'] },
      inForce: 'yes',
    },
    {
      given: 'one as two rules want it, of which one only warns',
      changes: { rules: read([about('a', 'Deny', 'vpcs'), about('b', 'Warn', 'vpcs')]) },
      state: { state: 'equal' },
      inForce: 'yes',
    },
    {
      given: 'one that guards more than the rule wants, in one way and another',
      changes: {
        configurations: read([
          configuration({ resources: [guarded, { ...guarded, resource: 'zones' }, { ...warned, resource: 'lamps' }] }),
        ]),
      },
      state: { state: 'differs', lacks: [], beyond: ['lamps.network.example.com', 'zones.network.example.com'] },
      inForce: 'yes',
    },
    {
      given: 'one that lacks types of two rules',
      changes: { rules: read([about('a', 'Deny', 'vpcs', 'subnets', 'vlans'), about('b', 'Warn', 'routers', 'vlans')]) },
      state: { state: 'differs', lacks: ['routers', 'subnets', 'vlans'].map((each) => `${each}.network.example.com`), beyond: [] },
      inForce: 'partly',
    },
    {
      given: 'a claim that is rejected, so that kcp hides the configuration',
      changes: { bindings: read([binding(), bound('Rejected')]), configurations: read([]) },
      state: { state: 'unknown', why: expect.stringContaining('does not accept the claim') },
      inForce: 'unknown',
    },
  ])('given $given, then it and the rule are what they are', ({ changes, state, inForce }) => {
    const facts = seen(changes);

    const providers = providersOf(facts);

    expect(providers.find(({ cluster }) => cluster === NETWORK)?.configurationState).toEqual(state);
    expect(ruleViews(facts, providers)[0]?.inForce).toBe(inForce);
  });

  it.each<{
    given: string;
    change: Partial<Pick<InstallationFacts, 'shards'>> & { readonly home?: Partial<InstallationFacts['home']> };
    why: string;
  }>([
    {
      given: 'no workspace of dep-ctrl',
      change: { home: { presence: { state: 'missing', what: 'workspace', text: 'gone' } } },
      why: 'the export of dep-ctrl was not read',
    },
    {
      given: 'endpoints that could not be read',
      change: { home: { slice: unread } },
      why: 'not every rule, guard and configuration could be read',
    },
    {
      given: 'a second shard whose rules could not be read',
      change: { shards: [...seen({}).shards, shard({ rules: unread })] },
      why: 'not every rule, guard and configuration could be read',
    },
    {
      given: 'a second shard whose configurations could not be read',
      change: { shards: [...seen({}).shards, shard({ configurations: unread })] },
      why: 'not every rule, guard and configuration could be read',
    },
  ])('given $given, then the configuration is not judged', ({ change: { home = {}, ...change }, why }) => {
    const facts = { ...seen({}), ...change };

    const providers = providersOf({ ...facts, home: { ...facts.home, ...home } });

    expect(providers.find(({ cluster }) => cluster === NETWORK)?.configurationState).toEqual({ state: 'unknown', why });
  });

  it('given rules that name more types than one configuration holds, then it is not judged', () => {
    const long = (at: number): string => `${'r'.repeat(55)}${String(at)}`;
    const group = `${'g'.repeat(60)}.${'g'.repeat(60)}.${'g'.repeat(60)}.example.com`;
    const one = { ...dependency, group };
    const rules = Array.from({ length: 13 }, (_, at) => {
      const dependencies = Array.from({ length: 64 }, (__, index) => ({ ...one, resource: long(at * 64 + index) }));
      const crowded = rule({ spec: { dependencies } });
      return { ...crowded, metadata: { ...crowded.metadata, name: `r${String(at)}`, uid: `u${String(at)}` } };
    });

    expect(providersOf(seen({ rules: read(rules) })).find(({ cluster }) => cluster === NETWORK)?.configurationState).toEqual({
      state: 'unknown',
      why: 'rules name more types than one configuration holds',
    });
  });

  it('given a workspace with a guard and a configuration that binds nothing, then it is there too, and is named by its cluster', () => {
    const lost = (object: KubeObject): KubeObject => ({
      ...object,
      metadata: { ...object.metadata, annotations: { 'kcp.io/cluster': 'lost' } },
    });
    const guard = lost({ metadata: { name: GUARD_NAME } });
    const facts = seen({ guards: read([guard]), configurations: read([lost(configuration())]) });

    expect(providersOf(facts).find(({ cluster }) => cluster === clusterNamed('lost'))).toEqual({
      ...{ cluster: 'lost', name: 'lost', bindings: [], guard, configuration: lost(configuration()), entries: [] },
      configurationState: { state: 'leftover' },
    });
  });

  it.each([
    {
      given: 'a path that kcp says is that of another workspace',
      cluster: clusterNamed('other'),
      paths: [DEV_PATHS.network],
      expected: NETWORK,
    },
    { given: 'a path that leads nowhere', cluster: 'missing' as const, paths: [DEV_PATHS.network], expected: NETWORK },
    { given: 'a path that nobody looked up', cluster: undefined, paths: [DEV_PATHS.network], expected: NETWORK },
    {
      given: 'two bindings, of which the second has a path',
      cluster: NETWORK,
      paths: [undefined, DEV_PATHS.network],
      expected: DEV_PATHS.network,
    },
    { given: 'no path at all', cluster: NETWORK, paths: [undefined], expected: NETWORK },
  ])('given $given, then the workspace is named $expected', ({ cluster, paths, expected }) => {
    const bindings = paths.map((path) => {
      const one = bound();
      const annotations = { 'kcp.io/cluster': NETWORK, ...(path !== undefined && { 'kcp.io/path': path }) };
      return { ...one, metadata: { ...one.metadata, annotations } };
    });
    const facts = { ...seen({ bindings: read(bindings) }), paths: new Map(cluster === undefined ? [] : [[DEV_PATHS.network, cluster]]) };

    expect(providersOf(facts).find((each) => each.cluster === NETWORK)?.name).toBe(expected);
  });

  it('given several workspaces, then they are in the order of their names', () => {
    const named = (cluster: string, path: string): KubeObject => {
      const one = bound();
      return { ...one, metadata: { ...one.metadata, annotations: { 'kcp.io/cluster': cluster, 'kcp.io/path': path } } };
    };
    const bindings = [named('one', 'root:b'), named('two', 'root:c'), named('three', 'root:a')];
    const paths = new Map(
      [
        ['root:b', 'one'],
        ['root:c', 'two'],
        ['root:a', 'three'],
      ].map(([path = '', cluster = '']) => [pathOf(path), clusterNamed(cluster)]),
    );

    expect(providersOf({ ...seen({ bindings: read(bindings), configurations: read([]) }), paths }).map(({ name }) => name)).toEqual([
      'root:a',
      'root:b',
      'root:c',
    ]);
  });

  it.each([
    { named: 'root:elsewhere', expected: 'equal' },
    { named: '2abc:elsewhere', expected: 'unknown' },
  ])(
    'given a rule of somebody that names $named, which nobody looked up, then a workspace of a proven path is $expected',
    ({ named, expected }) => {
      const other = rule({ spec: { dependencies: [{ ...dependency, apiExportRef: { path: named, name: 'network.example.com' } }] } });
      const rules = read([rule(), { ...other, metadata: { ...other.metadata, name: 'other', uid: 'other' } }]);

      const providers = providersOf(seen({ rules }));

      expect(providers.find(({ cluster }) => cluster === NETWORK)?.configurationState.state).toBe(expected);
    },
  );

  it('given a path that nobody could resolve, then neither the configuration nor the rule is judged', () => {
    const facts = { ...seen({}), paths: new Map() };

    const providers = providersOf(facts);

    expect(providers.find(({ cluster }) => cluster === NETWORK)?.configurationState).toMatchObject({ state: 'unknown' });
    expect(ruleViews(facts, providers).map(({ workspace, inForce }) => [workspace, inForce])).toEqual([['compute', 'unknown']]);
  });
});

it('given rules of all workspaces, then each is named by the path of its workspace', () => {
  const facts = seen({ rules: read([rule()]) });

  expect(ruleViews(facts, providersOf(facts)).map(({ workspace, name }) => `${workspace}/${name}`)).toEqual([
    `${DEV_PATHS.compute}/vm-dependencies`,
  ]);
});

describe(workspaceNames, () => {
  it.each([
    {
      given: 'its own workspace',
      presence: { state: 'found', cluster: clusterNamed('home') },
      expected: [DEV_PATHS.depCtrl, DEV_PATHS.network, 'else'],
    },
    { given: 'no workspace of its own', presence: { state: 'in-doubt', text: '' }, expected: ['home', DEV_PATHS.network, 'else'] },
  ] as const)(
    'given dep-ctrl with $given, then workspaces are called by their paths as far as they are known',
    ({ presence, expected }) => {
      const facts = { ...seen({}), home: { ...seen({}).home, presence } };
      const nameOf = workspaceNames(providersOf(seen({})), facts);

      expect(['home', NETWORK, 'else'].map(nameOf)).toEqual(expected);
    },
  );
});
