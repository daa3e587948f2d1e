import type { KubeObject } from '@dep-ctrl/kcp-names';
import { conflict, notFound } from '../../http/api-status.js';
import { withMetadata } from '../../json/json.js';
import { StoredObject } from '../../storage/stored-object.js';
import { matchesFields, type FieldSelector } from '../resources/field-selector.js';
import { matchesLabels, type LabelSelector } from '../resources/label-selector.js';
import { timestamp } from '../resources/object-meta.js';
import { findVisible, isFinished } from './update-object.js';
import { printDeleteOptions, type DeleteOptions } from '../requests/write-options.js';
import type { Machinery, WriteTarget } from './write-target.js';

/** The result of a delete: the object is gone, or it stays until its finalizers are removed. */
export interface Deleted {
  readonly state: 'gone' | 'stays';
  readonly stored: StoredObject;
  readonly warnings: readonly string[];
}

/** Deletes one object. */
export async function deleteObject(machinery: Machinery, target: WriteTarget, name: string, options: DeleteOptions): Promise<Deleted> {
  return deleteNamed(machinery, target, name, name, options);
}

/** Deletes the objects that selectors match: one after the other, and no further than the first refusal. */
export async function deleteCollection(
  machinery: Machinery,
  target: Omit<WriteTarget, 'namespace'> & { readonly namespace: string | undefined },
  selectors: { readonly labels: LabelSelector; readonly fields: FieldSelector },
  options: DeleteOptions,
): Promise<{ readonly objects: readonly StoredObject[]; readonly warnings: readonly string[] }> {
  const { definition, cluster, namespace, visible } = target;
  const labels = [...selectors.labels, ...(visible ?? [])];
  const matching = machinery.store
    .bucket(definition.bucket)
    .list(namespace === undefined ? { cluster } : { cluster, namespace })
    .filter(({ object }) => matchesLabels(labels, object.metadata.labels) && matchesFields(selectors.fields, object));
  const warnings: string[] = [];
  const objects: StoredObject[] = [];
  for (const stored of matching) {
    const one = { ...target, namespace: stored.namespace };
    // An object that has gone meanwhile is what the caller wanted.
    if (findVisible(machinery, one, stored.name) === undefined) continue;
    const deleted = await deleteNamed(machinery, one, stored.name, undefined, options);
    warnings.push(...deleted.warnings);
    objects.push(deleted.stored);
  }
  return { objects, warnings };
}

async function deleteNamed(
  machinery: Machinery,
  target: WriteTarget,
  name: string,
  nameInReview: string | undefined,
  options: DeleteOptions,
): Promise<Deleted> {
  const { definition } = target;
  for (;;) {
    const current = findVisible(machinery, target, name);
    if (current === undefined) throw notFound(definition, name);
    refusePreconditions(current, target, options);
    const warnings = await machinery.admission.validate({
      operation: 'DELETE',
      definition,
      version: target.version,
      cluster: target.cluster,
      namespace: target.namespace,
      name: nameInReview,
      subresource: undefined,
      user: target.user,
      dryRun: options.dryRun,
      options: printDeleteOptions(options),
      oldObject: current.object,
    });
    const next = markDeleted(current.object, target, options, machinery.now());
    const stays = !isFinished(next, target);
    if (options.dryRun)
      return { state: stays ? 'stays' : 'gone', stored: stays ? new StoredObject(current, current.revision, next) : current, warnings };
    if (stays && next === current.object) return { state: 'stays', stored: current, warnings };
    const outcome = stays ? machinery.store.replace(definition.bucket, current, next) : machinery.store.remove(definition.bucket, current);
    if (outcome.state === 'written') return { state: stays ? 'stays' : 'gone', stored: stays ? outcome.stored : current, warnings };
  }
}

function refusePreconditions({ name, uid, revision }: StoredObject, { definition }: WriteTarget, { preconditions }: DeleteOptions): void {
  const refuse = (what: string, wanted: string | undefined, found: string, since: string): void => {
    if (wanted === undefined || wanted === found) return;
    if (definition.rules?.checksPreconditions === true)
      throw conflict(definition, name, `Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${found}`);
    const noun = { group: definition.group, resource: definition.kind };
    throw conflict(noun, name, `the ${what} in the precondition (${wanted}) does not match the ${what} in record (${found}). ${since}`);
  };
  refuse('UID', preconditions.uid, uid, 'The object might have been deleted and then recreated');
  refuse('ResourceVersion', preconditions.resourceVersion, String(revision), 'The object might have been modified');
}

const POLICY_FINALIZERS: Readonly<Record<string, string>> = { Orphan: 'orphan', Foreground: 'foregroundDeletion' };

function markDeleted(object: KubeObject, { definition }: WriteTarget, { propagationPolicy }: DeleteOptions, nowMs: number): KubeObject {
  const finalizers = object.metadata.finalizers ?? [];
  const wanted = POLICY_FINALIZERS[propagationPolicy ?? ''];
  const withPolicy = wanted === undefined || finalizers.includes(wanted) ? finalizers : [...finalizers, wanted];
  if (object.metadata.deletionTimestamp !== undefined && withPolicy === finalizers) return object;
  const marked = withMetadata(object, {
    deletionTimestamp: object.metadata.deletionTimestamp ?? timestamp(nowMs),
    deletionGracePeriodSeconds: 0,
    finalizers: withPolicy.length === 0 ? undefined : withPolicy,
    generation: object.metadata.generation === undefined ? undefined : object.metadata.generation + 1,
  });
  return definition.rules?.onDelete?.(marked) ?? marked;
}
