import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { systemClock, type ClusterClient } from '@dep-ctrl/kcp-client';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { GUARD_NAME, GUARDS, RULES, type DependencyRuleStatus } from '@dep-ctrl/rule-registry';
import { ensureObject, getIfExists } from '@dep-ctrl/kcp-objects';
import { allCommand } from '../commands/role-commands.js';
import { bindCommand } from '../commands/bind-command.js';
import { bootstrapCommand } from '../commands/bootstrap-command.js';
import { explainCommand } from '../commands/explain-command.js';
import { graphCommand } from '../commands/graph-command.js';
import { statusCommand } from '../commands/status-command.js';
import { DEV_PATHS } from '../dev/dev-paths.js';
import { networkProvider, vmDependencies, vpc, VPCS } from '../dev/provider-manifests.js';
import type { TypeGraph } from '../graph/type-graph.js';
import type { StatusView } from '../status/status-view.js';
import { onEmbeddedKcp, shardKubeconfigs, type EmbeddedWorld } from '../testing/embedded-world.js';
import { exportType } from '../testing/export-type.js';
import { makeReferringMachine } from '../testing/referring-machine.js';
import { runCli } from '../testing/run-cli.js';
import { conditionOf, eventually, statusOf } from './testing/observations.js';

const options = () => ({ signal: AbortSignal.timeout(60_000), clock: systemClock, timeoutMs: 60_000 });
const { network, compute, teamA } = DEV_PATHS;
const OWN_PORTS = ['--health-probe-bind-address', '127.0.0.1:0', '--metrics-bind-address', '127.0.0.1:0'];

const GOOD = ruleWith('good', {});
const WRONG_EXPORT = ruleWith('odd', { apiExportRef: { path: network, name: 'netwrk.example.com' } });
const OTHER_EXPORT = ruleWith('odd', { apiExportRef: { path: network, name: 'other.example.com' } });
const WRONG_GROUP = ruleWith('odd', { group: 'netwrk.example.com' });
const WRONG_RESOURCE = ruleWith('odd', { resource: 'vpcz' });

const IN_FORCE = {
  installed: 'True Written 1/1',
  says: 'in force as written, although',
  isRefused: true,
  names: ['odd'],
  shown: 'True yes true',
};
const IDLE = { says: 'and takes effect once that workspace exports the type', isRefused: false, names: ['odd'], shown: 'False no false' };

describe('a rule whose only target is not exported as it says', () => {
  it(
    'given it alone, or what a good rule left, then its condition, status, graph, explain and a delete agree on whether it is in force',
    () =>
      onEmbeddedKcp(async (world) => {
        await providersAndConsumer(world);
        const stopping = new AbortController();
        const argv = ['--kubeconfig', join(world.dir, 'all.kubeconfig'), '--webhook-port', '0', ...OWN_PORTS];
        const running = runCli(allCommand, argv, { signal: stopping.signal });
        try {
          expect(await truthAbout(world, WRONG_EXPORT)).toEqual({ ready: 'False ExportNotFound', ...IN_FORCE });
          expect(await truthAbout(world, OTHER_EXPORT)).toEqual({ ready: 'False ResourceNotExported', ...IN_FORCE });
          const unexported = { ready: 'False ResourceNotExported', installed: 'False ResourceNotExported 0/1', ...IDLE };
          expect(await truthAbout(world, WRONG_GROUP)).toEqual(unexported);
          expect(await truthAbout(world, WRONG_EXPORT, { after: GOOD })).toEqual({ ready: 'False ExportNotFound', ...IN_FORCE });
          expect(await truthAbout(world, WRONG_RESOURCE, { after: GOOD })).toEqual(unexported);
        } finally {
          stopping.abort();
          await running;
        }
      }),
    180_000,
  );
});

/** What is shown of a rule that is the only one in the end, and what becomes of a delete; the rule goes afterwards. */
async function truthAbout({ admin, adminKubeconfig }: EmbeddedWorld, odd: KubeObject, { after }: { readonly after?: KubeObject } = {}) {
  const [rules, team] = [admin.cluster(compute), admin.cluster(teamA)];
  const guard = () => getIfExists(admin.cluster(network), GUARDS, { name: GUARD_NAME }, options());
  if (after !== undefined) await inForce(rules, after);
  await rules.create(RULES, odd, options());
  const rule = await eventually(
    () => rules.get(RULES, { name: 'odd' }, options()),
    (found) => !['none', 'False Pending'].includes(conditionOf(found, 'Ready')),
  );
  if (after !== undefined) await rules.delete(RULES, { name: after.metadata.name ?? '' }, options());
  // The configuration shrinks before its guard says so.
  await eventually(guard, (found) => namedBy(found).join() === 'odd' && conditionOf(found, 'Ready') === 'True Written');

  const explained = await runCli(explainCommand, ['vpcs/my-vpc', '--kubeconfig', adminKubeconfig, '--workspace', teamA]);
  const shown = await shownInForce(adminKubeconfig);
  const refusal = await team.delete(VPCS, { name: 'my-vpc', namespace: 'default' }, options()).then(() => '', String);
  if (refusal === '') await ensureObject(team, VPCS, vpc('my-vpc'), options());
  const names = namedBy(await guard());
  await rules.delete(RULES, { name: 'odd' }, options());
  await eventually(guard, (found) => found === undefined);

  const isRefused = refusal.includes('still referenced by VirtualMachine/my-vm');
  expect(explained.stdout).toContain(isRefused ? 'a delete would be refused' : 'a delete would go through (no rule guards its type)');
  const message = readyMessage(rule);
  return {
    ready: conditionOf(rule, 'Ready'),
    installed: `${conditionOf(rule, 'WebhooksInstalled')} ${String(statusOf(rule)['targetsInstalled'])}`,
    says: [IN_FORCE.says, IDLE.says].find((text) => message.includes(text)),
    isRefused,
    names,
    shown: `${conditionOf(rule, 'InForce').split(' ')[0] ?? ''} ${shown}`,
  };
}

/** What status and graph say about whether the one rule is in force. */
async function shownInForce(kubeconfig: string): Promise<string> {
  const flags = ['--kubeconfig', kubeconfig, '-o', 'json'];
  const status = JSON.parse((await runCli(statusCommand, flags)).stdout) as StatusView;
  const graph = JSON.parse((await runCli(graphCommand, flags)).stdout) as TypeGraph;
  return [...status.rules, ...graph.references].map(({ inForce }) => String(inForce)).join(' ');
}

async function inForce(rules: ClusterClient, rule: KubeObject): Promise<void> {
  await rules.create(RULES, rule, options());
  await eventually(
    () => rules.get(RULES, { name: rule.metadata.name ?? '' }, options()),
    (found) => conditionOf(found, 'Ready') === 'True Installed',
  );
}

function namedBy(guard: KubeObject | undefined): readonly string[] {
  const { rules = [] } = statusOf(guard) as { readonly rules?: readonly { readonly rule: string }[] };
  return rules.map(({ rule }) => rule);
}

function readyMessage(rule: KubeObject): string {
  const { conditions = [] } = statusOf(rule) as DependencyRuleStatus;
  return conditions.find(({ type }) => type === 'Ready')?.message ?? '';
}

function ruleWith(name: string, change: object): KubeObject {
  const rule = vmDependencies(network);
  const spec = rule['spec'] as { readonly dependencies: readonly object[] };
  return { ...rule, metadata: { name }, spec: { ...spec, dependencies: spec.dependencies.map((each) => ({ ...each, ...change })) } };
}

async function providersAndConsumer(world: EmbeddedWorld): Promise<void> {
  const { admin, adminKubeconfig } = world;
  const shards = (await shardKubeconfigs(world)).flatMap((file) => ['--shard-kubeconfig', file]);
  await runCli(bootstrapCommand, ['--kubeconfig', adminKubeconfig, '--kubeconfig-dir', world.dir, ...shards]);
  await makeReferringMachine(admin);
  await exportType(admin.cluster(network), other(), options());
  await runCli(bindCommand, ['--kubeconfig', adminKubeconfig, ...shards, network, compute]);
}

/** Another export of the network provider, of other types. */
function other(): ReturnType<typeof networkProvider> {
  const text = JSON.stringify(networkProvider()).replaceAll('network.example.com', 'other.example.com');
  return JSON.parse(text) as ReturnType<typeof networkProvider>;
}
