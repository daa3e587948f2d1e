// From bytes to an object of the expected type: the refusals that come before anything is looked up.
import { apiVersionOf, type KubeObject } from '@dep-ctrl/kcp-names';
import { parse as parseYaml } from 'yaml';
import type { ApiError } from '../http/api-status.js';
import { badRequest, invalid, unsupportedMediaType } from '../http/api-status.js';
import { isRecord, stringAt } from '../json.js';
import { isCustom, type ResourceDefinition } from './resource-definition.js';

/** Body types that creates and updates read. */
export const BODY_TYPES = ['application/json', 'application/yaml'] as const;

/** Reads JSON or YAML. */
export function decodeBody(bytes: Buffer, contentType: string | undefined, kind: string): unknown {
  const type = (contentType ?? 'application/json').split(';')[0]?.trim() ?? '';
  const text = bytes.toString();
  const isForm = type === 'application/x-www-form-urlencoded';
  if (type === '*/*' || type === 'application/json' || isForm)
    return parseJson(text, `the object provided is unrecognized (must be of type ${kind})`);
  if (type === 'application/yaml') return parseYaml(text);
  throw unsupportedMediaType([...BODY_TYPES, 'application/vnd.kubernetes.protobuf']);
}

/** Parses JSON, or refuses as the API server does. */
export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest(`${what}: couldn't get version/kind; json parse error: unexpected end of JSON input (${text.slice(0, 60)})`);
  }
}

/** Checks that a value is an object of the definition's kind and version. Built-ins may leave both out. */
export function toObject(value: unknown, definition: ResourceDefinition, version: string): KubeObject {
  const { kind, group } = definition;
  const expected = apiVersionOf({ group, version });
  if (!isRecord(value)) throw badRequest(`the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind`);
  const { apiVersion: _apiVersion, kind: _kind, metadata, ...fields } = value;
  const [givenVersion, givenKind] = [stringAt(value, 'apiVersion'), stringAt(value, 'kind')];
  if (isCustom(definition)) checkCustom(value, definition, expected);
  else if ((givenKind ?? kind) !== kind || (givenVersion ?? expected) !== expected) throw wrongType(givenKind, givenVersion, kind);
  if (metadata !== undefined && metadata !== null && !isRecord(metadata)) {
    throw badRequest(
      `${kind} in version ${quote(version)} cannot be handled as a ${kind}: json: cannot unmarshal into Go struct field .metadata`,
    );
  }
  return { apiVersion: expected, kind, metadata: withoutNulls(metadata ?? {}), ...fields };
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

function checkCustom(value: unknown, { kind, group }: ResourceDefinition, expected: string): void {
  const [givenVersion, givenKind] = [stringAt(value, 'apiVersion'), stringAt(value, 'kind')];
  const text = JSON.stringify(value);
  if (givenKind === undefined)
    throw badRequest(`the object provided is unrecognized (must be of type ${kind}): Object 'Kind' is missing in '${text}' (${text})`);
  if (givenVersion === undefined) {
    throw badRequest(
      `the object provided is unrecognized (must be of type ${kind}): Object 'apiVersion' is missing in '${text}' (${text})`,
    );
  }
  if (givenVersion !== expected) {
    throw badRequest(`the API version in the data (${givenVersion}) does not match the expected API version (${expected})`);
  }
  if (givenKind !== kind) {
    const cause = { reason: 'FieldValueInvalid', message: `Invalid value: ${quote(givenKind)}: must be ${kind}`, field: 'kind' };
    throw invalid({ group, kind: givenKind }, stringAt(value, 'metadata', 'name') ?? '', [cause]);
  }
}

function wrongType(givenKind: string | undefined, givenVersion: string | undefined, kind: string): ApiError {
  return badRequest(
    `${givenKind ?? kind} in version ${quote(givenVersion ?? 'v1')} cannot be handled as a ${kind}: no kind ${quote(givenKind ?? kind)} is registered for version ${quote(givenVersion ?? 'v1')}`,
  );
}

function quote(text: string): string {
  return JSON.stringify(text);
}
