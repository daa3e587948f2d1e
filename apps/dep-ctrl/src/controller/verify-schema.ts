/*
 * Does what a rule names exist? Read from the APIExport and the APIResourceSchemas behind it: a typo must not look fine.
 * Pure; the objects are read by `export-reader.ts`, where they may be read at all.
 */
import { printGroupResource, type GroupVersionResource, type KubeObject } from '@dep-ctrl/kcp-names';
import { EACH, type FieldPath, type PathStep } from '@dep-ctrl/fieldpath';

/** Whether what a rule names was found where it says. */
export type Verification =
  | { readonly state: 'verified' }
  | { readonly state: 'not-verified'; readonly problem: string }
  | { readonly state: 'wrong'; readonly reason: WrongReason; readonly message: string };

/** What can be wrong with a name in a rule. */
export type WrongReason =
  'ExportNotFound' | 'ResourceNotExported' | 'VersionNotServed' | 'KindNotServed' | 'FieldNotFound' | 'FieldNotAString';

/** Nothing wrong. */
export const VERIFIED: Verification = { state: 'verified' };

type Json = Readonly<Record<string, unknown>>;

/** The name of the schema behind a resource of an APIExport (v1alpha2), or undefined where it exports no such resource. */
export function schemaNameIn(apiExport: KubeObject, { group, resource }: GroupVersionResource): string | undefined {
  const resources = listAt(recordAt(apiExport, 'spec'), 'resources');
  const found = resources.find((item) => item['name'] === resource && (item['group'] ?? '') === group);
  return typeof found?.['schema'] === 'string' ? found['schema'] : undefined;
}

/** A type, with its kind where a rule names one. */
export interface NamedKind extends GroupVersionResource {
  readonly kind?: string;
}

/** Whether a schema (APIResourceSchema) serves the version, under the kind if one is named, and, where a path is given, whether that leads to a string in it. */
export function verifySchema(schema: KubeObject, type: NamedKind, fieldPaths: readonly FieldPath[]): Verification {
  const versions = listAt(recordAt(schema, 'spec'), 'versions');
  const version = versions.find((item) => item['name'] === type.version && item['served'] === true);
  if (version === undefined) {
    const served = versions.filter((item) => item['served'] === true).map((item) => String(item['name']));
    return {
      state: 'wrong',
      reason: 'VersionNotServed',
      message: `${printGroupResource(type)} is not served as ${type.version}: use ${served.join(' or ') || 'a version that is served'}`,
    };
  }
  const kind = recordAt(recordAt(schema, 'spec'), 'names')['kind'];
  if (type.kind !== undefined && typeof kind === 'string' && kind !== type.kind) {
    return { state: 'wrong', reason: 'KindNotServed', message: `the kind of ${printGroupResource(type)} is ${kind}, not ${type.kind}` };
  }
  const problems = fieldPaths.map((path) => verifyFieldPath(recordAt(version, 'schema'), path, type));
  return problems.find(({ state }) => state !== 'verified') ?? VERIFIED;
}

/** Follows a path through an OpenAPI schema. Where the schema leaves things open, they are believed. */
export function verifyFieldPath(schema: Json, path: FieldPath, type: GroupVersionResource): Verification {
  const end = follow(schema, path.steps);
  if (end === 'open') return VERIFIED;
  if (end === undefined) {
    return { state: 'wrong', reason: 'FieldNotFound', message: `${printGroupResource(type)} ${type.version} has no field ${path.text}` };
  }
  return end['type'] === 'string' || isOpen(end)
    ? VERIFIED
    : {
        state: 'wrong',
        reason: 'FieldNotAString',
        message: `field ${path.text} of ${printGroupResource(type)} ${type.version} is of type ${String(end['type'])}: it should lead to a string`,
      };
}

function follow(schema: Json, steps: readonly PathStep[]): Json | 'open' | undefined {
  if (steps[0] === 'metadata') return 'open'; // schemas do not spell out what every object has
  let here = schema;
  for (const step of steps) {
    if (isOpen(here)) return 'open';
    const next = step === EACH ? recordOf(here['items']) : propertyOf(here, step);
    if (next === undefined) return undefined;
    here = next;
  }
  return here;
}

function propertyOf(schema: Json, key: string): Json | undefined {
  const properties = recordAt(schema, 'properties');
  if (Object.hasOwn(properties, key)) return recordOf(properties[key]);
  const additional = schema['additionalProperties'];
  return additional === true ? {} : recordOf(additional);
}

/** No type, or fields that the schema does not list are kept: anything can stand there. */
function isOpen(schema: Json): boolean {
  if (schema['x-kubernetes-preserve-unknown-fields'] === true || schema['x-kubernetes-int-or-string'] === true) return true;
  return schema['type'] === undefined;
}

function listAt(record: Json, field: string): readonly Json[] {
  const value = record[field];
  return Array.isArray(value) ? value.filter((item: unknown): item is Json => recordOf(item) !== undefined) : [];
}

function recordAt(record: Json, field: string): Json {
  return recordOf(record[field]) ?? {};
}

function recordOf(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
}
