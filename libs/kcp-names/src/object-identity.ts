import { parseWorkspacePath, type WorkspacePath } from './workspace-path.js';
import { isRecord } from './json-value.js';
import { notParsed, parsed, type Parsed } from './parsed.js';
import { parseLogicalClusterName, type LogicalClusterName } from './logical-cluster-name.js';
import { groupResourceKey, type GroupResource } from './resource-type.js';

/** kcp puts the logical cluster of every object it hands out here; clients cannot forge it. */
export const CLUSTER_ANNOTATION = 'kcp.io/cluster';

/** The workspace path, on LogicalClusters, APIExports, APIBindings and WorkspaceTypes only. */
export const PATH_ANNOTATION = 'kcp.io/path';

/** An APIExport as people name it. */
export interface ExportRef {
  readonly path: WorkspacePath;
  readonly name: string;
}

/** An object as other objects may name it: never without its cluster. */
export interface ObjectRef extends GroupResource {
  readonly cluster: LogicalClusterName;
  readonly namespace?: string;
  readonly name: string;
}

/** One string per object, different for different objects. Slashes can be in none of the parts. */
export function objectKey({ cluster, group, resource, namespace, name }: ObjectRef): string {
  return `${cluster}/${groupResourceKey({ group, resource })}/${namespace ?? ''}/${name}`;
}

/** What kcp's objects have in common, as far as any reader here needs it. */
export interface KubeObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

/**
 * An object of a type of the caller's own: an interface or a class that need not have an index signature, as a `Widget` with a `spec`, or `V1ConfigMap`
 * of @kubernetes/client-node.
 */
export interface KubeLike {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly metadata?: { readonly name?: string | undefined; readonly namespace?: string | undefined } | undefined;
}

/** The metadata of a Kubernetes object. */
export interface ObjectMeta {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
  readonly [field: string]: unknown;
}

/** One entry of `metadata.ownerReferences`. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** The logical cluster that an object was read from, by its annotation. */
export function clusterOf(object: KubeObject): Parsed<LogicalClusterName> {
  const name = object.metadata.annotations?.[CLUSTER_ANNOTATION];
  return name === undefined ? notParsed(`the object has no annotation ${CLUSTER_ANNOTATION}`) : parseLogicalClusterName(name);
}

/** Whether an unknown JSON value is an object with metadata, the least that any reader here asks for. */
export function parseKubeObject(value: unknown): Parsed<KubeObject> {
  if (!isRecord(value)) return notParsed('expected a JSON object');
  if (!isRecord(value['metadata'])) return notParsed('expected a JSON object in .metadata');
  return parsed(value as unknown as KubeObject);
}

/** The workspace path that an object carries, if it is one. A hint: a user who may write the object may write any path, and kcp copies it. */
export function hintedPath({ metadata }: KubeObject): WorkspacePath | undefined {
  const path = parseWorkspacePath(metadata.annotations?.[PATH_ANNOTATION] ?? '');
  return path.ok ? path.value : undefined;
}
