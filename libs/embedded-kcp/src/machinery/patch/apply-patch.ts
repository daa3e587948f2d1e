import type { KubeObject } from '@dep-ctrl/kcp-names';
import { parse as parseYaml } from 'yaml';
import { ApiError, badRequest, unsupportedMediaType } from '../../http/api-status.js';
import { isRecord } from '../../json.js';
import { isCustom, type ResourceDefinition } from '../resource-definition.js';
import { jsonPatch } from './json-patch.js';
import { mergePatch } from './merge-patch.js';
import { strategicMergePatch } from './strategic-merge-patch.js';

/** A patch as it was sent. */
export type Patch =
  | { readonly kind: 'json' | 'merge' | 'strategic'; readonly body: unknown }
  | { readonly kind: 'apply'; readonly body: Readonly<Record<string, unknown>> };

const KINDS = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
} as const;

/** Reads a patch. Custom resources take no strategic merge patch. */
export function readPatch(bytes: Buffer, contentType: string | undefined, definition: ResourceDefinition): Patch {
  const type = contentType?.split(';')[0]?.trim() ?? '';
  const kind = Object.hasOwn(KINDS, type) ? KINDS[type as keyof typeof KINDS] : undefined;
  if (kind === undefined || (kind === 'strategic' && isCustom(definition))) throw refuseType(definition);
  if (kind !== 'apply') return { kind, body: parsePatch(bytes.toString()) };
  const body: unknown = parseApply(bytes.toString());
  if (!isRecord(body)) throw badRequest('error decoding YAML: expected an object');
  return { kind, body };
}

/** What a json, merge or strategic patch makes of an object. */
export function applyPatch(current: KubeObject, patch: Exclude<Patch, { kind: 'apply' }>): unknown {
  switch (patch.kind) {
    case 'merge':
      return mergePatch(current, patch.body);
    case 'strategic':
      return strategicMergePatch(current, patch.body);
    case 'json': {
      const result = jsonPatch(current, patch.body);
      if (result.ok) return result.value;
      throw new ApiError({
        code: 422,
        reason: 'Invalid',
        message: 'the server rejected our request due to an error in our request',
        details: {},
      });
    }
    default:
      return patch.kind satisfies never;
  }
}

function refuseType(definition: ResourceDefinition): ApiError {
  const types = ['application/json-patch+json', 'application/merge-patch+json'];
  const strategic = isCustom(definition) ? [] : ['application/strategic-merge-patch+json'];
  return unsupportedMediaType([...types, ...strategic, 'application/apply-patch+yaml', 'application/apply-patch+yaml']);
}

function parsePatch(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest('error decoding patch: unexpected end of JSON input');
  }
}

function parseApply(text: string): unknown {
  try {
    return parseYaml(text);
  } catch (error) {
    throw badRequest(`error decoding YAML: ${(error as Error).message.split('\n')[0] ?? ''}`);
  }
}
