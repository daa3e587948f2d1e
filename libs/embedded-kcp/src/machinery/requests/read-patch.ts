import type { KubeObject } from '@dep-ctrl/kcp-names';
import { parse as parseYaml } from 'yaml';
import { ApiError, badRequest, unsupportedMediaType } from '../../http/api-status.js';
import { isRecord, type JsonRecord } from '../../json/json.js';
import { duplicateFields, readJson } from '../../json/json-syntax.js';
import { applyJsonPatch } from '../../patch/json-patch.js';
import { applyMergePatch } from '../../patch/merge-patch.js';
import { applyStrategicMergePatch } from '../../patch/strategic-merge-patch.js';
import { foundKind } from './decode-problem.js';
import { isCustom, type ResourceDefinition, type ResourceVersion } from '../resources/resource-definition.js';

/** A patch as it was sent. It is parsed only after its object is found. */
export interface Patch {
  readonly kind: 'json' | 'merge' | 'strategic' | 'apply';
  readonly text: string;
}

const KINDS = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
} as const;

/** Reads which kind of patch a body is. Custom resources take no strategic merge patch. */
export function readPatch(bytes: Buffer, contentType: string | undefined, definition: ResourceDefinition): Patch {
  const type = contentType?.split(';')[0]?.trim() ?? '';
  const kind = Object.hasOwn(KINDS, type) ? KINDS[type as keyof typeof KINDS] : undefined;
  if (kind === undefined || (kind === 'strategic' && isCustom(definition))) throw refuseType(definition);
  return { kind, text: bytes.toString() };
}

/** Applies a json, merge or strategic patch to an object. */
export function applyPatch(current: KubeObject, { kind, text }: Patch, version: ResourceVersion): JsonRecord {
  if (kind === 'strategic') return applyStrategicMergePatch(current, parsed(text, ''), version.schema ?? {});
  const body = parsed(text, 'error decoding patch: ');
  return kind === 'json' ? applyJsonPatch(current, body) : applyMergePatch(current, body);
}

/** The configuration of a server-side apply. */
export function readConfiguration({ text }: Patch): JsonRecord {
  const body = parsedYaml(text);
  if (isRecord(body)) return body;
  const why = `json: cannot unmarshal ${foundKind(body)} into Go value of type map[string]interface {}`;
  throw badRequest(`error decoding YAML: error unmarshaling JSON: while decoding JSON: ${why}`);
}

/** Fields that a patch repeats. */
export function duplicatesIn({ kind, text }: Patch): readonly string[] {
  if (kind === 'apply' || !readJson(text).ok) return [];
  return duplicateFields(text);
}

function parsed(text: string, prefix: string): unknown {
  const read = readJson(text);
  if (read.ok) return read.value;
  throw badRequest(`${prefix}${read.problem}`);
}

function parsedYaml(text: string): unknown {
  try {
    return parseYaml(text);
  } catch (error) {
    throw badRequest(`error decoding YAML: error converting YAML to JSON: yaml: ${(error as Error).message.split('\n')[0] ?? ''}`);
  }
}

// Built-ins are refused by the router of a real kcp, custom resources by the handler behind it.
function refuseType(definition: ResourceDefinition): ApiError {
  if (!isCustom(definition)) {
    return new ApiError({ code: 415, reason: 'UnsupportedMediaType', message: '415: Unsupported Media Type', details: {} });
  }
  const types = [
    'application/json-patch+json',
    'application/merge-patch+json',
    'application/apply-patch+yaml',
    'application/apply-patch+yaml',
  ];
  return unsupportedMediaType(types);
}
