// Server-side apply: the applied configuration is merged into the live object. A field that its manager applied before and leaves out now is removed, unless
// another manager holds it too. A field that another manager holds with another value is a conflict, unless the apply is forced.
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { ApiError, badRequest } from '../http/api-status.js';
import { sameJson, stringAt, withAnnotations, withoutUndefined } from '../json/json.js';
import { applyConflict, type Conflict } from './apply-conflict.js';
import { compareFields } from './compare-fields.js';
import { fieldsOf } from './fields-of.js';
import { managerKey, readManagers, withManagers, type FieldManager, type FieldManagers } from './field-managers.js';
import { FieldSet } from './field-set.js';
import type { FieldType } from './field-type.js';
import { configurationForAnnotation, fieldsLastApplied, LAST_APPLIED } from './last-applied.js';
import { mergeFields } from './merge-fields.js';
import { afterChange, fieldsTaken, resetSet, withoutReset, withoutServerFields, type ResetFields } from './ownership.js';
import { pruned } from './prune-applied.js';
import { managersAfter, unmanaged } from './record-update.js';
import { typeProblems } from './type-problems.js';

/** One apply. */
export interface ServerSideApply {
  /** What is stored now; undefined when the apply creates the object. */
  readonly live: KubeObject | undefined;
  /** The body of the patch. */
  readonly applied: KubeObject;
  readonly type: FieldType;
  readonly manager: string;
  readonly force: boolean;
  readonly apiVersion: string;
  readonly kind: string;
  readonly subresource?: string | undefined;
  readonly reset?: ResetFields;
  /** RFC 3339, whole seconds. */
  readonly now: string;
}

// kubectl's own field manager: only for it does the server keep the annotation of client-side apply in step.
const KUBECTL = 'kubectl';

/** The object to store. Throws 409 with one cause per conflict, 400 or 500 for a configuration that does not fit; nothing else changes. */
export function applyServerSide(apply: ServerSideApply): KubeObject {
  refuseMisfits(apply);
  const live = apply.live ?? emptyObject(apply);
  const known = managersOf(live, apply);
  const configuration = unmanaged(apply.applied);
  const { merged, managers } = ownedMerge(apply, unmanaged(live), configuration, known);
  const unchanged = sameJson(merged, unmanaged(live));
  const timed = unchanged ? managers : withTime(managers, writerOf(apply), apply.now);
  const result = withManagers(unchanged ? live : merged, timed);
  const keepsAnnotation = apply.manager === KUBECTL && (result.metadata.annotations?.[LAST_APPLIED] ?? '') !== '';
  return keepsAnnotation ? withAnnotations(result, { [LAST_APPLIED]: configurationForAnnotation(apply.applied) }) : result;
}

function refuseMisfits({ applied, apiVersion, kind, type }: ServerSideApply): void {
  const [givenVersion, givenKind] = [stringAt(applied, 'apiVersion') ?? '', stringAt(applied, 'kind') ?? ''];
  if (givenVersion !== apiVersion || givenKind !== kind) {
    const versioned = givenVersion.includes('/') ? givenVersion : `/${givenVersion}`;
    throw badRequest(`invalid object type: ${versioned}, Kind=${givenKind}`);
  }
  if (Array.isArray(applied.metadata['managedFields'])) throw badRequest('metadata.managedFields must be nil');
  const problems = typeProblems(unmanaged(applied), type);
  if (problems.length === 0) return;
  const [namespace, name] = [applied.metadata.namespace ?? '', applied.metadata.name ?? ''];
  const versioned = apiVersion.includes('/') ? apiVersion : `/${apiVersion}`;
  const list = problems.length === 1 ? (problems[0] ?? '') : `errors:\n${problems.map((problem) => `  ${problem}`).join('\n')}`;
  throw new ApiError({
    code: 500,
    message: `failed to create typed patch object (${namespace}/${name}; ${versioned}, Kind=${kind}): ${list}`,
  });
}

function emptyObject({ apiVersion, kind, applied }: ServerSideApply): KubeObject {
  const { name, namespace } = applied.metadata;
  return { apiVersion, kind, metadata: withoutUndefined({ name, namespace }) as KubeObject['metadata'] };
}

// Whatever an object without managers holds belongs to a manager of its own from now on.
function managersOf(live: KubeObject, { type, apiVersion, subresource, reset, now, live: stored }: ServerSideApply): FieldManagers {
  const known = readManagers(live.metadata['managedFields']);
  if (known === undefined) throw new ApiError({ code: 500, message: 'failed to decode managed fields' });
  if (known.size > 0 || stored === undefined) return known;
  return managersAfter(
    { live: undefined, next: live, type, manager: 'before-first-apply', apiVersion, subresource, reset: reset ?? [], now },
    known,
  );
}

interface OwnedMerge {
  readonly merged: KubeObject;
  readonly managers: FieldManagers;
}

function ownedMerge(apply: ServerSideApply, live: KubeObject, configuration: KubeObject, known: FieldManagers): OwnedMerge {
  const writer = managerKey(writerOf(apply));
  const reset = resetSet(apply.reset ?? []);
  const fields = fieldsOf(configuration, apply.type).without(reset);
  const managers = new Map(known).set(writer, { ...writerOf(apply), fields, time: known.get(writer)?.time });
  const laidOver = mergeFields(live, configuration, apply.type) as KubeObject;
  const merged = pruned(laidOver, { lastApplied: known.get(writer)?.fields ?? new FieldSet(), managers, type: apply.type });
  const comparison = withoutReset(compareFields(live, merged, apply.type), reset);
  if (!apply.force) refuseConflicts(apply, live, managers, fieldsTaken(managers, writer, comparison));
  const after = new Map(afterChange(managers, writer, comparison));
  const own = withoutServerFields(fields);
  if (own.isEmpty) after.delete(writer);
  else after.set(writer, { ...writerOf(apply), fields: own, time: known.get(writer)?.time });
  return { merged, managers: after };
}

function writerOf({ manager, apiVersion, subresource }: ServerSideApply): FieldManager {
  return { manager, operation: 'Apply', apiVersion, subresource };
}

// kubectl may take over, without force, the fields that it wrote itself by client-side apply and that have not changed since.
function refuseConflicts(apply: ServerSideApply, live: KubeObject, managers: FieldManagers, taken: ReadonlyMap<string, FieldSet>): void {
  const allowed = apply.manager === KUBECTL ? fieldsLastApplied(live, apply.apiVersion, apply.type) : new FieldSet();
  const conflicts: Conflict[] = [...taken].flatMap(([key, fields]) => {
    const manager = managers.get(key);
    return manager === undefined
      ? []
      : fields
          .difference(allowed)
          .paths()
          .map((path) => ({ manager, path }));
  });
  if (conflicts.length > 0) throw applyConflict(conflicts);
}

function withTime(managers: FieldManagers, writer: FieldManager, time: string): FieldManagers {
  const own = managers.get(managerKey(writer));
  return own === undefined ? managers : new Map(managers).set(managerKey(writer), { ...own, time });
}
