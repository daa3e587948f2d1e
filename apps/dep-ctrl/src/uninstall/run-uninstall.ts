// `dep-ctrl uninstall`: takes back what the controller put into other workspaces. Reads everything from kcp itself, so it needs nothing of ours to
// run; and it believes a removal only when the object is read as gone.
import { systemClock, type Connection } from '@dep-ctrl/kcp-client';
import { parseLogicalClusterName, type LogicalClusterName, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { UsageError, type World } from '../cli/command.js';
import { connect, connectShard, type ConnectionSettings, type ShardAdmin } from '../cli/connect.js';
import { describeFailure } from '../cli/describe-failure.js';
import { printResult } from '../cli/print-result.js';
import { isNotThereYet } from '../kcp-objects/ensure-workspace.js';
import { carryOut } from './carry-out.js';
import { lookBehind, readInstallation, sweepShard, type Installation, type Place } from './find-removals.js';
import type { Removal } from './plan-removal.js';

/** What `uninstall` is told. */
export interface UninstallSettings extends ConnectionSettings {
  readonly workspace: WorkspacePath;
  readonly shardKubeconfigs: readonly string[];
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly output: 'json' | 'yaml' | undefined;
}

/** One removal and how it ended. */
interface Removed {
  readonly cluster: LogicalClusterName;
  readonly path?: string;
  readonly action: Removal['action'];
  readonly state: 'planned' | 'done' | 'failed';
  readonly problem?: string;
}

interface UninstallResult {
  readonly removals: readonly Removed[];
  /** Places that could not be looked at. */
  readonly problems: readonly string[];
}

/** Removes everything, place by place; what fails is named and does not stop the rest. Throws in the end when something is left. */
export async function runUninstall(settings: UninstallSettings, world: World): Promise<void> {
  const connection = connect(settings, world.env);
  const shards = settings.shardKubeconfigs.map(connectShard);
  try {
    const { places, problems } = await lookEverywhere(connection, shards, settings, world);
    if (!settings.dryRun && !settings.yes && places.some(({ removals }) => removals.length > 0)) {
      throw new UsageError(`--yes must be given to remove ${summary(places)}; --dry-run lists them`);
    }
    const tried: Removed[] = [];
    for (const place of places) for (const removal of place.removals) tried.push(await removeOne(place, removal, settings, world));
    const removals = settings.dryRun ? tried : withComebacks(tried, await lookEverywhere(connection, shards, settings, world));
    printResult<UninstallResult>({ removals, problems }, { output: settings.output, stdout: world.stdout, asText });
    const left = removals.filter(({ state }) => state === 'failed').length + problems.length;
    if (left > 0) throw new Error(`${left} of ${removals.length + problems.length} could not be removed or looked at`);
  } finally {
    await Promise.all([connection, ...shards.map((shard) => shard.connection)].map((each) => each.close()));
  }
}

async function lookEverywhere(
  connection: Connection,
  shards: readonly ShardAdmin[],
  { workspace }: UninstallSettings,
  { signal }: World,
): Promise<{ readonly places: readonly Place[]; readonly problems: readonly string[] }> {
  const { owner, endpoints } = await findInstallation(connection, workspace, shards.length > 0, { signal });
  const places: Place[] = [];
  const problems: string[] = [];
  const looks = [
    ...endpoints.map((url) => ({ name: url, look: () => lookBehind(connection, url, owner, { signal }) })),
    ...shards.map((shard) => ({ name: shard.file, look: () => sweepShard(shard, owner, { signal }) })),
  ];
  for (const { name, look } of looks) {
    try {
      places.push(await look());
    } catch (error) {
      problems.push(`${name}: ${describeFailure(error)}`);
    }
  }
  return { places, problems };
}

/** The installation. One whose workspace is gone can still be swept for, by the name of its cluster. */
async function findInstallation(
  connection: Connection,
  workspace: WorkspacePath,
  canSweep: boolean,
  options: { readonly signal: AbortSignal },
): Promise<Installation> {
  try {
    return await readInstallation(connection.cluster(workspace), options);
  } catch (error) {
    const byName = parseLogicalClusterName(workspace);
    if (canSweep && byName.ok && isNotThereYet(error)) return { owner: byName.value, endpoints: [] };
    throw new Error(
      `cannot look into workspace "${workspace}"; if it is gone, give --workspace its logical cluster name, as our label on what is left says, and --shard-kubeconfig`,
      { cause: error },
    );
  }
}

async function removeOne({ client, paths }: Place, removal: Removal, { dryRun }: UninstallSettings, { signal }: World): Promise<Removed> {
  const { cluster, action } = removal;
  const path = paths.get(cluster);
  const what = { cluster, ...(path === undefined ? {} : { path }), action };
  if (dryRun) return { ...what, state: 'planned' };
  try {
    await carryOut(client(cluster), removal, { clock: systemClock, signal });
    return { ...what, state: 'done' };
  } catch (error) {
    return { ...what, state: 'failed', problem: describeFailure(error) };
  }
}

/** What was removed and is there again a moment later: somebody makes it anew. */
function withComebacks(tried: readonly Removed[], { places }: { readonly places: readonly Place[] }): readonly Removed[] {
  const left = new Set(places.flatMap(({ removals }) => removals.map(({ cluster, action }) => `${cluster}/${action}`)));
  return tried.map((each) =>
    each.state === 'done' && left.has(`${each.cluster}/${each.action}`)
      ? { ...each, state: 'failed', problem: 'it is there again: stop the controller first' }
      : each,
  );
}

function summary(places: readonly Place[]): string {
  const count = places.reduce((sum, { removals }) => sum + removals.length, 0);
  const clusters = new Set(places.flatMap(({ removals }) => removals.map(({ cluster }) => cluster)));
  return `${count} objects in ${clusters.size} workspaces`;
}

const OBJECTS = { 'delete-configuration': 'configuration', 'delete-guard': 'guard', 'release-guard': "provider's guard" } as const;

function asText({ removals, problems }: UninstallResult): string {
  if (removals.length === 0 && problems.length === 0) return 'nothing of dep-ctrl is left\n';
  const lines = removals.map(({ cluster, path, action, state, problem }) => {
    const where = path === undefined ? cluster : `${path} (${cluster})`;
    const done = action === 'release-guard' ? 'released' : 'removed';
    const outcome = { planned: `would be ${done}`, done, failed: `not ${done}: ${problem ?? ''}` }[state];
    return `${where}: ${OBJECTS[action]} ${outcome}\n`;
  });
  return [...lines, ...problems.map((problem) => `cannot look at ${problem}\n`)].join('');
}
