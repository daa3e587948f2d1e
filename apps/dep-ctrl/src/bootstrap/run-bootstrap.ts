// `dep-ctrl bootstrap`: makes the workspace, the API, the identities and their rights. Each object is compared before it is written, so a second run
// changes nothing, and a run of a newer version upgrades.
import { systemClock, type Clock, type Connection } from '@dep-ctrl/kcp-client';
import { splitWorkspacePath, type LogicalClusterName, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { deleteIfExists, lookForWorkspace, type Ensured } from '@dep-ctrl/kcp-objects';
import { printResult, type World } from '@dep-ctrl/command-settings';
import {
  connectAnswering,
  connectionFlags,
  connectionOptions,
  type ConnectionSettings,
  connectShard,
  type ShardAdmin,
} from '../command-line/connect.js';
import { versionOf } from '../command-line/kcp-version.js';
import { refusalIn, withRole } from '../command-line/missing-role.js';
import { currentLeader } from '../own-objects/current-leader.js';
import { printAccess } from '../read-access/describe-access.js';
import { writeAccountKubeconfigs } from './account-kubeconfigs.js';
import { applyObjects, type OnEnsured } from './apply-objects.js';
import { bootstrapExport } from './bootstrap-export.js';
import { printDryRun } from './dry-run.js';
import { foreignAccountsNote } from './foreign-accounts.js';
import { chooseIdentities, serviceAccounts, type Identities } from './identities.js';
import { inItsPlace } from './in-its-place.js';
import { prepareKubeconfigDir } from './kubeconfig-dir.js';
import { HOME_NAMESPACE, LEASE_NAME } from './manifests.js';
import { nextSteps } from './next-steps.js';
import { planBootstrap } from './plan-bootstrap.js';
import { PROTECTION_PLACE } from '../own-objects/home-protection.js';
import { ensureUrlTokenFile } from './url-token-file.js';
import { findOrphans } from '../shard-rights/orphaned-rights.js';
import { rightType } from '../shard-rights/installed-rights.js';
import { refuseOldKcp } from '../teardown-type/write-teardown-type.js';
import { writeOrderedTeardown } from './ordered-teardown.js';
import { writeShards, type Reading, type WantedAccess } from './write-shards.js';

/** The settings of `bootstrap`. */
export interface BootstrapSettings extends ConnectionSettings {
  readonly workspace: WorkspacePath;
  readonly shardKubeconfigs: readonly string[];
  readonly kubeconfigDir: string | undefined;
  readonly controllerUser: string | undefined;
  readonly webhookUser: string | undefined;
  readonly readAccess: WantedAccess;
  /** Have kcp refuse to delete the workspace. */
  readonly protectWorkspace: boolean;
  /** Make the WorkspaceType of the ordered teardown. One that is there is kept up to date without it. */
  readonly orderedTeardown: boolean;
  readonly adopt: boolean;
  readonly dryRun: boolean;
  readonly diff: boolean;
  readonly output: 'json' | 'yaml' | undefined;
}

/** One object, and whether it was created, updated or unchanged. */
interface Written {
  readonly where: string;
  readonly kind: string;
  readonly name: string;
  readonly change: Ensured | 'removed';
}

interface BootstrapResult {
  readonly workspace: WorkspacePath;
  readonly cluster: string;
  readonly objects: readonly Written[];
  readonly reading: Reading;
  readonly kubeconfigs: readonly string[];
  /** For `--url-token-file` of both roles. */
  readonly urlTokenFile?: string;
  /** Notes and next steps for people. */
  readonly notes: readonly string[];
}

/** Creates or upgrades an installation, or prints the manifests. */
export async function runBootstrap(
  settings: BootstrapSettings,
  world: World,
  { clock }: { readonly clock: Clock } = { clock: systemClock },
): Promise<void> {
  const identities = chooseIdentities(settings);
  const connection = await connectAnswering(settings, world);
  try {
    // Before anything is written. The parent is there.
    if (settings.orderedTeardown) await refuseOldKcp(connection, parentOf(settings.workspace), world);
    if (settings.dryRun) {
      await printDryRun(connection, identities, settings, world);
      return;
    }
    if (settings.kubeconfigDir !== undefined) await prepareKubeconfigDir(settings.kubeconfigDir);
    const result = await write(connection, identities, settings, { ...world, clock });
    printResult(result, { output: settings.output, stdout: world.stdout, asText });
  } finally {
    await connection.close();
  }
}

async function write(
  connection: Connection,
  identities: Identities,
  settings: BootstrapSettings,
  world: World & { readonly clock: Clock },
): Promise<BootstrapResult> {
  const { workspace, adopt } = settings;
  const { clock, signal } = world;
  const shards = settings.shardKubeconfigs.map(connectShard);
  const objects: Written[] = [];
  const noting =
    (where: string): OnEnsured =>
    (kind, name, change) =>
      void objects.push({ where, kind, name, change });
  try {
    const pinned = serviceAccounts(identities).length > 0 ? { shard: 'root' } : {};
    const make = () =>
      bootstrapExport({
        connection,
        path: workspace,
        ...pinned,
        adopt,
        onEnsured: (kind, name, change) =>
          kind === 'Workspace' ? notingWorkspace(objects, workspace, change) : noting(workspace)(kind, name, change),
        clock,
        signal,
      });
    const home = await inItsPlace(connection, workspace, make, { clock, signal, flags: connectionFlags(settings) }).catch(
      async (error: unknown) => {
        throw await withMissingRole(error, connection, workspace, { signal });
      },
    );
    const plan = planBootstrap(identities, home.cluster);
    const client = connection.cluster(workspace);
    await applyObjects(client, plan.home, { adopt, onEnsured: noting(workspace), signal }).catch(async (error: unknown) => {
      throw await withMissingRole(error, connection, workspace, { signal });
    });
    const { readAccess, orderedTeardown: isAsked } = settings;
    const asked = { isAsked, adopt, onEnsured: noting(workspace), signal };
    const teardown = await writeOrderedTeardown(connection, client, plan, asked).catch(async (error: unknown) => {
      throw await withMissingRole(error, connection, workspace, { signal });
    });
    const reading = await writeShards(shards, { connection, home: client, plan, readAccess, adopt, noting, signal });
    if (settings.protectWorkspace) {
      const root = connection.cluster(PROTECTION_PLACE);
      await applyObjects(root, plan.protection, { adopt, onEnsured: noting(PROTECTION_PLACE), signal }).catch((error: unknown) => {
        throw withRole(error, { path: PROTECTION_PLACE, clusterRole: 'cluster-admin' }, connection.baseUrl);
      });
    }
    const orphans = await removeOrphans(connection, shards, home.cluster, { objects, signal });
    const kubeconfigs =
      settings.kubeconfigDir === undefined
        ? []
        : await writeAccountKubeconfigs(
            settings.kubeconfigDir,
            identities,
            { baseUrl: connection.baseUrl, path: workspace, ca: await casOf(settings, shards, world) },
            { client, clock, signal },
          );
    const version = serviceAccounts(identities).length === 0 ? '' : await versionOf(connection, workspace, { signal });
    const urlTokenFile = settings.kubeconfigDir === undefined ? undefined : await ensureUrlTokenFile(settings.kubeconfigDir);
    return {
      workspace,
      cluster: home.cluster,
      objects,
      // What cannot be read is told once.
      reading: { ...reading, notes: [...new Set([...reading.notes, ...teardown, ...orphans])] },
      kubeconfigs,
      ...(urlTokenFile === undefined ? {} : { urlTokenFile }),
      notes: [
        foreignAccountsNote(version) ?? [],
        nextSteps(
          {
            ...settings,
            urlTokenFile,
            isNew: objects.some(({ kind, change }) => kind === 'Workspace' && change === 'created'),
            leader: await currentLeader(client, { name: LEASE_NAME, namespace: HOME_NAMESPACE }, { clock, signal }),
          },
          identities,
        ),
      ].flat(),
    };
  } finally {
    await Promise.all(shards.map((shard) => shard.connection.close()));
  }
}

function parentOf(workspace: WorkspacePath): WorkspacePath {
  return splitWorkspacePath(workspace)?.parent ?? workspace;
}

/** The missing role: in the parent if the workspace may not be made, otherwise in the workspace. */
async function withMissingRole(
  error: unknown,
  connection: Connection,
  workspace: WorkspacePath,
  options: { readonly signal: AbortSignal },
): Promise<unknown> {
  if (refusalIn(error) === undefined) return error;
  const { state } = await lookForWorkspace(connection, workspace, options);
  const path = state === 'there' ? workspace : parentOf(workspace);
  return withRole(error, { path, clusterRole: 'cluster-admin' }, connection.baseUrl);
}

/** Removes what installations left on the shards whose workspaces are gone; returns what a person should know about the rights that stay. */
async function removeOrphans(
  connection: Connection,
  shards: readonly ShardAdmin[],
  own: LogicalClusterName,
  { objects, signal }: { readonly objects: Written[]; readonly signal: AbortSignal },
): Promise<readonly string[]> {
  const { found, notes } = await findOrphans(connection, shards, own, { signal });
  for (const { shard, rights } of found) {
    for (const { object } of rights) {
      const { kind = '', metadata } = object;
      await deleteIfExists(shard.systemAdmin, rightType(object), metadata, { signal });
      objects.push({ where: `system:admin (${shard.file})`, kind, name: metadata.name ?? '', change: 'removed' });
    }
  }
  return notes;
}

/** A workspace is an object of its parent. */
function notingWorkspace(objects: Written[], path: WorkspacePath, change: Ensured): void {
  const { parent, name } = splitWorkspacePath(path) ?? { parent: path, name: path };
  objects.push({ where: parent, kind: 'Workspace', name, change });
}

/** The CAs of the front-proxy and of all shards: virtual workspaces are served by the shards themselves. */
async function casOf(settings: BootstrapSettings, shards: readonly ShardAdmin[], { env, signal }: World): Promise<string | undefined> {
  const cas = new Set<string>();
  for (const { credentials } of [connectionOptions(settings, env), ...shards.map(({ options }) => options)]) {
    const { ca } = (typeof credentials === 'function' ? await credentials({ fresh: false, signal }) : credentials) ?? {};
    if (ca !== undefined) cas.add(ca.trim());
  }
  return cas.size === 0 ? undefined : `${[...cas].join('\n')}\n`;
}

/** How many objects were right before. Pure. */
function countWritten(objects: readonly Written[]): string {
  const count = (isCounted: (change: Written['change']) => boolean): number => objects.filter(({ change }) => isCounted(change)).length;
  const [removed, right] = [count((change) => change === 'removed'), count((change) => change === 'unchanged')];
  const wanted = objects.length - removed;
  const gone = removed === 0 ? '' : `, ${removed} removed`;
  if (right === wanted) return `${wanted} objects, all as they should be${gone}`;
  if (right === 0) return `${wanted} objects written${gone}`;
  return `${wanted} objects: ${wanted - right} written, ${right} ${right === 1 ? 'was' : 'were'} right before${gone}`;
}

function asText({ workspace, cluster, objects, reading, kubeconfigs, urlTokenFile, notes }: BootstrapResult): string {
  const changed = objects.filter(({ change }) => change !== 'unchanged');
  const lines = [
    ...changed.map(({ where, kind, name, change }) => `${change} ${kind} ${name} in ${where}`),
    `${workspace} (${cluster}): ${countWritten(objects)}`,
    ...reading.shards.map(printAccess),
    ...reading.notes.map((note) => `note: ${note}`),
    ...kubeconfigs.map((file) => `wrote ${file}`),
    ...(urlTokenFile === undefined
      ? []
      : [`${urlTokenFile} is the URL token for roles with --url-token-file; dep-ctrl all keeps its own in a Secret`]),
    ...notes.map((note) => `next: ${note}`),
  ];
  return `${lines.join('\n')}\n`;
}
