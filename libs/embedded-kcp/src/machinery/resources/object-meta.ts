// The metadata that the server writes itself, and the metadata that clients may not change.
import { randomInt, randomUUID } from 'node:crypto';
import { CLUSTER_ANNOTATION, type KubeObject, type LogicalClusterName, type ObjectMeta } from '@dep-ctrl/kcp-names';
import { withMetadata, withoutUndefined } from '../../json/json.js';

// Kubernetes' alphabet for generated names: no vowels, nothing that looks like something else.
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const LONGEST_BASE = 58;

/** A name made from metadata.generateName. */
export function generateName(base: string): string {
  return `${base.slice(0, LONGEST_BASE)}${generateSuffix()}`;
}

/** The random end of a generated name. */
export function generateSuffix(): string {
  return Array.from({ length: 5 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/** A time as the API prints it: whole seconds. */
export function timestamp(nowMs: number): string {
  return `${new Date(nowMs).toISOString().slice(0, 19)}Z`;
}

/** The metadata of a new object: the identity from the server, everything else from the client. */
export function newMetadata(
  given: ObjectMeta,
  {
    cluster,
    namespace,
    name,
    nowMs,
  }: { readonly cluster: LogicalClusterName; readonly namespace: string; readonly name: string; readonly nowMs: number },
): ObjectMeta {
  const { resourceVersion: _version, selfLink: _link, deletionTimestamp: _deleted, deletionGracePeriodSeconds: _grace, ...wishes } = given;
  const metadata: Record<string, unknown> = {
    ...wishes,
    name,
    namespace: namespace === '' ? undefined : namespace,
    uid: randomUUID(),
    generation: undefined,
    creationTimestamp: timestamp(nowMs),
    annotations: { ...given.annotations, [CLUSTER_ANNOTATION]: cluster },
  };
  return withoutUndefined(metadata);
}

/** An update's object with the metadata that no client may change taken from the current one. */
export function keepIdentity(next: KubeObject, current: KubeObject): KubeObject {
  const {
    name,
    namespace,
    uid,
    creationTimestamp,
    deletionTimestamp,
    deletionGracePeriodSeconds,
    generation,
    generateName,
    resourceVersion,
  } = current.metadata;
  const cluster = current.metadata.annotations?.[CLUSTER_ANNOTATION];
  const annotations = cluster === undefined ? next.metadata.annotations : { ...next.metadata.annotations, [CLUSTER_ANNOTATION]: cluster };
  return withMetadata(next, {
    name,
    namespace,
    uid,
    creationTimestamp,
    deletionTimestamp,
    deletionGracePeriodSeconds,
    generation,
    generateName: next.metadata.generateName ?? generateName,
    resourceVersion,
    selfLink: undefined,
    annotations,
    labels: emptyToUndefined(next.metadata.labels),
    finalizers: emptyToUndefined(next.metadata.finalizers),
    ownerReferences: emptyToUndefined(next.metadata.ownerReferences),
  });
}

function emptyToUndefined<T extends object>(value: T | undefined | null): T | undefined {
  return value === undefined || value === null || Object.keys(value).length === 0 ? undefined : value;
}
