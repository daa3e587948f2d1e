import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { parseVirtualWorkspaceUrl, systemClock, type EndpointsState, type VirtualWorkspaceUrl } from '@dep-ctrl/kcp-client';
import { ManualClock } from '@dep-ctrl/kcp-client/testing';
import { CLUSTER_ANNOTATION, type KubeObject, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import { createRegistry, type GuardingAnswer, type RegistryReader } from '@dep-ctrl/rule-registry';
import { vmDependencies } from '../../dev/provider-manifests.js';
import { FedSource } from '../../rules/spec-support/fed-source.js';
import { LiveRules, type LiveRulesDependencies } from './live-rules.js';
import { cluster } from '../testing/builders.js';
import { PATHS, RoleStage } from '../testing/role-stage.js';

const VPCS = { group: 'network.example.com', resource: 'vpcs' };
const WITHDRAWN = endpoint('https://withdrawn:6443/services/apiexport/d/e');
const { signal } = new AbortController();

jest.setTimeout(60_000);

describe(LiveRules, () => {
  let stage: RoleStage;

  beforeAll(async () => {
    stage = await RoleStage.start();
  });

  afterAll(() => stage.stop());
  afterEach(() => stage.kcp.faults.clear());

  it('given a process that has seen nothing, then a look finds the rule', async () => {
    const { registry } = await justStarted().look({ signal });

    expect(guarding(registry)).toMatchObject({ state: 'known', matches: [{ rule: { name: 'vm-dependencies' } }] });
  });

  it('given an export whose endpoint slice is gone, then a process that starts knows that it does not know', async () => {
    slicesAre([]);

    const { registry } = await justStarted().look({ signal });

    expect(guarding(registry).state).toBe('syncing');
  });

  it.each([
    { given: 'was made just now', agoMs: 1_000, isFillingUp: true },
    { given: 'has stood for a while', agoMs: 60_000, isFillingUp: false },
  ])('given an endpoint slice that $given and names nobody, then isFillingUp is $isFillingUp', async ({ agoMs, isFillingUp }) => {
    slicesAre([{ creationTimestamp: new Date(Date.now() - agoMs).toISOString(), endpoints: [] }]);

    const look = await justStarted().look({ signal });

    expect(guarding(look.registry).matches).toEqual([]);
    expect(look.isFillingUp).toBe(isFillingUp);
  });

  it('given an endpoint slice that was made anew and names nobody, then endpoints that the watch knows are read', async () => {
    slicesAre([{ creationTimestamp: '2026-01-01T00:00:00Z', endpoints: [] }]);

    const { registry } = await looking(stage.source).look({ signal });

    expect(guarding(registry)).toMatchObject({ state: 'known', matches: [{ rule: { name: 'vm-dependencies' } }] });
  });

  it.each([
    { given: 'nobody shows any more', where: () => cluster('far'), names: ['of-the-withdrawn', 'vm-dependencies'] },
    { given: 'another endpoint has listed', where: () => stage.compute, names: ['vm-dependencies'] },
  ])(
    'given a rule of a withdrawn endpoint, of a workspace that $given, and no guard that names every rule, then $names guard',
    async ({ where, names }) => {
      const gone = new FedSource();
      gone.name();
      gone.apply(WITHDRAWN, 'rules', { cluster: where(), object: ruleIn(where(), 'of-the-withdrawn') });

      const { registry } = await looking({ seen: gone.seen, state: () => stage.source.state() }).look({ signal });

      const { state, matches } = guarding(registry);
      expect(state).toBe('known');
      expect(matches.map(({ rule }) => rule.name).toSorted()).toEqual(names);
    },
  );

  it('given paths that kcp was asked for, then a look takes these answers, and none from the paths that bindings carry', async () => {
    const { reader: asked, writer } = createRegistry();
    writer.pathResolved(PATHS.network, cluster('elsewhere'));
    writer.pathResolved(PATHS.compute, stage.compute);

    const { registry } = await looking(stage.source, asked).look({ signal });

    expect(guarding(registry).matches).toEqual([]);
    expect(registry.guarded(cluster('elsewhere')).matches).toHaveLength(1);
    expect(registry.paths.pathOf(stage.compute)).toBe(PATHS.compute);
    expect(registry.paths.pathOf(stage.network)).toBeUndefined();
  });

  it('given an endpoint that lists without a version because it serves nothing yet, then it is not known what it will list', async () => {
    const body = { apiVersion: 'dependencies.opendefense.cloud/v1alpha1', kind: 'DependencyRuleList', metadata: {}, items: [] };
    stage.kcp.faults.onRequest({ path: /^\/services\/apiexport\/.*dependencyrules$/, watch: false }, { kind: 'answer', status: 200, body });

    const { registry } = await justStarted().look({ signal });

    expect(guarding(registry).state).toBe('syncing');
  });

  it.each([
    { given: 'at once', tookMs: 0, restMs: 50 },
    { given: 'after half a second', tookMs: 500, restMs: 2_000 },
    { given: 'after two seconds', tookMs: 2_000, restMs: 5_000 },
  ])('given an endpoint that fails $given, then looks leave it alone for $restMs ms, and then it is read', async ({ tookMs, restMs }) => {
    const clock = new ManualClock();
    let isBroken = true;
    const rules = looking(nothingSeen(), createRegistry().reader, {
      clock,
      connection: {
        virtualWorkspace: (endpoint) => {
          if (!isBroken) return stage.connection.virtualWorkspace(endpoint);
          clock.ms += tookMs;
          throw new Error('the connection was closed');
        },
      },
    });
    const isRead = async (): Promise<boolean> => (await rules.look({ signal })).registry.isBound(stage.network);

    expect(await isRead()).toBe(false);
    isBroken = false;
    await clock.advance(restMs - 1);
    expect(await isRead()).toBe(false);
    await clock.advance(1);
    expect(await isRead()).toBe(true);
  });

  /** The rules about VPCs for a consumer of the compute provider and of one that is away. */
  function guarding(registry: RegistryReader): GuardingAnswer {
    return registry.guarding(stage.network, VPCS, new Set([stage.compute, cluster('far')]));
  }

  function ruleIn(where: LogicalClusterName, name: string): KubeObject {
    const { metadata, ...rule } = vmDependencies(PATHS.network);
    return { ...rule, metadata: { ...metadata, name, uid: name, generation: 1, annotations: { [CLUSTER_ANNOTATION]: where } } };
  }

  function justStarted(): LiveRules {
    return looking(nothingSeen());
  }

  function nothingSeen(): LiveRulesDependencies['source'] {
    const state: EndpointsState = { slice: { kind: 'unknown' }, sliceFreshness: { synced: false }, endpoints: new Map() };
    return { seen: new FedSource().seen, state: () => state };
  }

  function looking(
    source: LiveRulesDependencies['source'],
    registry = createRegistry().reader,
    through: Pick<LiveRulesDependencies, 'clock' | 'connection'> = { clock: systemClock, connection: stage.connection },
  ): LiveRules {
    const home = { exportName: stage.exportName, workspace: stage.connection.cluster(PATHS.depCtrl) };
    return new LiveRules({ ...through, home, source, registry });
  }

  function slicesAre(slices: readonly { readonly creationTimestamp: string; readonly endpoints: readonly object[] }[]): void {
    const items = slices.map(({ creationTimestamp, endpoints }) => ({
      metadata: { name: stage.exportName, uid: 'anew', creationTimestamp },
      spec: { export: { name: stage.exportName } },
      status: { endpoints },
    }));
    const list = { apiVersion: 'apis.kcp.io/v1alpha1', kind: 'APIExportEndpointSliceList', metadata: { resourceVersion: '1' }, items };
    stage.kcp.faults.onRequest({ path: /apiexportendpointslices$/, watch: false }, { kind: 'answer', status: 200, body: list });
  }
});

function endpoint(text: string): VirtualWorkspaceUrl {
  const url = parseVirtualWorkspaceUrl(text);
  if (!url.ok) throw new Error(url.problem);
  return url.value;
}
