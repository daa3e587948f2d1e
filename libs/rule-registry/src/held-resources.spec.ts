import { describe, expect, it } from '@jest/globals';
import { createRegistry, reportRule, type RuleReport } from './index.js';
import { cluster, dependencySpec, guard, path, ruleObject, ruleRef, ruleSpec } from './testing/builders.js';

const VPCS = { group: 'network.example.com', resource: 'vpcs' };
const SUBNETS = { group: 'network.example.com', resource: 'subnets' };
const network = cluster('network');
const vpcs = dependencySpec();
const subnets = dependencySpec({ resource: 'subnets', fieldRef: { path: '.spec.subnet' } });
const brokenField = { fieldRef: { path: '.spec.a[*].name', namespacePath: '.spec.b[*].ns' } };
const builtIn = { group: 'rbac.authorization.k8s.io', resource: 'clusterroles' };
const elsewhere = { apiExportRef: { path: 'root:compute', name: 'x' } };

describe('an edit that cannot be read unguards nothing', () => {
  it.each<{ given: string; spec: unknown; inForce: readonly string[]; held: readonly string[] }>([
    { given: 'a target twice', spec: targets(vpcs, vpcs, subnets), inForce: ['vpcs', 'subnets'], held: [] },
    { given: 'a bad field among good targets', spec: targets({ ...vpcs, ...brokenField }, subnets), inForce: ['subnets'], held: ['vpcs'] },
    {
      given: 'a bad field beside a good one of the same type',
      spec: targets(vpcs, { ...vpcs, ...brokenField }, subnets),
      inForce: ['vpcs', 'subnets'],
      held: ['vpcs'],
    },
    {
      given: 'a bad field beside a good one of the same type, but of another workspace',
      spec: targets(vpcs, { ...vpcs, ...brokenField, ...elsewhere }, subnets),
      inForce: ['vpcs', 'subnets'],
      held: [],
    },
    {
      given: 'a bad field beside a good one of the same type, of a workspace that nobody could resolve',
      spec: targets(vpcs, { ...vpcs, ...brokenField, apiExportRef: { path: 'root:unknown', name: 'x' } }, subnets),
      inForce: ['vpcs', 'subnets'],
      held: ['vpcs'],
    },
    {
      given: 'a path that no workspace can have',
      spec: targets({ ...vpcs, apiExportRef: { path: 'root:a-', name: 'x' } }, subnets),
      inForce: ['subnets'],
      held: ['vpcs'],
    },
    { given: 'a target made a built-in type', spec: targets({ ...vpcs, ...builtIn }, subnets), inForce: ['subnets'], held: ['vpcs'] },
    { given: 'a target that is no object', spec: targets(7, vpcs), inForce: ['vpcs'], held: ['vpcs', 'subnets'] },
    { given: 'no target that can be read', spec: targets({}, {}), inForce: [], held: ['vpcs', 'subnets'] },
    { given: 'no targets', spec: targets(), inForce: [], held: ['vpcs', 'subnets'] },
    {
      given: 'a dependent made a built-in type',
      spec: { ...ruleSpec({ dependencies: [vpcs, subnets] }), dependent: { ...ruleSpec().dependent, ...builtIn } },
      inForce: [],
      held: ['vpcs', 'subnets'],
    },
    {
      given: 'an unknown enforcement',
      spec: { ...ruleSpec(), dependencies: [vpcs, subnets], enforcement: 'Dney' },
      inForce: ['vpcs', 'subnets'],
      held: [],
    },
    { given: 'no spec', spec: null, inForce: [], held: ['vpcs', 'subnets'] },
  ])('given $given, then what can be read is in force and of the rest what the guard names stays held', ({ spec, inForce, held }) => {
    const reader = readerOf(reportOf(spec));

    expect(namesOf((type) => reader.guarding(network, type).matches)).toEqual(inForce);
    expect(namesOf((type) => reader.guarding(network, type).held)).toEqual(held);
    expect(namesOf((type) => reader.guarding('anywhere', type).held)).toEqual(held);
    expect(reader.guarded(network).held.map(({ ref }) => ref.resource)).toEqual(held.map((name) => `${name}.network.example.com`));
  });

  it('given an enforcement that cannot be read, then the strictest is in force', () => {
    const spec = { ...ruleSpec(), enforcement: 'Audti', whileTerminating: 'Ingore' };

    const [match] = readerOf(reportOf(spec)).guarding(network, VPCS).matches;

    expect(match?.rule).toMatchObject({ enforcement: 'Deny', whileTerminating: 'Block' });
  });

  it('given a guard that names nothing of it, then a rule that was never in force holds nothing', () => {
    const { reader } = listed(reportOf(targets({ ...vpcs, ...brokenField })), guard({ cluster: network }));

    expect(reader.guarding(network, VPCS)).toMatchObject({ state: 'known', matches: [], held: [] });
  });

  it('given a guard that says of another rule what that one held, then this one holds only what is said of it', () => {
    const own = { ...ruleRef('compute'), resource: 'subnets.network.example.com' };
    const { reader } = listed(reportOf(targets({})), naming({ ruleRefs: [ruleRef('compute', 'other'), own] }));

    expect(reader.guarding(network, VPCS)).toMatchObject({ state: 'known', held: [] });
    expect(reader.guarding(network, SUBNETS)).toMatchObject({ state: 'known', held: [{ ref: own }] });
  });

  it('given a guard whose status was cut, then what it names is held, and nobody waits for more', () => {
    const { reader } = listed(reportOf(targets({})), naming({ namesEveryRule: false }));

    expect(reader.guarding(network, VPCS)).toMatchObject({ state: 'known', held: [{}] });
  });

  it.each([
    { given: 'its guard deleted by hand', change: (writer: Writer) => writer.guardRemoved('s0', network) },
    {
      given: 'a guard made again that says nothing yet',
      change: (writer: Writer) => writer.guardApplied('s0', naming({ uid: 'new', ruleRefs: [], namesEveryRule: false })),
    },
  ])('given $given, then nobody knows what the rule held, until the guard says it again', ({ change }) => {
    const { reader, writer } = listed(reportOf(targets({ ...vpcs, ...brokenField }, subnets)), naming({}));

    change(writer);

    const missing = [{ kind: 'guard', guarded: network, rule: { cluster: 'compute', name: ruleRef('compute').name } }];
    expect(reader.guarding(network, VPCS)).toMatchObject({ state: 'syncing', missing });
    expect(reader.guarding(network, SUBNETS)).toMatchObject({ state: 'known', matches: [{}] });
    writer.guardApplied('s0', naming({ uid: 'new', generation: 2 }));
    expect(reader.guarding(network, VPCS)).toMatchObject({ state: 'known', held: [{}] });
  });

  it('given a guard whose status was cut before it came to the rule, then nobody knows what the rule held, until it can be read or is gone', () => {
    const cut = { ruleRefs: [ruleRef('compute', 'other')], namesEveryRule: false };
    const { reader, writer } = listed(reportOf(targets({ ...vpcs, ...brokenField }, subnets)), naming(cut));

    const missing = [{ kind: 'guard', guarded: network, rule: { cluster: 'compute', name: ruleRef('compute').name } }];
    expect(reader.guarding(network, VPCS)).toMatchObject({ state: 'syncing', missing });
    expect(reader.guarding(network, SUBNETS)).toMatchObject({ state: 'known', matches: [{}] });
    writer.ruleRemoved('s0', ruleRef('compute').key);
    expect(reader.guarding(network, VPCS)).toMatchObject({ state: 'known', held: [] });
  });

  it('given a guard made again that admits others only, then the rule is known to hold nothing', () => {
    const says = { uid: 'new', ruleRefs: [], namesEveryRule: false, allowRulesFrom: [] };
    const { reader } = listed(reportOf(targets({})), naming(says));

    expect(reader.guarding(network, VPCS)).toMatchObject({ state: 'known', held: [] });
  });

  it('given a provider that admits the rule no more, then it holds nothing there', () => {
    const { reader, writer } = listed(reportOf(targets({})), naming({}));

    writer.guardApplied('s0', naming({ generation: 2, allowRulesFrom: [] }));

    expect(reader.guarding(network, VPCS)).toMatchObject({ state: 'known', held: [] });
  });

  it('given the rule is mended or deleted, then it holds what it says, or nothing', () => {
    const { reader, writer } = listed(reportOf(targets({})), naming({}));

    writer.ruleApplied('s0', reportOf(targets(vpcs), 2));
    expect(reader.guarding(network, VPCS)).toMatchObject({ matches: [{}], held: [] });

    writer.ruleApplied('s0', reportOf(targets({}), 3));
    expect(reader.guarding(network, VPCS)).toMatchObject({ matches: [], held: [{}] });

    writer.ruleRemoved('s0', ruleRef('compute').key);
    expect(reader.guarding(network, VPCS)).toMatchObject({ state: 'known', matches: [], held: [] });
  });

  it('given a rule that can be read no more, then the guards that name it are looked at', () => {
    const { writer } = listed(reportOf(targets(vpcs)), naming({}));

    expect(writer.ruleApplied('s0', reportOf(targets({}), 2)).guarded).toContain('network');
  });
});

type Writer = ReturnType<typeof createRegistry>['writer'];

function targets(...dependencies: readonly unknown[]): unknown {
  return { ...ruleSpec(), dependencies };
}

function reportOf(spec: unknown, generation = 1): RuleReport {
  return reportRule(cluster('compute'), ruleObject(spec, { generation }));
}

/** The guard of the network workspace, which names what the rule held before the edit. */
function naming(change: Partial<Parameters<typeof guard>[0]>) {
  const ref = ruleRef('compute');
  return guard({ cluster: network, ruleRefs: [ref, { ...ref, resource: 'subnets.network.example.com' }], ...change });
}

function listed(report: RuleReport, ofNetwork: ReturnType<typeof guard>) {
  const registry = createRegistry();
  registry.writer.endpointsRead(['s0']);
  registry.writer.workspacesListed('s0', [
    { cluster: network, path: path('root:network') },
    { cluster: cluster('compute'), path: path('root:compute') },
  ]);
  registry.writer.guardsListed('s0', [ofNetwork]);
  registry.writer.rulesListed('s0', [report]);
  return registry;
}

function readerOf(report: RuleReport) {
  return listed(report, naming({})).reader;
}

function namesOf(found: (type: typeof VPCS) => readonly unknown[]): readonly string[] {
  return [VPCS, SUBNETS].filter((type) => found(type).length > 0).map(({ resource }) => resource);
}
