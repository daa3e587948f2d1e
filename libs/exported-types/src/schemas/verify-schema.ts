/*
 * Checks a name against the APIExport and the APIResourceSchemas behind it, so that typos are found.
 * Pure; `export-reader.ts` reads the objects.
 */
import {
  elements,
  isRecord,
  printGroupResource,
  record,
  recordAt,
  type GroupResource,
  type GroupVersionResource,
  type KubeObject,
} from '@dep-ctrl/kcp-names';
import { EACH, printStep, type FieldPath, type PathStep } from '@dep-ctrl/fieldpath';
import { printFirst } from './first-names.js';
import { printNear } from './near-names.js';
import { OBJECT_META } from './object-meta.js';

/** Whether what is named was found where it says. */
export type Verification =
  | {
      readonly state: 'verified';
      readonly isClusterScoped?: true;
      /** Fields `namespace` beside the fields that paths lead to, by the text of the path. */
      readonly namespaceBeside?: ReadonlyMap<string, string>;
    }
  | { readonly state: 'not-verified'; readonly problem: string }
  /** `servedBy`: the exports of that workspace that serve the type nevertheless; undefined: that was not asked, or may not be read. */
  | { readonly state: 'wrong'; readonly reason: WrongReason; readonly message: string; readonly servedBy?: readonly string[] };

/** What can be wrong with a name. */
export type WrongReason =
  'ExportNotFound' | 'ResourceNotExported' | 'VersionNotServed' | 'KindNotServed' | 'FieldNotFound' | 'FieldNotAString';

/** Nothing wrong. */
export const VERIFIED: Verification = { state: 'verified' };

type Json = Readonly<Record<string, unknown>>;

const OPEN: Json = {};

/** The name of the schema behind a resource of an APIExport (v1alpha2), or undefined where it exports no such resource. */
export function schemaNameIn(apiExport: KubeObject, { group, resource }: GroupVersionResource): string | undefined {
  const resources = listAt(recordAt(apiExport, 'spec'), 'resources');
  const found = resources.find((item) => item['name'] === resource && (item['group'] ?? '') === group);
  return typeof found?.['schema'] === 'string' ? found['schema'] : undefined;
}

/** An APIExport (v1alpha2) without all that is not looked at here. */
export function resourcesOnly(apiExport: KubeObject): KubeObject {
  const resources = listAt(recordAt(apiExport, 'spec'), 'resources').map(({ group, name, schema }) => ({ group, name, schema }));
  const { name } = apiExport.metadata;
  return { metadata: name === undefined ? {} : { name }, spec: { resources } };
}

/** What an APIExport (v1alpha2) exports. */
export function exportedTypes(apiExport: KubeObject): readonly GroupResource[] {
  return listAt(recordAt(apiExport, 'spec'), 'resources').map((item) => ({ group: textAt(item, 'group'), resource: textAt(item, 'name') }));
}

/** What an APIExport (v1alpha2) exports, for people: sorted, and the first ten, or as many as are not too long for a status. */
export function printExported(apiExport: KubeObject): string {
  const names = exportedTypes(apiExport)
    .map((type) => printGroupResource(type))
    .toSorted();
  return printFirst(names, { most: MOST_NAMES });
}

const MOST_NAMES = 10;

/** A type, with its kind where one is named. */
export interface NamedKind extends GroupVersionResource {
  readonly kind?: string;
  /** Whether the reader of the answer may know which other types there are. */
  readonly isOwn: boolean;
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
      message: `${printGroupResource(type)} is not served as ${type.version}: use ${(type.isOwn && served.join(' or ')) || 'a version that is served'}`,
    };
  }
  const kind = recordAt(recordAt(schema, 'spec'), 'names')['kind'];
  if (type.kind !== undefined && typeof kind === 'string' && kind !== type.kind) {
    return { state: 'wrong', reason: 'KindNotServed', message: `the kind of ${printGroupResource(type)} is ${kind}, not ${type.kind}` };
  }
  const problems = fieldPaths.map((path) => verifyFieldPath(recordAt(version, 'schema'), path, type));
  const problem = problems.find(({ state }) => state !== 'verified');
  if (problem !== undefined) return problem;
  const namespaceBeside = new Map(fieldPaths.flatMap((path) => namespaceBesideOf(recordAt(version, 'schema'), path)));
  return {
    ...VERIFIED,
    ...(recordAt(schema, 'spec')['scope'] === 'Cluster' && { isClusterScoped: true }),
    ...(namespaceBeside.size > 0 && { namespaceBeside }),
  };
}

/** The path, and that of a string called `namespace` beside what it leads to, where the schema has one. */
function namespaceBesideOf(schema: Json, { text, steps }: FieldPath): readonly (readonly [string, string])[] {
  const around = steps.slice(0, -1);
  const beside = recordAt(recordAt(follow(schema, around) ?? OPEN, 'properties'), 'namespace');
  if (steps.at(-1) === 'namespace' || beside['type'] !== 'string') return [];
  return [[text, [...around, 'namespace'].map(printStep).join('')]];
}

const WITH_METADATA: Json = { ...OBJECT_META, properties: { metadata: OBJECT_META } };

/** Follows a path through an OpenAPI schema. Where the schema leaves things open, they are believed. */
export function verifyFieldPath(written: Json, path: FieldPath, type: GroupVersionResource): Verification {
  // The fields of a schema are never copied: it may have tens of thousands, and a rule a hundred paths.
  const schema = path.steps[0] === 'metadata' && !isOpen(written) ? WITH_METADATA : written;
  const end = follow(schema, path.steps);
  if (mayBeText(end)) return VERIFIED;
  const typeText = `${printGroupResource(type)} ${type.version}`;
  const meant = throughArrays(schema, path.steps);
  if (end === undefined) {
    const hint = meant === undefined ? fieldsThere(schema, path.steps) : `: ${meant.array} is an array, write ${meant.text}`;
    return { state: 'wrong', reason: 'FieldNotFound', message: `${typeText} has no field ${path.text}${hint}` };
  }
  const hint = meant === undefined ? '' : `, write ${meant.text}`;
  const message = `field ${path.text} of ${typeText} is of type ${String(end['type'])}: it should lead to a string${hint}`;
  return { state: 'wrong', reason: 'FieldNotAString', message };
}

function mayBeText(schema: Json | undefined): boolean {
  return schema !== undefined && (schema['type'] === 'string' || isOpen(schema));
}

/** The schema that a path leads to; one that leaves everything open, where a schema on the way does. */
function follow(schema: Json, steps: readonly PathStep[]): Json | undefined {
  let here = schema;
  for (const step of steps) {
    if (isOpen(here)) return OPEN;
    const next = nextOf(here, step);
    if (next === undefined) return undefined;
    here = next;
  }
  return here;
}

function nextOf(schema: Json, step: PathStep): Json | undefined {
  return step === EACH ? record(schema['items']) : propertyOf(schema, step);
}

/** What there is where the path leads no further, the nearest first. */
function fieldsThere(schema: Json, steps: readonly PathStep[]): string {
  let here = schema;
  for (const [at, step] of steps.entries()) {
    const next = nextOf(here, step);
    if (next !== undefined) {
      here = next;
      continue;
    }
    const names = Object.keys(recordAt(here, 'properties'));
    if (names.length === 0 || step === EACH) return '';
    return `: ${steps.slice(0, at).map(printStep).join('') || 'it'} has ${printNear(names, step)}`;
  }
  return '';
}

/** What the path should be, where it only lacks `[*]` after arrays, and the first of these. */
function throughArrays(schema: Json, steps: readonly PathStep[]): { readonly array: string; readonly text: string } | undefined {
  const through: PathStep[] = [];
  let here: Json | undefined = schema;
  for (const step of [...steps, undefined]) {
    for (; step !== EACH && here?.['type'] === 'array'; here = nextOf(here, EACH)) through.push(EACH);
    if (step === undefined) break;
    through.push(step);
    here = here && nextOf(here, step);
  }
  if (!mayBeText(follow(schema, through))) return undefined;
  const first = through.findIndex((step, at) => step !== steps[at]);
  return { array: through.slice(0, first).map(printStep).join(''), text: through.map(printStep).join('') };
}

function propertyOf(schema: Json, key: string): Json | undefined {
  const properties = recordAt(schema, 'properties');
  if (Object.hasOwn(properties, key)) return record(properties[key]);
  const additional = schema['additionalProperties'];
  return additional === true ? {} : record(additional);
}

/** No type, or fields that the schema does not list are kept: anything can stand there. */
function isOpen(schema: Json): boolean {
  if (schema['x-kubernetes-preserve-unknown-fields'] === true || schema['x-kubernetes-int-or-string'] === true) return true;
  return schema['type'] === undefined;
}

function listAt(object: Json, field: string): readonly Json[] {
  return elements(object[field]).filter(isRecord);
}

function textAt(object: Json, field: string): string {
  const value = object[field];
  return typeof value === 'string' ? value : '';
}
