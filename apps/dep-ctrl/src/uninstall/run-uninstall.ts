// `dep-ctrl uninstall`: removes what the controller wrote into other workspaces. It reads everything from kcp, so no role needs to run. A removal counts
// only when a read shows that the object is gone.
import { isKcpError, type Clock, type Connection, type Stoppable } from '@dep-ctrl/kcp-client';
import { EXPORT_NAME } from '@dep-ctrl/rule-registry';
import { parseLogicalClusterName, type LogicalClusterName, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { API_EXPORT_ENDPOINT_SLICES, isNotThereYet } from '@dep-ctrl/kcp-objects';
import { describeFailure, printResult, UsageError, type World } from '@dep-ctrl/command-settings';
import { refusedByShard, SWEEP_OF_SHARD } from '../shard-rights/refused-by-shard.js';
import { withRole } from '../command-line/missing-role.js';
import { connectAnswering, connectionFlags, connectShard, type ConnectionSettings, type ShardAdmin } from '../command-line/connect.js';
import { OWNER_LABEL } from '../own-objects/configuration-labels.js';
import { lookForExport } from '../command-line/own-export.js';
import { PROTECTION_PLACE } from '../own-objects/home-protection.js';
import {
  lookAtHome,
  lookAtProtection,
  lookAtTeardownType,
  lookBehind,
  readInstallation,
  rightRemovals,
  sweepShard,
  type Installation,
  type Place,
} from './find-removals.js';
import { resolvePaths, withProvenPath } from '../installation/resolve-paths.js';
import { otherInstallations } from './other-installations.js';
import { COMES_BACK, countRemovals, removeInOrder, type Look, type Removed } from './remove-in-order.js';
import { findOrphans } from '../shard-rights/orphaned-rights.js';
import { unsweptShards, type Unswept } from '../shard-rights/shards-not-given.js';
import { findExtendingTypes } from '../teardown-type/extending-types.js';
import { findHeldWorkspaces, type HeldWorkspace } from '../teardown-type/held-workspaces.js';
import { teardownEntry } from '../teardown-type/teardown-type.js';
import { whyItStops } from './why-it-stops.js';
import { sweepBound, type Swept } from './sweep-bound.js';
import { asText, type UninstallResult } from './uninstall-result.js';
import { whatStays } from './what-stays.js';

/** The settings of `uninstall`. */
export interface UninstallSettings extends ConnectionSettings {
  readonly workspace: WorkspacePath;
  readonly shardKubeconfigs: readonly string[];
  readonly yes: boolean;
  /** Go on although workspaces carry the terminator of the ordered teardown, or may. */
  readonly leaveTerminators: boolean;
  /** The workspaces of which nothing has to go before the rest does. */
  readonly leave: readonly LogicalClusterName[];
  readonly dryRun: boolean;
  readonly output: 'json' | 'yaml' | undefined;
}

/** Removes everything, place by place. A failure is printed and does not stop the rest. Throws at the end if anything is left. */
export async function runUninstall(settings: UninstallSettings, world: World, { clock }: { readonly clock: Clock }): Promise<void> {
  const shards = settings.shardKubeconfigs.map(connectShard);
  const connection = await connectAnswering(settings, world);
  try {
    const look = () => lookEverywhere(connection, shards, settings, world);
    const found = await withProvenPaths(connection, settings.workspace, await look(), world);
    const { installation, places, problems, unswept, held, extending } = found;
    const stop =
      hasTeardownType(places) && !settings.leaveTerminators ? whyItStops({ extending, held, shards, unswept, problems }) : undefined;
    if (stop !== undefined && !settings.dryRun) throw new Error(`nothing was removed: ${stop}`);
    if (!settings.dryRun && !settings.yes && places.some(({ removals }) => removals.length > 0)) {
      throw new UsageError(`--yes must be given to ${summary(places, ASKED)}; --dry-run lists them`);
    }
    const tell = teller(settings, world);
    if (places.some(({ removals }) => removals.length > 0)) tell(`${summary(places, BEGUN)} …`);
    const leave: ReadonlySet<LogicalClusterName> = new Set(settings.leave);
    const removals = await removeInOrder({ places, problems }, look, { dryRun: settings.dryRun, leave, clock, signal: world.signal, tell });
    const failed = removals.filter(({ state, cluster }) => state === 'failed' && !leave.has(cluster));
    const left = failed.length + problems.length;
    const others = otherInstallations(places);
    // Half a result would blame objects that were not reached.
    if (left > 0) world.signal.throwIfAborted();
    // If people deleted a binding or the workspace while something is left, it would be harder to remove.
    const stays =
      left > 0 && !settings.dryRun
        ? []
        : whatStays({
            ...settings,
            held,
            extending,
            baseUrl: connection.baseUrl,
            flags: connectionFlags(settings),
            installation,
            unswept,
            places,
            others,
          });
    const gone = installation.isThere ? {} : { goneOwner: installation.owner };
    printResult<UninstallResult>(
      { ...gone, removals, problems, others, stays, held, extending, ...(stop === undefined ? {} : { stop }) },
      { output: settings.output, stdout: world.stdout, asText },
    );
    if (left > 0) throw new Error(`${left} of ${removals.length + problems.length} could not be removed or looked at${orLeave(failed)}`);
  } finally {
    await Promise.all([connection, ...shards.map((shard) => shard.connection)].map((each) => each.close()));
  }
}

/** What a tenant keeps need not keep the rest. */
function orLeave(failed: readonly Removed[]): string {
  const held = failed.filter(({ action, problem }) => action === 'delete-configuration' && problem !== COMES_BACK);
  const clusters = [...new Set(held.map(({ cluster }) => cluster))].sort();
  return clusters.length === 0
    ? ''
    : `; to leave what tenants keep in their own workspaces, and remove the rest: ${clusters.map((each) => `--leave ${each}`).join(' ')}`;
}

/** The workspace of dep-ctrl is looked at before any shard. */
function hasTeardownType(places: readonly Place[]): boolean {
  return places.some(({ removals }) => removals.some(({ action }) => action === 'delete-type'));
}

/** What was found. */
interface Everything extends Look {
  readonly installation: Installation;
  readonly unswept: readonly Unswept[];
  readonly held: readonly HeldWorkspace[];
  /** WorkspaceTypes that extend ours. */
  readonly extending: readonly string[];
}

async function lookEverywhere(
  connection: Connection,
  shards: readonly ShardAdmin[],
  settings: UninstallSettings,
  { signal }: World,
): Promise<Everything> {
  const { workspace } = settings;
  const installation = await findInstallation(connection, settings, shards.length > 0, { signal });
  const { owner, endpoints, isThere } = installation;
  const places: Place[] = [];
  const problems: string[] = [];
  const held = new Map<string, HeldWorkspace>();
  const extending = new Set<string>();
  const found = (place: Place): Swept => ({ place, problems: [] });
  const extended = { home: connection.cluster(workspace), homes: new Set<string>([workspace, owner]) };
  const looks = [
    ...(isThere ? [{ name: workspace, look: async () => found(await lookAtHome(connection.cluster(workspace), owner, { signal })) }] : []),
    ...(isThere
      ? [{ name: workspace, look: async () => found(await lookAtTeardownType(connection.cluster(workspace), owner, { signal })) }]
      : []),
    { name: PROTECTION_PLACE, look: async () => found(await lookAtProtection(connection, owner, { signal })) },
    ...endpoints.map((url) => ({ name: url, look: async () => found(await lookBehind(connection, url, owner, { signal })) })),
    ...shards.map((shard) => ({
      name: shard.file,
      look: () =>
        onShard(shard, async () => {
          const swept = found(await sweepShard(shard, owner, { signal }));
          // A shard that was given twice shows everything twice.
          for (const each of await findHeldWorkspaces(shard, teardownEntry(owner), { signal })) held.set(each.cluster, each);
          if (hasTeardownType(places)) for (const each of await findExtendingTypes(shard, extended, { signal })) extending.add(each);
          return swept;
        }),
    })),
    ...(isThere ? [] : shards).map((shard) => ({
      name: shard.file,
      look: () => onShard(shard, () => sweepBound(shard, owner, { signal })),
    })),
  ];
  for (const { name, look } of looks) {
    try {
      const swept = await look();
      places.push(swept.place);
      problems.push(...swept.problems);
    } catch (error) {
      problems.push(`${name}: ${describeFailure(error)}`);
    }
  }
  places.push(...(await orphanedRights(connection, shards, owner, { signal })));
  const unswept = shards.length === 0 ? [] : await unsweptShards(connection, shards, { signal });
  // No endpoint shows what is left there either.
  if (!isThere) problems.push(...unswept.map(({ where, why }) => `${where}: ${why}`));
  // What keeps one from looking at a shard keeps from each look.
  return {
    installation,
    places,
    problems: [...new Set(problems)],
    unswept: isThere ? unswept : [],
    held: [...held.values()],
    extending: [...extending],
  };
}

/** What installations left on the shards whose workspaces are gone. */
async function orphanedRights(
  connection: Connection,
  shards: readonly ShardAdmin[],
  owner: Installation['owner'],
  options: { readonly signal: AbortSignal },
): Promise<readonly Place[]> {
  const { found } = await findOrphans(connection, shards, owner, options);
  return found.map(({ shard, rights }) => ({
    name: `shard of ${shard.file}, of an installation whose workspace is gone`,
    removals: rightRemovals(rights),
    paths: new Map(),
    bindings: [],
    foreign: [],
    client: (cluster) => shard.connection.cluster(cluster),
  }));
}

/**
 * With the paths that kcp names these workspaces for: whoever may write in a workspace may write the path of another one there. A configuration that the
 * label finds says no path; the binding beside it does.
 */
async function withProvenPaths(connection: Connection, home: WorkspacePath, found: Everything, options: Stoppable): Promise<Everything> {
  const { installation, places, held } = found;
  const said = new Map(places.flatMap((place) => [...place.paths]));
  const paths = await resolvePaths(connection, [...said.values(), ...held.flatMap(({ path = [] }) => path)], options);
  const proven = new Map([...said].filter(([cluster, path]) => paths.get(path) === cluster));
  if (installation.isThere) proven.set(installation.owner, home);
  return {
    ...found,
    places: places.map((place) => ({ ...place, paths: proven })),
    held: held.map((each) => withProvenPath(each, paths)),
  };
}

/** Looks at a shard. If that is refused, the failure says which kubeconfig is needed. */
async function onShard<T>(shard: ShardAdmin, look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    throw isKcpError(error) ? refusedByShard(error, shard, SWEEP_OF_SHARD) : error;
  }
}

/** Finds the installation. If its workspace is gone, its objects can still be found by the name of its cluster. */
async function findInstallation(
  connection: Connection,
  settings: UninstallSettings,
  canSweep: boolean,
  options: Stoppable,
): Promise<Installation> {
  const { workspace } = settings;
  const flags = connectionFlags(settings);
  try {
    return await readInstallation(connection.cluster(workspace), options);
  } catch (error) {
    const byName = parseLogicalClusterName(workspace);
    if (canSweep && byName.ok && isNotThereYet(error)) return { owner: byName.value, endpoints: [], isThere: false };
    if (!isNotThereYet(error)) throw new Error(`cannot look into workspace "${workspace}" (--workspace)`, { cause: error });
    const isName = byName.ok && !workspace.includes(':') && workspace !== 'root';
    const cure = isName ? SHARDS_ARE_MISSING : nameOfGone(connection.baseUrl, flags);
    const slice = { type: API_EXPORT_ENDPOINT_SLICES, name: EXPORT_NAME, purpose: 'read it', cure };
    const doubt = await lookForExport(connection, { path: workspace, by: '--workspace', flags }, slice, options);
    const says = `${doubt?.text ?? `workspace "${workspace}" (--workspace) does not answer`}${cure}`;
    throw withRole(new Error(says, { cause: error }), { path: workspace, clusterRole: 'cluster-admin' }, connection.baseUrl);
  }
}

const SHARDS_ARE_MISSING =
  '; if it is the logical cluster of a workspace of dep-ctrl that is gone, give --shard-kubeconfig too, once per shard: only their admins can look for what is left';

/** How to name an installation whose workspace is gone. */
function nameOfGone(baseUrl: string, flags: readonly string[]): string {
  const server = `--server ${baseUrl}/clusters/PROVIDER`;
  const ask = ['kubectl', ...flags, server, `get validatingwebhookconfigurations -L ${OWNER_LABEL}`].join(' ');
  return `; give the workspace of dep-ctrl as --workspace. If that workspace is gone, give its logical cluster instead, and --shard-kubeconfig once per shard: the label ${OWNER_LABEL} of leftover objects says it ("${ask}")`;
}

const ASKED = { remove: 'remove', mark: 'mark' };
const BEGUN = { remove: 'removing', mark: 'marking' };

function summary(places: readonly Place[], { remove, mark }: typeof ASKED): string {
  const { objects, rules, workspaces } = countRemovals(places);
  const wanted = [
    ...(objects > 0 ? [`${remove} ${counted(objects, 'object')}`] : []),
    ...(rules > 0 ? [`${mark} ${counted(rules, 'rule')} as Uninstalled`] : []),
  ];
  return `${wanted.join(' and ')} in ${counted(workspaces, 'workspace')}`;
}

/** Prints progress for people at a terminal. Scripts read the result. */
function teller({ dryRun, output }: UninstallSettings, { stderr }: World): (line: string) => void {
  const isWatched = stderr.isTerminal && output === undefined && !dryRun;
  return (line) => {
    if (isWatched) stderr.write(`${line}\n`);
  };
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
