import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { Background } from './background.js';
import type { ClaimLabels } from '../admission/claim-labels.js';
import { stringAt } from '../json/json.js';
import type { Loopback } from '../kcp/shards/loopback.js';
import type { RootResources } from '../kcp/bootstrap/root-resources.js';
import type { ShardView } from '../kcp/shards/shard-view.js';
import type { WorkspaceCatalog } from '../kcp/shards/workspace-catalog.js';
import type { FindType } from '../kcp/kinds/workspace-types.js';
import type { StoredObject } from '../storage/stored-object.js';

/** The parts that a controller of one shard needs. */
export interface ShardControl {
  readonly name: string;
  readonly url: string;
  readonly view: ShardView;
  readonly catalog: WorkspaceCatalog;
  readonly loopback: Loopback;
  readonly claimLabels: ClaimLabels;
  readonly findType: FindType;
}

/** The parts that all controllers of an installation share. */
export interface ControllerContext {
  readonly background: Background;
  readonly root: RootResources;
  readonly shards: readonly ShardControl[];
  /** The front-proxy: what Workspace URLs start with. */
  readonly externalUrl: string;
  readonly now: () => number;
}

/** The shard that hosts a logical cluster. */
export function shardOf(context: Pick<ControllerContext, 'shards'>, cluster: LogicalClusterName): ShardControl | undefined {
  return context.shards.find(({ view }) => view.logicalCluster(cluster) !== undefined);
}

/** Where the Workspace of a logical cluster is. */
export interface WorkspaceOwner {
  readonly shard: ShardControl;
  readonly cluster: LogicalClusterName;
  readonly name: string;
}

/** The Workspace that a logical cluster belongs to, if its shard is known. */
export function ownerOf(context: Pick<ControllerContext, 'shards'>, { object }: StoredObject): WorkspaceOwner | undefined {
  const [cluster, name] = [stringAt(object, 'spec', 'owner', 'cluster'), stringAt(object, 'spec', 'owner', 'name')];
  if (cluster === undefined || name === undefined) return undefined;
  const shard = shardOf(context, cluster as LogicalClusterName);
  return shard === undefined ? undefined : { shard, cluster: cluster as LogicalClusterName, name };
}

/** Separates the parts of a work queue's key; in none of them. */
const SEPARATOR = '|';

/** One key of several parts. */
export function joinKey(...parts: readonly string[]): string {
  return parts.join(SEPARATOR);
}

/** The parts of a key. */
export function splitKey(key: string): readonly string[] {
  return key.split(SEPARATOR);
}
