import type { ClusterClient } from '@dep-ctrl/kcp-client';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { API_RESOURCE_SCHEMAS, type Ensured, ensureObject, getIfExists } from '@dep-ctrl/kcp-objects';
import { MANAGED_BY } from '../own-objects/configuration-labels.js';
import { OWN_SECRETS } from './manifests.js';
import type { PlannedObject } from './plan-bootstrap.js';

/** Called for every object, also for those that needed no change. */
export type OnEnsured = (kind: string, name: string, ensured: Ensured) => void;

/** How to apply. */
export interface ApplyOptions {
  /** Take over objects of these names that dep-ctrl did not make. */
  readonly adopt: boolean;
  readonly onEnsured: OnEnsured;
  readonly signal: AbortSignal;
}

/** Writes the objects in their order, except those that need no change. Throws at the first object that dep-ctrl did not make. */
export async function applyObjects(client: ClusterClient, objects: readonly PlannedObject[], options: ApplyOptions): Promise<void> {
  for (const { type, object } of objects) {
    const { kind = '', metadata } = object;
    const isThere = isNeverChanged({ type, object }) && (await getIfExists(client, type, metadata, options)) !== undefined;
    const mayTouch = (observed: KubeObject) => refuseForeign({ kind, ...observed }, options.adopt);
    const ensured = isThere ? 'unchanged' : await ensureObject(client, type, object, { signal: options.signal, mayTouch });
    options.onEnsured(
      kind,
      metadata.namespace === undefined ? (metadata.name ?? '') : `${metadata.namespace}/${metadata.name ?? ''}`,
      ensured,
    );
  }
}

/** A schema is immutable and named after its content. The Secrets are made empty and filled by the roles. So an object of the name is right. */
export function isNeverChanged({ type, object: { kind, metadata } }: PlannedObject): boolean {
  return type === API_RESOURCE_SCHEMAS || (kind === 'Secret' && OWN_SECRETS.some((name) => name === metadata.name));
}

/** Whether the object's labels say that dep-ctrl made it. */
export function isOwn({ metadata }: KubeObject): boolean {
  return metadata.labels?.[MANAGED_BY.label] === MANAGED_BY.value;
}

/** Throws if dep-ctrl did not make the object. */
export function refuseForeign(observed: KubeObject, adopt: boolean): void {
  if (adopt || isOwn(observed)) return;
  throw new Error(
    `${observed.kind ?? 'an object'} "${observed.metadata.name ?? ''}" exists and was not made by dep-ctrl: give --adopt to take it over`,
  );
}
