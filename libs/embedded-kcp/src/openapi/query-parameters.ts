// The query parameters that the API server takes, as OpenAPI documents list them.
import type { JsonRecord } from '../json/json.js';

function query(name: string, type: string, description: string): JsonRecord {
  return { name, in: 'query', description, schema: { type, uniqueItems: true } };
}

/** A parameter in the path. */
export function inPath(name: string, description: string): JsonRecord {
  return { name, in: 'path', description, required: true, schema: { type: 'string', uniqueItems: true } };
}

const DRY_RUN = query('dryRun', 'string', 'All: the request is processed but nothing is persisted.');

/** The parameters of every write. */
export const WRITE: readonly JsonRecord[] = [
  DRY_RUN,
  query('fieldManager', 'string', 'The manager that makes the change; required for an apply.'),
  query('fieldValidation', 'string', 'Ignore, Warn or Strict: what to do about unknown and duplicate fields.'),
];

/** The parameter of an apply. */
export const FORCE: JsonRecord = query('force', 'boolean', 'Take over fields that others manage; for an apply only.');

/** The parameters of lists and watches. */
export const LIST: readonly JsonRecord[] = [
  query('allowWatchBookmarks', 'boolean', 'Send bookmarks on a watch.'),
  query('continue', 'string', 'Token of the next page.'),
  query('fieldSelector', 'string', 'Only objects with these fields.'),
  query('labelSelector', 'string', 'Only objects with these labels.'),
  query('limit', 'integer', 'How many objects a page holds.'),
  query('resourceVersion', 'string', 'Version to read at or to watch from.'),
  query('resourceVersionMatch', 'string', 'Exact or NotOlderThan.'),
  query('sendInitialEvents', 'boolean', 'Begin a watch with what is there.'),
  query('timeoutSeconds', 'integer', 'How long a watch or list may take.'),
  query('watch', 'boolean', 'Stream changes.'),
];

/** The parameters of deletes. */
export const DELETE: readonly JsonRecord[] = [
  DRY_RUN,
  query('gracePeriodSeconds', 'integer', 'Seconds until removal.'),
  query('orphanDependents', 'boolean', 'Deprecated: use propagationPolicy.'),
  query('propagationPolicy', 'string', 'Orphan, Background or Foreground.'),
];

/** A parameter of every request. */
export const PRETTY: JsonRecord = query('pretty', 'string', 'Print with line feeds.');
