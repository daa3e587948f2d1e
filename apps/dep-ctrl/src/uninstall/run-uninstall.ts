// `dep-ctrl uninstall`: takes back what the controller put into other workspaces. Reads everything from kcp itself, so it needs nothing of ours to
// run; and it believes a removal only when the object is read as gone.
import type { Clock, Connection } from '@dep-ctrl/kcp-client';
import { parseLogicalClusterName, type LogicalClusterName, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { UsageError, type World } from '../cli/command.js';
import { connect, connectShard, type ConnectionSettings, type ShardAdmin } from '../cli/connect.js';
import { describeFailure } from '../cli/describe-failure.js';
import { printResult } from '../cli/print-result.js';
import { isNotThereYet } from '../kcp-objects/ensure-workspace.js';
import { carryOut } from './carry-out.js';
import { lookBehind, readInstallation, sweepShard, type Installation, type Place } from './find-removals.js';
import type { Removal } from './plan-removal.js';
import { whatStays, type Staying } from './what-stays.js';

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
  readonly name: string;
  /** Where it was found. */
  readonly place: string;
  readonly state: 'planned' | 'done' | 'failed';
  readonly problem?: string;
}

interface UninstallResult {
  readonly removals: readonly Removed[];
  /** Places that could not be looked at. */
  readonly problems: readonly string[];
  /** What is not ours to remove, or of no harm, with the command that removes it. */
  readonly stays: readonly Staying[];
}

/** Removes everything, place by place; what fails is named and does not stop the rest. Throws in the end when something is left. */
export async function runUninstall(settings: UninstallSettings, world: World, { clock }: { readonly clock: Clock }): Promise<void> {
  const connection = connect(settings, world.env);
  const shards = settings.shardKubeconfigs.map(connectShard);
  try {
    const { installation, places, problems } = await lookEverywhere(connection, shards, settings, world);
    if (!settings.dryRun && !settings.yes && places.some(({ removals }) => removals.length > 0)) {
      throw new UsageError(`--yes must be given to remove ${summary(places)}; --dry-run lists them`);
    }
    const look = () => lookEverywhere(connection, shards, settings, world);
    const removals = await removeAll({ places, problems }, look, settings, { clock, signal: world.signal });
    const stays = whatStays({ ...settings, baseUrl: connection.baseUrl, installation, places });
    printResult<UninstallResult>({ removals, problems, stays }, { output: settings.output, stdout: world.stdout, asText });
    const left = removals.filter(({ state }) => state === 'failed').length + problems.length;
    if (left > 0) throw new Error(`${left} of ${removals.length + problems.length} could not be removed or looked at`);
  } finally {
    await Promise.all([connection, ...shards.map((shard) => shard.connection)].map((each) => each.close()));
  }
}

/** What there is. */
interface Look {
  readonly installation: Installation;
  readonly places: readonly Place[];
  readonly problems: readonly string[];
}

async function lookEverywhere(
  connection: Connection,
  shards: readonly ShardAdmin[],
  { workspace }: UninstallSettings,
  { signal }: World,
): Promise<Look> {
  const installation = await findInstallation(connection, workspace, shards.length > 0, { signal });
  const { owner, endpoints } = installation;
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
  return { installation, places, problems };
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
    if (canSweep && byName.ok && isNotThereYet(error)) return { owner: byName.value, endpoints: [], isThere: false };
    throw new Error(
      `cannot look into workspace "${workspace}"; if it is gone, give --workspace its logical cluster name, as our label on what is left says, and --shard-kubeconfig`,
      { cause: error },
    );
  }
}

interface Options {
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** A controller that still runs makes a guard again within this, on a busy machine too. */
const COMES_BACK_WITHIN_MS = 3_000;

/**
 * Rights go last: while a configuration refuses deletes, the webhook has to be able to answer. So they stay while anything else is left, or
 * is made again by a controller that still runs.
 */
async function removeAll(
  { places, problems }: Pick<Look, 'places' | 'problems'>,
  lookAgain: () => Promise<Look>,
  settings: UninstallSettings,
  options: Options,
): Promise<readonly Removed[]> {
  const all = places.flatMap((place) => place.removals.map((removal) => ({ place, removal })));
  const [rights, others] = [all.filter(isRight), all.filter((each) => !isRight(each))];
  const tried: Removed[] = [];
  for (const { place, removal } of others) tried.push(await removeOne(place, removal, settings, options));
  const proven = settings.dryRun ? tried : await provenGone(tried, lookAgain, { waits: rights.length > 0, ...options });
  const keeps = problems.length > 0 || proven.some(({ state }) => state === 'failed');
  const removed: Removed[] = [];
  for (const { place, removal } of rights) removed.push(keeps ? kept(place, removal) : await removeOne(place, removal, settings, options));
  return [...proven, ...(settings.dryRun ? removed : withComebacks(removed, await lookAgain()))];
}

/** What was removed, looked at again; if it `waits`, once whoever makes it anew has had the time to. */
async function provenGone(
  tried: readonly Removed[],
  lookAgain: () => Promise<Look>,
  { waits, clock, signal }: Options & { readonly waits: boolean },
): Promise<readonly Removed[]> {
  const atOnce = withComebacks(tried, await lookAgain());
  if (!waits || !atOnce.some(({ state }) => state === 'done')) return atOnce;
  await clock.sleep(COMES_BACK_WITHIN_MS, { signal });
  return withComebacks(atOnce, await lookAgain());
}

function isRight({ removal }: { readonly removal: Removal }): boolean {
  return removal.action === 'delete-right';
}

function named({ name: place, paths }: Place, { cluster, action, object }: Removal): Omit<Removed, 'state'> {
  const path = paths.get(cluster);
  // Role and binding have the same name.
  const name = action === 'delete-right' ? `${object.kind ?? ''} ${object.metadata.name ?? ''}` : (object.metadata.name ?? '');
  return { cluster, ...(path === undefined ? {} : { path }), action, name, place };
}

function kept(place: Place, removal: Removal): Removed {
  return { ...named(place, removal), state: 'failed', problem: 'the webhook needs it while something else is left' };
}

async function removeOne(place: Place, removal: Removal, { dryRun }: UninstallSettings, options: Options): Promise<Removed> {
  const what = named(place, removal);
  if (dryRun) return { ...what, state: 'planned' };
  try {
    await carryOut(place.client(removal.cluster), removal, options);
    return { ...what, state: 'done' };
  } catch (error) {
    return { ...what, state: 'failed', problem: describeFailure(error) };
  }
}

/** What was removed and is there again a moment later: somebody makes it anew. */
function withComebacks(tried: readonly Removed[], { places }: Pick<Look, 'places'>): readonly Removed[] {
  const left = new Set(places.flatMap((place) => place.removals.map((removal) => keyOf(named(place, removal)))));
  return tried.map((each) =>
    each.state === 'done' && left.has(keyOf(each))
      ? { ...each, state: 'failed', problem: 'it is there again: stop the controller first' }
      : each,
  );
}

// Workspaces of consumers are found behind an endpoint or on a shard, and are the same; every shard has a system:admin of its own.
function keyOf({ cluster, action, name, place }: Omit<Removed, 'state'>): string {
  return action === 'delete-right' ? `${place} ${name}` : `${cluster}/${action}`;
}

function summary(places: readonly Place[]): string {
  const count = places.reduce((sum, { removals }) => sum + removals.length, 0);
  const clusters = new Set(places.flatMap(({ removals }) => removals.map(({ cluster }) => cluster)));
  return `${counted(count, 'object')} in ${counted(clusters.size, 'workspace')}`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

const OBJECTS = {
  'delete-configuration': 'configuration',
  'delete-guard': 'guard',
  'release-guard': "provider's guard",
} as const;

function asText({ removals, problems, stays }: UninstallResult): string {
  const lines = removals.map(({ cluster, path, action, name, place, state, problem }) => {
    const where = action === 'delete-right' ? `${name}, ${place}` : path === undefined ? cluster : `${path} (${cluster})`;
    const done = action === 'release-guard' ? 'released' : 'removed';
    const outcome = { planned: `would be ${done}`, done, failed: `not ${done}: ${problem ?? ''}` }[state];
    return action === 'delete-right' ? `${where}: ${outcome}\n` : `${where}: ${OBJECTS[action]} ${outcome}\n`;
  });
  const isClean = problems.length === 0 && removals.every(({ state }) => state === 'done');
  return [
    ...lines,
    ...problems.map((problem) => `cannot look at ${problem}\n`),
    ...(isClean ? ['no configuration and no guard of dep-ctrl is left\n'] : []),
    ...stays.map(({ what, removedBy }) => `stays: ${what}: ${removedBy}\n`),
  ].join('');
}
