// WorkspaceTypes of the platform that extend the one of the ordered teardown: without it kcp makes no workspace of theirs any more.
import type { Connection, Stoppable } from '@dep-ctrl/kcp-client';
import {
  clusterOf,
  compareText,
  elements,
  hintedPath,
  record,
  recordAt,
  text,
  workspacePath,
  type GroupVersionResource,
  type KubeObject,
} from '@dep-ctrl/kcp-names';
import { API_EXPORTS, WORKSPACE_TYPES } from '@dep-ctrl/kcp-objects';
import type { ShardAdmin } from '../command-line/connect.js';
import { TEARDOWN_TYPE } from './teardown-type.js';

/** Whether a type extends ours; `homes`: how the workspace of dep-ctrl may be called, by its path and its logical cluster. Pure. */
export function extendsOurs(type: KubeObject, homes: ReadonlySet<string>): boolean {
  return elements(recordAt(recordAt(type, 'spec'), 'extend')['with']).some((one) => {
    const extended = record(one);
    return text(extended?.['name']) === TEARDOWN_TYPE && homes.has(text(extended?.['path']) ?? '');
  });
}

/** WorkspaceTypes as all workspaces of a shard can be asked for them: kcp's own export brings them, and is named by its identity. */
export async function workspaceTypesAnywhere(connection: Connection, options: Stoppable): Promise<GroupVersionResource> {
  const tenancy = await connection.cluster(workspacePath('root')).get(API_EXPORTS, { name: WORKSPACE_TYPES.group }, options);
  const identity = text(recordAt(tenancy, 'status')['identityHash']) ?? '';
  return { ...WORKSPACE_TYPES, resource: `${WORKSPACE_TYPES.resource}:${identity}` };
}

/** Those on one shard, each as `name in path`, sorted. */
export async function findExtendingTypes(
  { connection }: ShardAdmin,
  anywhere: GroupVersionResource,
  homes: ReadonlySet<string>,
  options: Stoppable,
): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const page of connection.wildcard().list(anywhere, {}, options)) {
    for (const type of page.objects()) {
      const cluster = clusterOf(type);
      if (!cluster.ok || !extendsOurs(type, homes)) continue;
      found.push(`${type.metadata.name ?? ''} in ${hintedPath(type) ?? cluster.value}`);
    }
  }
  return found.toSorted(compareText);
}
