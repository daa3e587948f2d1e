import type { KubeObject } from '@dep-ctrl/kcp-names';
import {
  type ApiError,
  badRequest,
  conflict,
  invalid,
  notFound,
  OBJECT_MODIFIED,
  tooLargeToStore,
  type StatusCause,
  unreadable,
} from '../../http/api-status.js';
import { arrayAt, isRecord, sameJson, withMetadata, without } from '../../json/json.js';
import type { WriteOutcome } from '../../storage/shard-store.js';
import { StoredObject } from '../../storage/stored-object.js';
import type { AdmissionRequest } from '../requests/admission.js';
import { convertObject } from '../resources/conversion.js';
import type { Written } from './create-object.js';
import { unfitObject, unfitPatch } from '../requests/decode-object.js';
import { matchesLabels } from '../resources/label-selector.js';
import { claimFields, type FieldClaim } from './track-fields.js';
import { checkObject, normalize, prepareChanged } from './prepare-object.js';
import type { ResourceDefinition } from '../resources/resource-definition.js';
import { printWriteOptions, type WriteOptions } from '../requests/write-options.js';
import type { Machinery, WriteTarget } from './write-target.js';

/** How the next version of an object is made from the current one, both in the target's version. */
export interface Change {
  readonly make: (current: KubeObject) => KubeObject;
  /** Whether a lost race is tried again on the newer object: patches are, replacements are not. */
  readonly retries: boolean;
  readonly claim: FieldClaim;
}

// kube-apiserver's patience with patches that meet other writers.
const ATTEMPTS = 5;

/** The object as it is stored, if the caller may see it. */
export function findVisible(machinery: Machinery, target: WriteTarget, name: string): StoredObject | undefined {
  const { definition, cluster, namespace, visible } = target;
  const stored = machinery.store.bucket(definition.bucket).get({ cluster, namespace, name });
  return stored !== undefined && matchesLabels(visible ?? [], stored.object.metadata.labels) ? stored : undefined;
}

/** Changes an object. */
export async function updateObject(
  machinery: Machinery,
  target: WriteTarget,
  name: string,
  change: Change,
  options: WriteOptions,
): Promise<Written> {
  const { definition } = target;
  for (let attempt = 1; ; attempt += 1) {
    const current = findVisible(machinery, target, name);
    if (current === undefined) throw notFound(definition, name);
    const { next, warnings } = await admitChange(machinery, target, current, change, options);
    if (next === undefined) return { stored: current, warnings, created: false };
    if (options.dryRun) return { stored: new StoredObject(current, current.revision, next), warnings, created: false };
    const outcome = isFinished(next, target)
      ? removed(machinery, target, current, next)
      : machinery.store.replace(definition.bucket, current, next);
    if (outcome.state === 'written') return { stored: outcome.stored, warnings, created: false };
    if (outcome.state === 'too-large') throw tooLargeToStore();
    if (!change.retries || attempt >= ATTEMPTS) throw conflict(definition, name, OBJECT_MODIFIED);
  }
}

interface Admitted {
  /** Undefined when nothing would change. */
  readonly next: KubeObject | undefined;
  readonly warnings: readonly string[];
}

async function admitChange(
  machinery: Machinery,
  target: WriteTarget,
  current: StoredObject,
  { make, claim, retries }: Change,
  options: WriteOptions,
): Promise<Admitted> {
  const { definition, version } = target;
  const input = make(convertObject(definition, current.object, version.name));
  refuseMismatch(input, current, target, retries);
  const refuse = (why: string): ApiError =>
    retries ? unfitPatch(input, why) : unfitObject({ kind: definition.kind, version: version.name }, definition.kind, why);
  const { object, warnings } = normalize(input, target, options.fieldValidation, refuse);
  const changed = claimFields(prepareChanged(object, current.object, target), current.object, claim, target, machinery.now());
  const request: AdmissionRequest = {
    operation: 'UPDATE',
    definition,
    version,
    cluster: target.cluster,
    namespace: target.namespace,
    name: current.name,
    subresource: target.subresource,
    user: target.user,
    dryRun: options.dryRun,
    options: printWriteOptions('UpdateOptions', options),
    oldObject: current.object,
  };
  const admitted = await machinery.admission.mutate(request, changed);
  checkObject(admitted, current.object, target);
  const advice = await machinery.admission.validate({ ...request, object: admitted });
  const isSame = sameJson(comparable(admitted), comparable(current.object));
  return { next: isSame ? undefined : admitted, warnings: [...warnings, ...advice] };
}

function refuseMismatch(
  input: KubeObject,
  current: StoredObject,
  { definition, subresource, namespace }: WriteTarget,
  isPatch: boolean,
): void {
  const { name, uid, resourceVersion, namespace: given } = input.metadata;
  if (name !== undefined && name !== current.name) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${current.name})`);
  }
  if (given !== undefined && given !== '' && given !== namespace) {
    throw badRequest(`the namespace of the object (${given}) does not match the namespace on the request (${namespace})`);
  }
  if (uid !== undefined && uid !== '' && uid !== current.uid) {
    if (isPatch) {
      throw invalid({ group: definition.group, kind: definition.kind }, current.name, immutable('metadata.uid', uid));
    }
    throw uidConflict(definition, current, uid);
  }
  const mayStay = subresource !== undefined || current.object.metadata.deletionTimestamp !== undefined;
  const set = DELETION_FIELDS.flatMap((key) =>
    mayStay || input.metadata[key] == null ? [] : immutable(`metadata.${key}`, input.metadata[key]),
  );
  if (set.length > 0) throw invalid({ group: definition.group, kind: definition.kind }, current.name, set);
  if (resourceVersion === undefined || resourceVersion === '' || resourceVersion === '0') {
    if (definition.rules?.allowsUnconditionalUpdate === true || subresource !== undefined) return;
    throw invalid({ group: definition.group, kind: definition.resource }, current.name, [
      { reason: 'FieldValueInvalid', message: 'Invalid value: 0: must be specified for an update', field: 'metadata.resourceVersion' },
    ]);
  }
  if (!/^\d+$/.test(resourceVersion)) throw unreadable(`strconv.ParseUint: parsing ${JSON.stringify(resourceVersion)}: invalid syntax`);
  if (resourceVersion !== String(current.revision)) throw conflict(definition, current.name, OBJECT_MODIFIED);
}

// Kubernetes leaves this one to its storage, which says where an object is kept.
function uidConflict(definition: ResourceDefinition, { cluster, namespace, name, uid }: StoredObject, given: string): ApiError {
  const { group, resource, origin } = definition;
  const family = { builtin: [], system: ['customresources'], crd: ['customresources'], bound: identityOf(origin) }[origin.kind];
  const key = ['/registry', group === '' ? 'core' : group, resource, ...family, cluster, ...(namespace === '' ? [] : [namespace]), name];
  const failed = `Precondition failed: UID in precondition: ${given}, UID in object meta: ${uid}`;
  const where = `Key: ${key.join('/')}, ResourceVersion: 0`;
  return conflict(definition, name, `StorageError: invalid object, Code: 4, ${where}, AdditionalErrorMsg: ${failed}`);
}

function identityOf(origin: ResourceDefinition['origin']): readonly string[] {
  return origin.kind === 'bound' ? [origin.identityHash] : [];
}

// Only a delete sets these; on an object that is being deleted they stay as they are, whatever a client says.
const DELETION_FIELDS = ['deletionTimestamp', 'deletionGracePeriodSeconds'] as const;

// kube-apiserver checks metadata twice, and says so.
function immutable(field: string, value: unknown): readonly StatusCause[] {
  const cause = { reason: 'FieldValueInvalid', message: `Invalid value: ${JSON.stringify(value)}: field is immutable`, field };
  return [cause, cause];
}

/** Whether a deleted object has nothing left that holds it. */
export function isFinished(object: KubeObject, { definition }: Pick<WriteTarget, 'definition'>): boolean {
  const { deletionTimestamp, finalizers } = object.metadata;
  return deletionTimestamp !== undefined && (finalizers ?? []).length === 0 && definition.rules?.isHeld?.(object) !== true;
}

// The caller sees the object without its last finalizer, at the version that the removal replaced.
function removed(machinery: Machinery, { definition }: WriteTarget, current: StoredObject, next: KubeObject): WriteOutcome {
  const outcome = machinery.store.remove(definition.bucket, current);
  return outcome.state === 'written' ? { state: 'written', stored: new StoredObject(current, current.revision, next) } : outcome;
}

// Another manager of a field is a change; another time of the same write is none.
function comparable(object: KubeObject): unknown {
  const managers = arrayAt(object, 'metadata', 'managedFields').filter(isRecord);
  return withMetadata(object, { resourceVersion: undefined, managedFields: managers.map((one) => without(one, 'time')) });
}
