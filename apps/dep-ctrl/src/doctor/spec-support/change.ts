// Changes that a spec makes and takes back.
import type { ClusterClient } from '@dep-ctrl/kcp-client';
import type { GroupVersionResource, KubeObject } from '@dep-ctrl/kcp-names';
import { options } from './installed-world.js';

/** Takes a change back. */
export type Undo = () => Promise<unknown>;

interface Ref {
  readonly name: string;
  readonly namespace?: string;
}

/** Writes what `edit` makes of the object. */
export async function changed(
  client: ClusterClient,
  type: GroupVersionResource,
  ref: Ref,
  edit: (object: KubeObject) => object,
): Promise<Undo> {
  const before = await client.get(type, ref, options());
  await client.replace(type, { ...before, ...edit(before) }, options());
  return async () => {
    const { resourceVersion = '' } = (await client.get(type, ref, options())).metadata;
    await client.replace(type, { ...before, metadata: { ...before.metadata, resourceVersion } }, options());
  };
}

/** Writes another status. */
export async function statusChanged(
  client: ClusterClient,
  type: GroupVersionResource,
  ref: Ref,
  edit: (status: object) => object,
): Promise<Undo> {
  const before = await client.get(type, ref, options());
  await client.replaceStatus(type, { ...before, status: edit(before['status'] ?? {}) }, options());
  return async () => {
    const { resourceVersion = '' } = (await client.get(type, ref, options())).metadata;
    await client.replaceStatus(type, { ...before, metadata: { ...before.metadata, resourceVersion } }, options());
  };
}

/** Deletes the object. */
export async function removed(client: ClusterClient, type: GroupVersionResource, ref: Ref): Promise<Undo> {
  const { metadata, ...before } = await client.get(type, ref, options());
  await client.delete(type, ref, options());
  const { name, namespace, labels, annotations, finalizers } = metadata;
  const again = Object.fromEntries(
    Object.entries({ name, namespace, labels, annotations, finalizers }).filter(([, value]) => value !== undefined),
  );
  return () => client.create(type, { ...before, metadata: again }, options());
}

/** Makes the object. */
export async function made(client: ClusterClient, type: GroupVersionResource, object: KubeObject): Promise<Undo> {
  await client.create(type, object, options());
  const { name = '', namespace } = object.metadata;
  return () => client.delete(type, { name, ...(namespace === undefined ? {} : { namespace }) }, options());
}

/** One after the other, and back in the reverse order. */
export async function together(...changes: readonly (() => Promise<Undo>)[]): Promise<Undo> {
  const undos: Undo[] = [];
  for (const change of changes) undos.unshift(await change());
  return async () => {
    for (const undo of undos) await undo();
  };
}
