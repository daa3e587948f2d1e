// What the server itself writes into metadata, and what it does not let clients write.
import { randomInt, randomUUID } from 'node:crypto';
import { CLUSTER_ANNOTATION, type KubeObject, type LogicalClusterName, type ObjectMeta } from '@dep-ctrl/kcp-names';
import type { StatusCause } from '../http/api-status.js';
import { withMetadata, withoutUndefined } from '../json.js';

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

/** The metadata of a new object: identity from the server, wishes from the client. */
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

const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/** Which names a resource takes. RBAC objects are named freely (`system:x`), namespaces more strictly than the rest. */
export type NameRule = 'subdomain' | 'label' | 'path';

/** What is wrong with a name. */
export function checkName(name: string, rule: NameRule): readonly StatusCause[] {
  const problem = (why: string): readonly StatusCause[] => [
    { reason: 'FieldValueInvalid', message: `Invalid value: ${JSON.stringify(name)}: ${why}`, field: 'metadata.name' },
  ];
  if (rule === 'path') return /[/%]/.test(name) || name === '.' || name === '..' ? problem(`may not contain '/'`) : [];
  if (name.length > 253) return problem('must be no more than 253 characters');
  if (rule === 'label') {
    if (name.length > 63) return problem('must be no more than 63 characters');
    if (LABEL.test(name)) return [];
    return problem(
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
    );
  }
  if (SUBDOMAIN.test(name)) return [];
  return problem(
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  );
}

const QUALIFIED = /^(?:[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const LABEL_VALUE = /^(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;

/** What is wrong with labels and finalizers. */
export function checkMetadata({ labels, finalizers }: ObjectMeta): readonly StatusCause[] {
  const badLabels = Object.entries(labels ?? {}).flatMap(([key, value]) => {
    if (!QUALIFIED.test(key)) return [labelCause(key, 'name part must consist of alphanumeric characters')];
    return LABEL_VALUE.test(value)
      ? []
      : [labelCause(value, 'a valid label must be an empty string or consist of alphanumeric characters')];
  });
  const badFinalizers = (finalizers ?? [])
    .filter((finalizer) => !QUALIFIED.test(finalizer))
    .map((finalizer) => ({
      reason: 'FieldValueInvalid',
      message: `Invalid value: ${JSON.stringify(finalizer)}: name part must consist of alphanumeric characters`,
      field: 'metadata.finalizers',
    }));
  return [...badLabels, ...badFinalizers];
}

function labelCause(value: string, why: string): StatusCause {
  return {
    reason: 'FieldValueInvalid',
    message: `Invalid value: ${JSON.stringify(value)}: ${why}, '-', '_' or '.', and must start and end with an alphanumeric character`,
    field: 'metadata.labels',
  };
}
