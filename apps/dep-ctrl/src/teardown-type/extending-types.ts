// WorkspaceTypes of the platform that extend the one of the ordered teardown: without it kcp makes no workspace of theirs any more.
import { boundResourcesOf } from '@dep-ctrl/exported-types';
import { listAll, type ClusterClient, type Stoppable } from '@dep-ctrl/kcp-client';
import { clusterOf, compareText, elements, record, recordAt, text, type GroupVersionResource, type KubeObject } from '@dep-ctrl/kcp-names';
import { API_BINDINGS, WORKSPACE_TYPES } from '@dep-ctrl/kcp-objects';
import type { ShardAdmin } from '../command-line/connect.js';
import { TEARDOWN_TYPE } from './teardown-type.js';

/** The type of the ordered teardown. */
export interface ExtendedType {
  /** The workspace of dep-ctrl, where it is. */
  readonly home: ClusterClient;
  /** How that may be called: by its path and its logical cluster. */
  readonly homes: ReadonlySet<string>;
}

/** Whether a type extends ours. Pure. */
export function extendsOurs(type: KubeObject, homes: ExtendedType['homes']): boolean {
  return elements(recordAt(recordAt(type, 'spec'), 'extend')['with']).some((one) => {
    const extended = record(one);
    return text(extended?.['name']) === TEARDOWN_TYPE && homes.has(text(extended?.['path']) ?? '');
  });
}

/** WorkspaceTypes as all workspaces of a shard are asked for them: by the identity of kcp's own export, which the workspace of dep-ctrl has bound, too. */
async function workspaceTypesAnywhere(home: ClusterClient, options: Stoppable): Promise<GroupVersionResource> {
  const { objects } = await listAll(home, API_BINDINGS, {}, options);
  const { group, resource } = WORKSPACE_TYPES;
  const bound = objects.flatMap(boundResourcesOf).find((one) => one.group === group && one.resource === resource);
  return { ...WORKSPACE_TYPES, resource: `${resource}:${bound?.identityHash ?? ''}` };
}

/** Those on one shard, each as `name in path`, sorted. */
export async function findExtendingTypes(
  { connection }: ShardAdmin,
  { home, homes }: ExtendedType,
  options: Stoppable,
): Promise<readonly string[]> {
  const anywhere = await workspaceTypesAnywhere(home, options);
  const found: string[] = [];
  for await (const page of connection.wildcard().list(anywhere, {}, options)) {
    for (const type of page.objects()) {
      const cluster = clusterOf(type);
      if (!cluster.ok || !extendsOurs(type, homes)) continue;
      found.push(`${type.metadata.name ?? ''} in ${cluster.value}`);
    }
  }
  return found.toSorted(compareText);
}
