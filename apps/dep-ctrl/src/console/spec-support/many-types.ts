// What a console shows of an installation with many types: values, as they would have been read.
import type { ReferenceChain, Referrer } from '../../explain/reference-chain.js';
import type { TeardownExplanation } from '../../explain/teardown.js';
import type { GraphReference, GraphType, TypeGraph } from '../../graph/type-graph.js';
import type { RuleStatus, StatusView } from '../../status/status-view.js';
import type { FedDecision } from '../../telemetry/decision-feed.js';
import type { MakePage } from '../console-server.js';
import { decisionsPage } from '../pages/decisions-page.js';
import { deletePage } from '../pages/delete-page.js';
import { graphPage } from '../pages/graph-page.js';
import type { View } from '../pages/page.js';
import { rulesPage } from '../pages/rules-page.js';
import { statusPage } from '../pages/status-page.js';
import { teardownPage } from '../pages/teardown-page.js';

const NOUNS = ['clusters', 'networks', 'disks', 'machines', 'certificates', 'zones', 'buckets', 'queues', 'accounts', 'policies'];

/** Types in workspaces of ten, each referring to two that come before it; the last three of each hundred in a circle. */
export function manyTypes(count: number): TypeGraph {
  const types = Array.from({ length: count }, (_, at): GraphType => {
    const provider = Math.floor(at / 10);
    return {
      id: `t${String(at)}`,
      workspace: `root:providers:provider-${String(provider)}`,
      group: `provider-${String(provider)}.example.com`,
      resource: count > NOUNS.length ? `${NOUNS[at % 10] ?? ''}${String(provider)}` : (NOUNS[at] ?? ''),
      inCycle: count >= 10 && at < 2,
    };
  });
  const references = types.flatMap(({ id, workspace, resource }, at): readonly GraphReference[] =>
    [Math.floor(at / 2), Math.floor(at * 0.8)]
      .filter((to, index, all) => to < at && all.indexOf(to) === index)
      .map((to, index) => ({
        from: id,
        to: `t${String(to)}`,
        rule: { workspace, name: `${resource}-dependencies` },
        fieldPath: index === 0 ? '.spec.parentRef.name' : '.spec.items[*].ref',
        enforcement: at % 7 === 3 ? 'Warn' : 'Deny',
        inCycle: count >= 10 && at === 1,
        ...(at % 11 === 5 ? { inForce: false } : { inForce: true }),
      })),
  );
  if (count < 10) return { types, references, cycles: [] };
  const back: GraphReference = {
    ...{ from: 't0', to: 't1', rule: { workspace: types[0]?.workspace ?? '', name: 'back' }, fieldPath: '.spec.ownerRef.name' },
    ...{ enforcement: 'Deny', inCycle: true, inForce: true },
  };
  return { types, references: [back, ...references], cycles: [['t0', 't1']] };
}

/** The status of an installation with a rule for each type. */
export function statusOf({ types }: TypeGraph): { readonly view: StatusView; readonly wrong: string } {
  const rules = types.map(({ workspace, resource }, at): RuleStatus => {
    const rule = { workspace, name: `${resource}-dependencies` };
    if (at % 11 !== 5) return { ...rule, ready: 'True', inForce: 'yes', reason: 'Installed' };
    const message = `no workspace at "root:providers:netwrok" binds dep-ctrl: correct the path, or have its owner bind it`;
    const fix = 'dep-ctrl bind root:providers:netwrok --kubeconfig admin.kubeconfig';
    return { ...rule, ready: 'False', inForce: 'no', reason: 'NotBound', message, fix };
  });
  const paths = [...new Set(types.map(({ workspace }) => workspace))];
  const bad = rules.filter(({ ready }) => ready !== 'True');
  const at = '2026-01-02T03:04:05.000Z';
  const view: StatusView = {
    well: bad.length === 0,
    at,
    versions: { depCtrl: '0.1.0', kcp: 'v1.36.0+kcp-v0.32.3' },
    home: { path: 'root:dep-ctrl', cluster: '36cs5ckntypb7tjv', protected: 'yes' },
    controller: { state: 'leads', holder: 'controller-0', renewedAt: '2026-01-02T03:04:01.000Z' },
    webhooks: [
      {
        ...{ url: 'https://dep-ctrl.example.com:9443', state: 'answers', versions: ['0.1.0'], namedIn: paths },
        ...{ certificateUntil: '2026-04-02T03:04:05.000Z', caUntil: ['2036-01-02T03:04:05.000Z'] },
      },
    ],
    endpoints: [
      { url: 'https://shard-0.example.com:6443/services/apiexport/x', state: 'read', bindings: paths.length, rules: rules.length },
    ],
    workspaces: paths.map((path, index) => ({
      path,
      cluster: `cluster-${String(index)}`,
      guard: { ready: index !== 3, reason: index === 3 ? 'Conflict' : 'Installed', admits: index % 4 === 1 ? 2 : 'everyone' },
      configuration: index === 3 ? 'foreign' : 'equal',
      guards: types.filter(({ workspace }) => workspace === path).map(({ resource, group }) => `${resource}.${group}`),
      heldByRules: 3,
    })),
    rules,
    ages: [{ what: 'Secret dep-ctrl-url-token', writtenAt: '2025-12-02T03:04:05.000Z' }],
    problems: bad.map(({ workspace, name, message = '', fix = '' }) => ({
      ...{ id: 'rule-ready', where: `rule ${workspace}/${name}`, says: `is not ready (NotBound): ${message}`, run: fix },
    })),
    notLookedAt: [],
  };
  return { view, wrong: bad.length === 0 ? '' : `${String(bad.length)} things are wrong` };
}

/** So many decisions, the latest first. */
export function manyDecisions(count: number): readonly FedDecision[] {
  return Array.from({ length: count }, (_, at): FedDecision => {
    const isRefused = at % 3 === 0;
    return {
      ...{ number: count - at, at: new Date(Date.UTC(2026, 0, 2, 3, 4, 0) - at * 1_500).toISOString(), mode: 'enforcing' },
      ...(isRefused ? { verdict: 'deny', because: 'in-use' } : { verdict: 'allow', because: 'no-dependents' }),
      ...{
        cluster: '1fwrlo3ayz4nwc0p',
        path: 'root:teams:team-a',
        group: 'network.example.com',
        resource: 'vpcs',
      },
      ...{ namespace: 'default', name: `vpc-${String(at)}`, isDryRun: at % 5 === 1, durationMs: 12.5 },
      message: isRefused
        ? `cannot delete vpcs/vpc-${String(at)}: still referenced by VirtualMachine/my-vm, says rule root:providers:compute/vm-dependencies; first change its reference or delete it`
        : '',
    };
  });
}

/** A delete that three layers stand against. */
export function deepChain(): ReferenceChain {
  const by = (fieldPath: string, rule: string): Referrer['by'] => [
    { rule, enforcement: 'Deny', type: '', kind: '', name: '', fieldPath, isTerminating: false },
  ];
  const disk: Referrer = {
    ...{ type: 'backups.store.example.com', kind: 'Backup', namespace: 'default', name: 'nightly', referrers: [] },
    by: by('.spec.machines[*].name', 'root:providers:store/backups'),
  };
  const machine = (name: string, referrers: readonly Referrer[]): Referrer => ({
    ...{ type: 'virtualmachines.compute.example.com', kind: 'VirtualMachine', namespace: 'default', name, referrers },
    by: by('.spec.vpcRef.name', 'root:providers:compute/vm-dependencies'),
  });
  const message =
    'cannot delete vpcs/my-vpc: still referenced by VirtualMachine/my-vm, VirtualMachine/other, says rule root:providers:compute/vm-dependencies';
  return {
    explanation: {
      ...{ workspace: 'root:teams:team-a', object: 'vpcs/my-vpc', namespace: 'default', allowed: false, because: 'in-use', message },
      ...{ warnings: [], blockers: [] },
    },
    referrers: [machine('my-vm', [disk]), machine('other', [{ ...disk, cut: 'seen' }])],
  };
}

/** A teardown that waits. */
export function waitingTeardown(): TeardownExplanation {
  return {
    ...{ workspace: 'root:teams:team-a', deletingSince: '2026-01-02T03:04:05Z', terminators: ['root:dep-ctrl:dependency-ordered'] },
    kcpSays: 'some resources remain: vpcs.network.example.com has 2 resource instances',
    held: [
      {
        object: 'vpcs/my-vpc',
        namespace: 'default',
        because: 'refused',
        message: 'cannot delete vpcs/my-vpc: still referenced by VirtualMachine/my-vm',
      },
      { object: 'buckets/logs', because: 'finalizers', message: 'is being deleted and waits for its finalizer store.example.com/empty' },
    ],
    cutTypes: ['machines.compute.example.com'],
    left: [],
    ending: [],
  };
}

/** All pages of an installation with so many types. */
export function pagesOf(graph: TypeGraph): Readonly<Record<View, MakePage>> {
  const status = statusOf(graph);
  const question = { workspace: 'root:teams:team-a', object: 'vpcs/my-vpc', namespace: 'default', type: '', search: '' };
  return {
    './': () => Promise.resolve(statusPage(status)),
    rules: ({ search = '' }) => Promise.resolve(rulesPage(status.view, { search, show: 'all' })),
    graph: ({ of = '', search = '' }) => graphPage(graph, { of, search, hops: 2, size: undefined }),
    decisions: () =>
      Promise.resolve(
        decisionsPage({ state: 'read', decisions: manyDecisions(graph.types.length), replicas: 2 }, { search: '', verdict: 'all' }),
      ),
    delete: () => Promise.resolve(deletePage(question, { state: 'told', chain: deepChain() })),
    teardown: () => Promise.resolve(teardownPage('root:teams:team-a', { state: 'told', teardown: waitingTeardown() })),
  };
}
