// `dep-ctrl bootstrap --diff`: what a bootstrap with these flags would create, change and remove. Reads only.
import type { ClusterClient, Connection, Stoppable } from '@dep-ctrl/kcp-client';
import { splitWorkspacePath, type KubeObject } from '@dep-ctrl/kcp-names';
import { getIfExists, isRefusal, refuseWithoutOwner } from '@dep-ctrl/kcp-objects';
import { describeFailure, printResult, UsageError, type World } from '@dep-ctrl/command-settings';
import { connect, connectShard, type ShardAdmin } from '../../command-line/connect.js';
import { accessAfterBootstrap } from '../../read-access/next-access.js';
import { PROTECTION_PLACE } from '../../own-objects/home-protection.js';
import { readAccessIn } from '../../read-access/read-rules.js';
import { readerRole } from '../../read-access/reader-role.js';
import { rightType } from '../../shard-rights/installed-rights.js';
import { findOrphans } from '../../shard-rights/orphaned-rights.js';
import { unsweptShards, type Unswept } from '../../shard-rights/shards-not-given.js';
import { refuseOldKcp } from '../../teardown-type/write-teardown-type.js';
import { isNeverChanged, isOwn } from '../apply-objects.js';
import { clusterIfThere, derivedIfThere, NOTHING_BOUND } from '../dry-run.js';
import { chooseIdentities } from '../identities.js';
import { teardownObjects, wantedTeardown } from '../ordered-teardown.js';
import { OWN_LABELS, planBootstrap, type BootstrapPlan, type PlannedObject } from '../plan-bootstrap.js';
import type { BootstrapSettings } from '../run-bootstrap.js';
import { onShard } from '../write-shards.js';
import { compareObject } from './compare-objects.js';

/** One object that would not stay as it is. */
interface Difference {
  readonly where: string;
  readonly kind: string;
  readonly name: string;
  readonly change: 'created' | 'updated' | 'removed' | 'refused';
  /** As `diff -u` writes it, of what is updated. */
  readonly diff?: string;
}

interface DiffResult {
  readonly differences: readonly Difference[];
  readonly notes: readonly string[];
  /** What was not compared, as no flag leads there. */
  readonly notLookedAt: readonly Unswept[];
}

const ON_SHARDS = "the rights in system:admin of kcp's shards";
const NO_SHARD = 'no --shard-kubeconfig was given, and without it bootstrap leaves them alone; give one of each shard to compare them';

interface Looking {
  readonly connection: Connection;
  readonly shards: readonly ShardAdmin[];
  readonly settings: BootstrapSettings;
  readonly signal: AbortSignal;
}

/** Prints it. Throws where something would change (exit 1), and UsageError where that cannot be told (exit 2): as `kubectl diff`, so that scripts can tell one from the other. */
export async function runBootstrapDiff(settings: BootstrapSettings, world: World): Promise<void> {
  const connection = connect(settings, world.env);
  const shards = settings.shardKubeconfigs.map(connectShard);
  try {
    const result = await compare({ connection, shards, settings, signal: world.signal }).catch((error: unknown) => {
      throw new UsageError(`not compared: ${describeFailure(error)}`);
    });
    printResult<DiffResult>(result, { output: settings.output, stdout: world.stdout, asText });
    const { length } = result.differences;
    if (length > 0) throw new Error(`bootstrap would change ${length} ${length === 1 ? 'object' : 'objects'}`);
  } finally {
    await Promise.all([connection, ...shards.map((shard) => shard.connection)].map((each) => each.close()));
  }
}

async function compare({ connection, shards, settings, signal }: Looking): Promise<DiffResult> {
  const { workspace, adopt, readAccess, protectWorkspace, orderedTeardown } = settings;
  const split = splitWorkspacePath(workspace);
  if (orderedTeardown) await refuseOldKcp(connection, split?.parent ?? workspace, { signal });
  const cluster = await clusterIfThere(connection, workspace, { signal });
  const plan = planBootstrap(chooseIdentities(settings), cluster ?? `<logical cluster of ${workspace}>`);
  const mayTouch = (observed: KubeObject): boolean => adopt || isOwn(observed);
  const home = cluster === undefined ? undefined : connection.cluster(workspace);
  const isMade = home === undefined && split !== undefined;
  if (isMade) {
    await refuseWithoutOwner(connection, workspace, { signal }).catch((error: unknown) => {
      // Whoever compares need not be who bootstraps.
      if (!isRefusal(error)) throw error;
    });
  }
  const made: readonly Difference[] = isMade ? [{ where: split.parent, kind: 'Workspace', name: split.name, change: 'created' }] : [];
  const teardown = await wantedTeardown(home, orderedTeardown, { signal });
  const isDerived = (readAccess === 'listed' || teardown.isWanted) && home !== undefined;
  const derived = isDerived ? await derivedIfThere(connection, workspace, { signal }) : NOTHING_BOUND;
  const wantedAtHome = [...plan.api, ...plan.home, ...teardownObjects(plan, teardown, derived)];
  const atHome = await compareAll(home, wantedAtHome, { where: workspace, mayTouch, signal });
  const onShards: Difference[] = [];
  for (const shard of shards) {
    const where = `system:admin (${shard.file})`;
    await onShard(shard, async () => {
      const role = await plannedReader(shard, plan, { ...derived, wanted: readAccess }, { signal });
      onShards.push(...(await compareAll(shard.systemAdmin, [role, ...plan.shard], { where, mayTouch, signal })));
    });
  }
  const root = connection.cluster(PROTECTION_PLACE);
  const inRoot = protectWorkspace ? await compareAll(root, plan.protection, { where: PROTECTION_PLACE, mayTouch, signal }) : [];
  const orphans = await findOrphans(connection, shards, cluster, { signal });
  const removed = orphans.found.flatMap(({ shard, rights }) =>
    rights.map(({ object: { kind = '', metadata } }): Difference => ({
      where: `system:admin (${shard.file})`,
      kind,
      name: metadata.name ?? '',
      change: 'removed',
    })),
  );
  return {
    differences: [...made, ...atHome, ...onShards, ...inRoot, ...removed],
    notes: [...derived.notes, ...orphans.notes],
    notLookedAt: await shardsLeftOut(connection, shards, { signal }),
  };
}

/** The shards whose rights were not compared. */
async function shardsLeftOut(connection: Connection, shards: readonly ShardAdmin[], options: Stoppable): Promise<readonly Unswept[]> {
  if (shards.length === 0) return [{ where: ON_SHARDS, why: NO_SHARD }];
  const unswept = await unsweptShards(connection, shards, options);
  return unswept.map(({ where, why }) => ({ where: `the rights in system:admin of ${where}`, why }));
}

/** What the webhook may read there, after what it may read now. */
async function plannedReader(
  { systemAdmin }: ShardAdmin,
  { readerRole: name }: BootstrapPlan,
  derived: Omit<Parameters<typeof accessAfterBootstrap>[1], 'first'>,
  options: { readonly signal: AbortSignal },
): Promise<PlannedObject> {
  const type = rightType({ kind: 'ClusterRole', metadata: { name } });
  const observed = await getIfExists(systemAdmin, type, { name }, options);
  const now = observed && readAccessIn(observed);
  return { type, object: readerRole(name, accessAfterBootstrap(now, { ...derived, first: now }), OWN_LABELS) };
}

/** `client`: undefined where the workspace would be made first. */
async function compareAll(
  client: ClusterClient | undefined,
  objects: readonly PlannedObject[],
  {
    where,
    mayTouch,
    signal,
  }: { readonly where: string; readonly mayTouch: (observed: KubeObject) => boolean; readonly signal: AbortSignal },
): Promise<readonly Difference[]> {
  const differences = await Promise.all(
    objects.map(async (planned): Promise<readonly Difference[]> => {
      const { type, object } = planned;
      const { name = '', namespace } = object.metadata;
      const observed = client && (await getIfExists(client, type, object.metadata, { signal }));
      if (observed !== undefined && isNeverChanged(planned)) return [];
      const compared = compareObject(observed, object, mayTouch);
      const of = { where, kind: object.kind ?? '', name: namespace === undefined ? name : `${namespace}/${name}` };
      return compared.change === 'unchanged' ? [] : [{ ...of, ...compared }];
    }),
  );
  return differences.flat();
}

const WOULD: Readonly<Record<Difference['change'], string>> = {
  created: 'would be created',
  updated: 'would be changed',
  removed: 'would be removed: the workspace of its installation is gone',
  refused: 'was not made by dep-ctrl: bootstrap would end there, or take it over with --adopt',
};

function asText({ differences, notes, notLookedAt }: DiffResult): string {
  const lines = differences.map(({ where, kind, name, change, diff }) => `${kind} ${name} in ${where} ${WOULD[change]}\n${diff ?? ''}`);
  const nothing = `nothing would change${notLookedAt.length === 0 ? '' : ' in what was looked at'}\n`;
  return [
    ...lines,
    ...notes.map((note) => `note: ${note}\n`),
    ...notLookedAt.map(({ where, why }) => `not looked at: ${where}: ${why}\n`),
    ...(differences.length === 0 ? [nothing] : []),
  ].join('');
}
