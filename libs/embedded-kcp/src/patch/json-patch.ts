// JSON patch (RFC 6902) as the API server's library reads it. The library is laxer than the RFC: replace sets a missing value, add without a value adds
// null, copy of a missing value copies null, array indices may be negative. The error of an operation that does not apply has no reason.
import { ApiError, badRequest } from '../http/api-status.js';
import { isRecord, sameJson, type JsonRecord } from '../json/json.js';

// The API server's own limit.
const MAX_OPERATIONS = 10_000;

interface Operation {
  readonly op?: unknown;
  readonly path?: unknown;
  readonly from?: unknown;
  readonly value?: unknown;
}

/** Applies a JSON patch to a copy of an object. Throws 400, 413 or 422; the object itself never changes. */
export function applyJsonPatch(object: JsonRecord, patch: unknown): JsonRecord {
  let document: unknown = structuredClone(object);
  for (const operation of readOperations(patch)) document = applied(document, operation);
  if (!isRecord(document)) throw doesNotApply();
  return document;
}

function readOperations(patch: unknown): readonly Operation[] {
  if (!Array.isArray(patch)) {
    throw badRequest(`error decoding patch: json: cannot unmarshal ${goKind(patch)} into Go value of type []handlers.jsonPatchOp`);
  }
  if (patch.length > MAX_OPERATIONS) {
    throw new ApiError({
      code: 413,
      reason: 'RequestEntityTooLarge',
      message: `Request entity too large: The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${patch.length}`,
    });
  }
  return patch.map((operation) => (isRecord(operation) ? operation : {}));
}

function applied(document: unknown, { op, path, from, value = null }: Operation): unknown {
  switch (op) {
    case 'add':
      return add(document, path, structuredClone(value));
    case 'remove':
      return remove(document, path);
    case 'replace':
      return replace(document, path, structuredClone(value));
    case 'move': {
      const moved = read(document, from);
      return add(remove(document, from), path, moved ?? null);
    }
    case 'copy':
      return add(document, path, structuredClone(read(document, from) ?? null));
    case 'test':
      return tested(document, path, value);
    default:
      throw doesNotApply();
  }
}

type Container = Record<string, unknown> | unknown[];

function add(document: unknown, path: unknown, value: unknown): unknown {
  const { container, key } = find(document, path);
  if (Array.isArray(container)) container.splice(key === '-' ? container.length : arrayIndex(key, container.length + 1), 0, value);
  else container[key] = value;
  return document;
}

function remove(document: unknown, path: unknown): unknown {
  const { container, key } = find(document, path);
  if (Array.isArray(container)) container.splice(arrayIndex(key, container.length), 1);
  else if (Object.hasOwn(container, key)) Reflect.deleteProperty(container, key);
  else throw doesNotApply();
  return document;
}

function replace(document: unknown, path: unknown, value: unknown): unknown {
  if (path === '') return value;
  const { container, key } = find(document, path);
  if (Array.isArray(container)) container[arrayIndex(key, container.length)] = value;
  else container[key] = value;
  return document;
}

function tested(document: unknown, path: unknown, expected: unknown): unknown {
  const found = path === '' ? document : read(document, path);
  if (!sameJson(found ?? null, expected)) throw doesNotApply();
  return document;
}

function read(document: unknown, path: unknown): unknown {
  const { container, key } = find(document, path);
  return member(container, key);
}

function member(container: Container, key: string): unknown {
  if (Array.isArray(container)) return container[arrayIndex(key, container.length)];
  return Object.hasOwn(container, key) ? container[key] : undefined;
}

// The container that holds the last segment of a JSON pointer.
function find(document: unknown, pointer: unknown): { container: Container; key: string } {
  if (typeof pointer !== 'string' || !pointer.includes('/')) throw doesNotApply();
  const segments = pointer.split('/').slice(1).map(unescapeSegment);
  let container = asContainer(document);
  for (const segment of segments.slice(0, -1)) container = asContainer(member(container, segment));
  return { container, key: segments.at(-1) ?? '' };
}

function unescapeSegment(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

function asContainer(value: unknown): Container {
  if (Array.isArray(value) || isRecord(value)) return value as Container;
  throw doesNotApply();
}

// Positions below `size`; negative ones count from the end.
function arrayIndex(text: string, size: number): number {
  const index = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
  const position = index < 0 ? index + size : index;
  if (!(position >= 0 && position < size)) throw doesNotApply();
  return position;
}

/** What Go's JSON decoder calls the kind of a value. */
export function goKind(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (isRecord(value)) return 'object';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

function doesNotApply(): ApiError {
  return new ApiError({
    code: 422,
    reason: 'Invalid',
    message: 'the server rejected our request due to an error in our request',
    details: {},
  });
}
