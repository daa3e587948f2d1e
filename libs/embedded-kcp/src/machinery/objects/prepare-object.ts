// Turns the object that a client sent into one that may be stored: pruned, defaulted, with identity, checked. Pure but for time and random names.
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { invalid, type ApiError, type StatusCause } from '../../http/api-status.js';
import { recordAt, sameJson, withMetadata, without, type JsonRecord } from '../../json/json.js';
import { oncePer } from '../../json/once-per.js';
import { convertObject } from '../resources/conversion.js';
import { checkMetadata, checkName } from '../resources/metadata-rules.js';
import { keepIdentity, newMetadata } from '../resources/object-meta.js';
import { isCustom, type ResourceDefinition, type ResourceVersion } from '../resources/resource-definition.js';
import { applyDefaults } from '../schema/apply-defaults.js';
import { prune } from '../schema/prune.js';
import { checkRules, hasRules } from '../schema/validation-rules.js';
import { validate } from '../schema/validate.js';
import type { WriteOptions } from '../requests/write-options.js';
import type { WriteTarget } from './write-target.js';

/** An object in its storage version, and the warnings for the client. */
export interface Prepared {
  readonly object: KubeObject;
  readonly warnings: readonly string[];
}

type Typed = Pick<WriteTarget, 'definition' | 'version'>;

/** Brings an object of the caller's version into the storage version. `refuse` makes the error of a strict client. */
export function normalize(
  object: KubeObject,
  { definition, version }: Typed,
  fieldValidation: WriteOptions['fieldValidation'],
  refuse: (why: string) => ApiError,
): Prepared {
  const { schema } = version;
  const stored = (value: KubeObject): KubeObject => convertObject(definition, value, definition.storageVersion);
  if (schema === undefined) return { object: stored(object), warnings: [] };
  const { value, unknown } = prune(schema, object);
  const problems = (isCustom(definition) ? sorted(unknown) : unknown).map((field) => `unknown field ${JSON.stringify(field)}`);
  if (problems.length > 0 && fieldValidation === 'Strict') throw refuse(`strict decoding error: ${problems.join(', ')}`);
  return { object: stored(applyDefaults(schema, value) as KubeObject), warnings: fieldValidation === 'Warn' ? problems : [] };
}

// Custom resources are decoded twice: their metadata first.
function sorted(fields: readonly string[]): readonly string[] {
  const isOfMetadata = (field: string): boolean => field.startsWith('metadata.');
  return [...fields.filter(isOfMetadata).sort(), ...fields.filter((field) => !isOfMetadata(field)).sort()];
}

/** A new object with the fields that the server sets. */
export function prepareNew(object: KubeObject, target: WriteTarget, name: string, nowMs: number): KubeObject {
  const { definition, version, cluster, namespace } = target;
  const metadata = newMetadata(object.metadata, { cluster, namespace, name, nowMs });
  const { status, ...withoutStatus } = object;
  const kept = version.hasStatus || status === undefined ? withoutStatus : { ...withoutStatus, status };
  const generation = hasGeneration(definition) ? 1 : undefined;
  const fresh = withMetadata({ ...kept, metadata }, { generation });
  return definition.rules?.onCreate?.(fresh) ?? fresh;
}

/** A changed object: only status changes through the status subresource, never through the main one. */
export function prepareChanged(object: KubeObject, current: KubeObject, target: WriteTarget): KubeObject {
  const { definition, version, subresource } = target;
  if (subresource === 'status') {
    const { status, metadata } = object;
    const { status: _status, ...rest } = current;
    const managed = withMetadata(
      { ...rest, ...(status === undefined ? {} : { status }) },
      {
        managedFields: metadata['managedFields'],
      },
    );
    return definition.rules?.onStatus?.(managed, object) ?? managed;
  }
  // Only namespaces have it: what holds them beside their finalizers.
  if (subresource === 'finalize') return { ...current, spec: object['spec'] ?? {} };
  const identified = keepIdentity(object, current);
  const { status: _status, ...withoutStatus } = identified;
  const status = version.hasStatus ? current['status'] : identified['status'];
  const next = { ...withoutStatus, ...(status === undefined ? {} : { status }) } as KubeObject;
  const ruled = definition.rules?.onUpdate?.(next, current) ?? next;
  const raised = hasGeneration(definition) && !sameJson(specOf(ruled), specOf(current));
  return raised ? withMetadata(ruled, { generation: (current.metadata.generation ?? 0) + 1 }) : ruled;
}

/** Refuses an invalid object. `previous` is undefined on a create. */
export function checkObject(object: KubeObject, previous: KubeObject | undefined, { definition, version }: Typed): void {
  const name = object.metadata.name ?? '';
  const causes = [
    ...(previous === undefined ? checkName(name, definition.rules?.names ?? 'subdomain') : checkFinalizers(object, previous)),
    ...checkMetadata(object.metadata, hasStandardFinalizers(definition) ? 'core' : 'other'),
    ...checkSchema(object, previous, definition, version),
    ...(definition.rules?.check?.(object, previous) ?? []),
  ];
  if (causes.length > 0) throw invalid({ group: definition.group, kind: definition.kind }, name, causes);
}

function checkSchema(
  object: KubeObject,
  previous: KubeObject | undefined,
  definition: ResourceDefinition,
  version: ResourceVersion,
): readonly StatusCause[] {
  const { schema } = version;
  if (schema === undefined) return [];
  const inVersion = (value: KubeObject): KubeObject => convertObject(definition, value, version.name);
  const shown = inVersion(object);
  const before = previous === undefined ? undefined : inVersion(previous);
  const broken = isCustom(definition) ? validate(schema, shown, [], before) : validate(contentSchema(schema), shown);
  if (broken.some(({ reason }) => BLOCKING.has(reason))) return hasRules(schema) ? [...broken, RULES_SKIPPED] : broken;
  return [...broken, ...checkRules(schema, shown, before)];
}

// What an object is not may keep rules from being evaluated; that a value is out of bounds does not.
const BLOCKING: ReadonlySet<string> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

// The metadata of built-ins is checked by rules of its own.
const contentSchema = oncePer((schema: JsonRecord): JsonRecord => ({
  ...schema,
  properties: without(recordAt(schema, 'properties'), 'metadata'),
}));

const RULES_SKIPPED: StatusCause = {
  reason: 'FieldValueInvalid',
  message:
    'Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
  field: '<nil>',
};

function checkFinalizers(object: KubeObject, previous: KubeObject): readonly StatusCause[] {
  if (previous.metadata.deletionTimestamp === undefined) return [];
  const added = (object.metadata.finalizers ?? []).filter((finalizer) => !(previous.metadata.finalizers ?? []).includes(finalizer));
  if (added.length === 0) return [];
  const list = added.map((finalizer) => JSON.stringify(finalizer)).join(', ');
  return [
    {
      reason: 'FieldValueForbidden',
      message: `Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`,
      field: 'metadata.finalizers',
    },
  ];
}

// Kinds of the core group and of RBAC know which finalizers without a domain there are.
function hasStandardFinalizers({ group, origin }: ResourceDefinition): boolean {
  return origin.kind === 'builtin' && (group === '' || group === 'rbac.authorization.k8s.io');
}

function hasGeneration(definition: ResourceDefinition): boolean {
  return definition.origin.kind !== 'builtin' || definition.rules?.hasGeneration === true;
}

// What raises the generation: everything but metadata and status.
function specOf({ metadata: _metadata, status: _status, apiVersion: _apiVersion, ...rest }: KubeObject): unknown {
  return rest;
}
