import type { KubeObject } from '@dep-ctrl/kcp-names';
import { toObject, unfitObject } from './decode-object.js';
import { decodeBody } from './read-body.js';
import type { ResourceRequest } from './resource-request.js';
import type { WriteOptions } from './write-options.js';

/** The object in a body. */
export interface ReadObject {
  readonly object: KubeObject;
  /** What the caller is to be warned of. */
  readonly duplicates: readonly string[];
}

/** Reads the object that a create or update sends. */
export async function readObject(request: ResourceRequest, options: WriteOptions): Promise<ReadObject> {
  const { http, definition, version } = request;
  const { value, duplicates } = decodeBody(await http.body(), http.headers['content-type'], definition.kind);
  return { object: toObject(value, definition, version.name), duplicates: reportDuplicates(duplicates, request, options, '') };
}

/** Repeated fields of a body: refused, warned of or ignored, as the client asks. */
export function reportDuplicates(
  fields: readonly string[],
  { definition: { kind }, version }: ResourceRequest,
  { fieldValidation }: WriteOptions,
  prefix: string,
): readonly string[] {
  const problems = fields.map((field) => `${prefix}duplicate field ${JSON.stringify(field)}`);
  if (problems.length > 0 && fieldValidation === 'Strict') {
    throw unfitObject({ kind, version: version.name }, kind, `strict decoding error: ${problems.join(', ')}`);
  }
  return fieldValidation === 'Warn' ? problems : [];
}
