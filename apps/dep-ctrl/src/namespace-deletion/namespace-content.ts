// The objects of bound types in one namespace: what is left of them, and their deletion. What kcp itself brings (ConfigMaps, Secrets and so on) goes with the
// namespace.
import { atMost, isAbsent, isKcpError, listAll, type Connection, type Stoppable } from '@dep-ctrl/kcp-client';
import { groupResourceKey, type GroupVersionResource, type LogicalClusterName, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { API_BINDINGS } from '@dep-ctrl/kcp-objects';
import { boundResourcesOf, servedTypes } from '@dep-ctrl/exported-types';
import type { LeftObject } from './next-step.js';

/** Where to delete. */
export interface NamespacePlace {
  readonly connection: Connection;
  readonly workspace: LogicalClusterName | WorkspacePath;
  readonly namespace: string;
}

/** The types with namespaces that bindings of the workspace bring, each in one version. */
export async function boundNamespacedTypes(
  { connection, workspace }: NamespacePlace,
  options: Stoppable,
): Promise<readonly GroupVersionResource[]> {
  const { objects } = await listAll(connection.cluster(workspace), API_BINDINGS, {}, options);
  const bound = new Set(objects.flatMap(boundResourcesOf).map(groupResourceKey));
  const served = await servedTypes(connection, workspace, options);
  const byKey = new Map(
    served
      .filter((type) => type.isNamespaced && bound.has(groupResourceKey(type)))
      .toReversed()
      .map((type) => [groupResourceKey(type), type]),
  );
  return [...byKey.values()].map(({ group, version, resource }) => ({ group, version, resource }));
}

/** What is left of these types. */
export async function leftObjects(
  { connection, workspace, namespace }: NamespacePlace,
  types: readonly GroupVersionResource[],
  options: Stoppable,
): Promise<readonly LeftObject[]> {
  const client = connection.cluster(workspace);
  const lists = await Promise.all(types.map(async (type) => ({ type, list: await listAll(client, type, { namespace }, options) })));
  return lists.flatMap(({ type, list }) =>
    list.objects.map(({ metadata: { name = '', uid = '', deletionTimestamp, finalizers = [] } }) => ({
      type,
      name,
      uid,
      isTerminating: deletionTimestamp !== undefined,
      finalizers,
    })),
  );
}

/** Ten at a time: kcp gives a user so many before it slows one down. */
const AT_A_TIME = 10;

/** What came of deletes. */
export interface Deleted {
  /** Why kcp refused some of them, by uid. */
  readonly refused: ReadonlyMap<string, string>;
  /** Why others could not be asked for now. */
  readonly passing: string | undefined;
}

/** Deletes these very objects. Throws what neither a refusal nor a moment's trouble explains. */
export async function deleteObjects(
  { connection, workspace, namespace }: NamespacePlace,
  objects: readonly LeftObject[],
  options: Stoppable,
): Promise<Deleted> {
  const client = connection.cluster(workspace);
  const refused = new Map<string, string>();
  let passing: string | undefined;
  await atMost(AT_A_TIME, objects, async ({ type, name, uid }) => {
    try {
      await client.delete(type, { name, namespace }, { ...options, preconditions: { uid } });
    } catch (error) {
      // Gone, or made anew: the next list shows it.
      if (isAbsent(error, type, name) || isKcpError(error, 'conflict')) return;
      if (!isKcpError(error) || error.code === 'aborted') throw error;
      const problem = error.statusBody?.message ?? error.message;
      if (error.retryable) passing = problem;
      else refused.set(uid, problem);
    }
  });
  return { refused, passing };
}
