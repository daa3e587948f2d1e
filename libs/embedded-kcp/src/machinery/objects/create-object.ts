import type { KubeObject } from '@dep-ctrl/kcp-names';
import { alreadyExists, ApiError, badRequest, invalid, tooLargeToStore } from '../../http/api-status.js';
import { StoredObject } from '../../storage/stored-object.js';
import type { AdmissionRequest } from '../requests/admission.js';
import { unfitObject } from '../requests/decode-object.js';
import { claimFields, type FieldClaim } from './track-fields.js';
import { generateName } from '../resources/object-meta.js';
import { checkObject, normalize, prepareNew } from './prepare-object.js';
import { printWriteOptions, type WriteOptions } from '../requests/write-options.js';
import type { Machinery, WriteTarget } from './write-target.js';

/** The result of a write. */
export interface Written {
  readonly stored: StoredObject;
  readonly warnings: readonly string[];
  readonly created: boolean;
}

// Kubernetes tries so often when a generated name is taken.
const NAME_ATTEMPTS = 8;

/** Creates an object that was decoded in the target's version. */
export async function createObject(
  machinery: Machinery,
  target: WriteTarget,
  input: KubeObject,
  options: WriteOptions,
  claim: FieldClaim = { operation: 'Update', manager: options.fieldManager },
): Promise<Written> {
  refuseEarly(input, target);
  const { definition, version } = target;
  const refuse = (why: string): ApiError => unfitObject({ kind: definition.kind, version: version.name }, definition.kind, why);
  const { object, warnings } = normalize(input, target, options.fieldValidation, refuse);
  for (let attempt = 1; ; attempt += 1) {
    const name = nameOf(object, target);
    const fresh = claimFields(prepareNew(object, target, name, machinery.now()), undefined, claim, target, machinery.now());
    const request: AdmissionRequest = {
      operation: 'CREATE',
      definition,
      version,
      cluster: target.cluster,
      namespace: target.namespace,
      name,
      subresource: target.subresource,
      user: target.user,
      dryRun: options.dryRun,
      options: printWriteOptions('CreateOptions', options),
    };
    const admitted = await machinery.admission.mutate(request, fresh);
    checkObject(admitted, undefined, target);
    const advice = await machinery.admission.validate({ ...request, object: admitted });
    const key = { cluster: target.cluster, namespace: target.namespace, name };
    const isTaken = machinery.store.bucket(definition.bucket).get(key) !== undefined;
    const all = [...warnings, ...advice];
    if (options.dryRun && !isTaken) return { stored: new StoredObject(key, 0, admitted), warnings: all, created: true };
    const outcome = machinery.store.create(definition.bucket, key, admitted);
    if (outcome.state === 'written') return { stored: outcome.stored, warnings: all, created: true };
    if (outcome.state === 'too-large') throw tooLargeToStore();
    if (input.metadata.name !== undefined || attempt >= NAME_ATTEMPTS) throw taken(machinery, target, name);
  }
}

// A name that is going stays taken, and the refusal says why.
function taken(machinery: Machinery, { definition, cluster, namespace }: WriteTarget, name: string): ApiError {
  const error = alreadyExists(definition, name);
  const isGoing =
    machinery.store.bucket(definition.bucket).get({ cluster, namespace, name })?.object.metadata.deletionTimestamp !== undefined;
  return isGoing ? new ApiError({ ...error.body, message: `object is being deleted: ${error.message}` }) : error;
}

function refuseEarly({ metadata }: KubeObject, { namespace, definition }: WriteTarget): void {
  if (definition.namespaced && (metadata.namespace ?? namespace) !== namespace && metadata.namespace !== '') {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  if (metadata.resourceVersion !== undefined && metadata.resourceVersion !== '') {
    throw new ApiError({ code: 500, message: 'resourceVersion should not be set on objects to be created' });
  }
}

function nameOf({ metadata }: KubeObject, { definition }: WriteTarget): string {
  if (metadata.name !== undefined && metadata.name !== '') return metadata.name;
  if (metadata.generateName !== undefined && metadata.generateName !== '') return generateName(metadata.generateName);
  throw invalid({ group: definition.group, kind: definition.kind }, '', [
    { reason: 'FieldValueRequired', message: 'Required value: name or generateName is required', field: 'metadata.name' },
  ]);
}
