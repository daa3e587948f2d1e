// The new logical cluster of a Workspace.
import { PATH_ANNOTATION, type KubeObject } from '@dep-ctrl/kcp-names';
import { OWNER_ANNOTATION, TYPE_ANNOTATION } from '../admission/workspace-admission.js';
import { isRecord, stringAt, withoutUndefined } from '../json/json.js';
import { LOGICAL_CLUSTER_NAME } from '../kcp/shards/shard-view.js';
import { CONTENT_FINALIZER, PHASE_LABEL, SHARD_NAME, TERMINATOR_FINALIZER } from '../kcp/kinds/workspace-marks.js';
import { initializersOf, qualifiedName, terminatorsOf } from '../kcp/kinds/workspace-types.js';
import type { StoredObject } from '../storage/stored-object.js';
import type { FoundType } from './found-type.js';

/** The place and the type of a new logical cluster. */
export interface LogicalClusterPlacement extends FoundType {
  readonly path: string;
  readonly shard: string;
}

/** The logical cluster of a Workspace. */
export function newLogicalCluster(workspace: StoredObject, { path, shard, type, closure }: LogicalClusterPlacement): KubeObject {
  const creator = parseCreator(workspace.object.metadata.annotations?.[OWNER_ANNOTATION]);
  const terminators = terminatorsOf(closure);
  return {
    apiVersion: 'core.kcp.io/v1alpha1',
    kind: 'LogicalCluster',
    metadata: {
      name: LOGICAL_CLUSTER_NAME,
      finalizers: [CONTENT_FINALIZER, ...(terminators.length > 0 ? [TERMINATOR_FINALIZER] : [])],
      labels: { [PHASE_LABEL]: 'Scheduling' },
      annotations: {
        [PATH_ANNOTATION]: path,
        [TYPE_ANNOTATION]: qualifiedName(type),
        [SHARD_NAME]: shard,
        ...(creator !== undefined && { [OWNER_ANNOTATION]: JSON.stringify({ username: stringAt(creator, 'username') ?? '' }) }),
      },
    },
    spec: withoutUndefined({
      directlyDeletable: false,
      owner: {
        apiVersion: 'tenancy.kcp.io/v1alpha1',
        resource: 'workspaces',
        name: workspace.name,
        cluster: workspace.cluster,
        uid: workspace.uid,
      },
      createdBy: creator,
      initializers: initializersOf(closure),
      terminators: terminators.length === 0 ? undefined : terminators,
    }),
  };
}

/** The user who created a Workspace, from its annotation. */
export function parseCreator(text: string | undefined): Readonly<Record<string, unknown>> | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
