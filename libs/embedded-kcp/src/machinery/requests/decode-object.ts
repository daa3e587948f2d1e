// Checks that a value is an object of the expected type. These refusals come before any lookup.
import { apiVersionOf, type KubeObject } from '@dep-ctrl/kcp-names';
import { objectMetaSchema } from '../../built-in-schemas/object-metadata.js';
import { badRequest, invalid, type ApiError, type StatusCause } from '../../http/api-status.js';
import { isRecord, recordAt, stringAt, type JsonRecord } from '../../json/json.js';
import { decodeProblem, foundKind } from './decode-problem.js';
import { unrecognized } from './read-body.js';
import { isCustom, versionOf, type ResourceDefinition } from '../resources/resource-definition.js';

/** Checks that a value is an object of the definition's kind and version. Built-ins may leave both out. */
export function toObject(value: unknown, definition: ResourceDefinition, version: string): KubeObject {
  const { kind, group } = definition;
  const fields = value === null && !isCustom(definition) ? {} : value;
  if (isCustom(definition)) checkCustom(fields, definition, apiVersionOf({ group, version }));
  const problem = misfit(fields, definition, version);
  if (problem !== undefined)
    throw unfitObject({ kind: givenKind(value) ?? kind, version: (givenVersion(value) ?? version).replace(/^.*\//, '') }, kind, problem);
  return typed(fields, definition, version);
}

/** The same check of a patched object: here a refusal says that the patch is not valid. */
export function patchedObject(value: unknown, definition: ResourceDefinition, version: string): KubeObject {
  if (isCustom(definition) && isRecord(value)) checkPatched(value, definition, apiVersionOf({ group: definition.group, version }));
  const problem = misfit(value, definition, version);
  if (problem === undefined) return typed(value, definition, version);
  throw unfitPatch(value, problem);
}

/** The 400 for a body of another kind than expected. */
export function unfitObject(given: { readonly kind: string; readonly version: string }, expected: string, why: string): ApiError {
  return badRequest(`${given.kind} in version ${quote(given.version)} cannot be handled as a ${expected}: ${why}`);
}

/** The 422 for a patch whose result is no object of its kind. */
export function unfitPatch(patched: unknown, why: string): ApiError {
  const message = `Invalid value: ${quote(JSON.stringify(patched))}: ${why}`;
  return invalid({ group: '', kind: '' }, '', [{ reason: 'FieldValueInvalid', message, field: 'patch' }]);
}

function typed(value: unknown, { group, kind }: ResourceDefinition, version: string): KubeObject {
  const { apiVersion: _apiVersion, kind: _kind, metadata, ...fields } = recordAt(value);
  return { apiVersion: apiVersionOf({ group, version }), kind, metadata: withoutNulls(isRecord(metadata) ? metadata : {}), ...fields };
}

// Why a value is not an object of the kind, in the words of Go's decoder.
function misfit(value: unknown, definition: ResourceDefinition, version: string): string | undefined {
  const { kind, group } = definition;
  const expected = apiVersionOf({ group, version });
  if (!isRecord(value)) return `json: cannot unmarshal ${foundKind(value)} into Go value of type map[string]interface {}`;
  const [apiVersion, givenAs] = [givenVersion(value) ?? expected, givenKind(value) ?? kind];
  if (givenAs !== kind || apiVersion !== expected) {
    return `no kind ${quote(givenAs)} is registered for version ${quote(apiVersion)}`;
  }
  const schema = isCustom(definition) ? METADATA_ONLY : versionOf(definition, version)?.schema;
  return schema === undefined ? undefined : decodeProblem(value, schema, kind);
}

const METADATA_ONLY = { properties: { metadata: objectMetaSchema } };

function givenKind(value: unknown): string | undefined {
  return stringAt(value, 'kind');
}

function givenVersion(value: unknown): string | undefined {
  return stringAt(value, 'apiVersion');
}

// Null means absent in metadata, at every level that clients use.
function withoutNulls(metadata: Readonly<Record<string, unknown>>): KubeObject['metadata'] {
  return Object.fromEntries(
    Object.entries(metadata)
      .filter(([, value]) => value !== null)
      .map(([key, value]) => [
        key,
        isRecord(value) ? Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== null)) : value,
      ]),
  );
}

// A patch may not turn a custom resource into something else.
function checkPatched(value: JsonRecord, { kind, group }: ResourceDefinition, expected: string): void {
  const [apiVersion, givenAs] = [givenVersion(value) ?? expected, givenKind(value) ?? kind];
  const wrong = (field: string, found: string, right: string): readonly StatusCause[] =>
    found === right ? [] : [{ reason: 'FieldValueInvalid', message: `Invalid value: ${quote(found)}: must be ${right}`, field }];
  const causes = [...wrong('apiVersion', apiVersion, expected), ...wrong('kind', givenAs, kind)];
  const ofGroup = apiVersion === expected ? group : apiVersion.replace(/\/.*$/, '');
  if (causes.length > 0) throw invalid({ group: ofGroup, kind: givenAs }, stringAt(value, 'metadata', 'name') ?? '', causes);
}

/** 400 of an object that is decoded without knowing its type, where it does not say itself what it is. */
export function checkUntyped(value: unknown, { kind }: Pick<ResourceDefinition, 'kind'>, expected: string): void {
  const apiVersion = givenVersion(value) ?? '';
  const text = JSON.stringify(value);
  if (givenKind(value) === undefined) throw unrecognized(kind, `Object 'Kind' is missing in '${text}'`, text);
  if (apiVersion !== expected) {
    throw badRequest(`the API version in the data (${apiVersion}) does not match the expected API version (${expected})`);
  }
}

function checkCustom(value: unknown, { kind, group }: ResourceDefinition, expected: string): void {
  checkUntyped(value, { kind }, expected);
  const givenAs = givenKind(value) ?? kind;
  if (givenAs !== kind) {
    const cause = { reason: 'FieldValueInvalid', message: `Invalid value: ${quote(givenAs)}: must be ${kind}`, field: 'kind' };
    throw invalid({ group, kind: givenAs }, stringAt(value, 'metadata', 'name') ?? '', [cause]);
  }
}

function quote(text: string): string {
  return JSON.stringify(text);
}
