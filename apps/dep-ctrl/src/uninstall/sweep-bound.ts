// Finds workspaces that bind an installation whose own workspace is gone. No virtual workspace shows them any more, but kcp still serves our types in
// them: the finalizer of a guard there holds the binding and the workspace.
import { listAll, type ClusterClient, type Connection, type Stoppable } from '@dep-ctrl/kcp-client';
import { clusterOf, type KubeObject, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import { EXPORT_NAME, GUARD_FINALIZER, GUARD_NAME, GUARDS, RULES } from '@dep-ctrl/rule-registry';
import { API_BINDINGS } from '@dep-ctrl/kcp-objects';
import { exporterIn, isBindingOf } from '@dep-ctrl/exported-types';
import { describeFailure } from '@dep-ctrl/command-settings';
import { OF_TENANTS } from '../own-objects/tenant-lists.js';
import { bindingsAt, pathsIn, type Place } from './find-removals.js';
import { planRemoval, type Removal } from './plan-removal.js';

/** The objects found, and the workspaces that could not be read, each with manual steps. */
export interface Swept {
  readonly place: Place;
  readonly problems: readonly string[];
}

/** As far as it is needed here. */
export interface Shard {
  readonly connection: Pick<Connection, 'baseUrl' | 'cluster' | 'wildcard'>;
  readonly file: string;
}

/** Guards and rules in the workspaces of one shard that were bound to the installation. */
export async function sweepBound({ connection, file }: Shard, owner: LogicalClusterName, options: Stoppable): Promise<Swept> {
  const { objects } = await listAll(connection.wildcard(), API_BINDINGS, OF_TENANTS, options);
  const bindings = objects.filter((each) => wasBoundTo(each, owner));
  const removals: Removal[] = [];
  const problems: string[] = [];
  for (const binding of bindings) {
    const cluster = clusterOf(binding);
    if (!cluster.ok) throw new Error(cluster.problem);
    try {
      removals.push(...(await lookInside(connection.cluster(cluster.value), owner, options)));
    } catch (error) {
      problems.push(
        `guard and rules in ${cluster.value}: ${describeFailure(error)}; ${byHand(`${connection.baseUrl}/clusters/${cluster.value}`, file)}`,
      );
    }
  }
  const place = {
    name: `shard of ${file}`,
    removals,
    paths: pathsIn(objects),
    bindings: bindingsAt(bindings),
    foreign: [],
    client: (cluster: LogicalClusterName) => connection.cluster(cluster),
  };
  return { place, problems };
}

/** Whether it is, or was, bound to the export in that logical cluster. Pure: the path in its spec may be that of another installation by now. */
export function wasBoundTo(binding: KubeObject, owner: LogicalClusterName): boolean {
  return exporterIn(binding) === owner && isBindingOf(binding, EXPORT_NAME);
}

async function lookInside(client: ClusterClient, owner: LogicalClusterName, options: Stoppable): Promise<readonly Removal[]> {
  const [guards, rules] = await Promise.all([listAll(client, GUARDS, OF_TENANTS, options), listAll(client, RULES, OF_TENANTS, options)]);
  return planRemoval({ configurations: [], guards: guards.objects, rules: rules.objects }, owner);
}

/** The command that takes our finalizer off, and no other. It names the first finalizer, as on a guard that we made; kcp refuses it if another finalizer is first. */
function byHand(server: string, file: string): string {
  const path = '/metadata/finalizers/0';
  const patch = JSON.stringify([
    { op: 'test', path, value: GUARD_FINALIZER },
    { op: 'remove', path },
  ]);
  const command = `kubectl --kubeconfig ${file} --server ${server} patch ${GUARDS.resource}.${GUARDS.group} ${GUARD_NAME} --type json -p '${patch}'`;
  return `a guard there with the finalizer ${GUARD_FINALIZER} keeps the binding and the workspace; to release it (if other finalizers come first, replace both 0 with their number), run: ${command}`;
}
