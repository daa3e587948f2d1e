import { ApiError } from '../http/api-status.js';
import { isRecord, type JsonRecord } from '../json/json.js';

/** The directive for the map or list item that holds it: replace, delete or merge. */
export const DIRECTIVE = '$patch';
/** The directive that names the fields of a map that stay. */
export const RETAIN_KEYS = '$retainKeys';
/** The prefix of a field that orders a list. */
export const ORDER_PREFIX = '$setElementOrder/';
/** The prefix of a field that removes items from a list of scalars. */
export const DELETE_PREFIX = '$deleteFromPrimitiveList/';

/** A patch that cannot be followed: the API server answers 500 without a reason. */
export function patchFailure(message: string): ApiError {
  return new ApiError({ code: 500, message });
}

/** A value of the patch without its directives and its nulls; undefined: the value itself was a directive. */
export function withoutDirectives(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDirectives).filter((item) => item !== undefined);
  if (!isRecord(value)) return value;
  if (Object.hasOwn(value, DIRECTIVE)) return undefined;
  const kept = Object.entries(value).map(([key, field]) => [key, field === null ? undefined : withoutDirectives(field)] as const);
  return Object.fromEntries(kept.filter(([, field]) => field !== undefined));
}

/** A JSON value as Go's %v prints it, for messages that quote one. */
export function printGoMap(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(printGoMap).join(' ')}]`;
  if (typeof value === 'string') return value;
  if (!isRecord(value)) return value === null ? '<nil>' : JSON.stringify(value);
  return `map[${sortedEntries(value)
    .map(([key, field]) => `${key}:${printGoMap(field)}`)
    .join(' ')}]`;
}

function sortedEntries(record: JsonRecord): [string, unknown][] {
  return Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
}
