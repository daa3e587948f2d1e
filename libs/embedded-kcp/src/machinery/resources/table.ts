// Tables, which `kubectl get` shows. One row of cells per object; the cells of custom resources are printer columns.
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { badRequest } from '../../http/api-status.js';
import { readJsonPath } from './json-path.js';
import type { ResourceColumn, ResourceVersion } from './resource-definition.js';

/** The part of the object that a row carries. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

const NAME_DESCRIPTION =
  'Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names';
const AGE_DESCRIPTION =
  'CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata';

/** The age column of built-ins. */
export const AGE: ResourceColumn = {
  name: 'Age',
  type: 'string',
  description: AGE_DESCRIPTION,
  value: ({ metadata }, nowMs) => printAge(metadata.creationTimestamp, nowMs),
};

// What a custom resource without printer columns shows.
const DEFAULT_COLUMNS: readonly ResourceColumn[] = [{ ...AGE, type: 'date', value: '.metadata.creationTimestamp' }];

/** The columns of a version. */
export function columnsOf(version: ResourceVersion): readonly ResourceColumn[] {
  return version.columns ?? DEFAULT_COLUMNS;
}

/** The columnDefinitions of a version. */
export function columnDefinitions(version: ResourceVersion): readonly unknown[] {
  const name = { name: 'Name', type: 'string', format: 'name', description: NAME_DESCRIPTION, priority: 0 };
  return [
    name,
    ...columnsOf(version).map(({ name: title, type, format, description, priority, value }) => ({
      name: title,
      type,
      format: format ?? '',
      description: description ?? (typeof value === 'string' ? `Custom resource definition column (in JSONPath format): ${value}` : ''),
      priority: priority ?? 0,
    })),
  ];
}

/** The cells of an object's row. */
export function cellsOf(object: KubeObject, version: ResourceVersion, nowMs: number): readonly unknown[] {
  return [object.metadata.name ?? '', ...columnsOf(version).map((column) => cellOf(object, column, nowMs))];
}

function cellOf(object: KubeObject, { value, type }: ResourceColumn, nowMs: number): unknown {
  if (typeof value === 'function') return value(object, nowMs);
  const found = readJsonPath(object, value)[0];
  if (found === undefined || found === null) return null;
  switch (type) {
    case 'integer':
      return typeof found === 'number' ? Math.trunc(found) : null;
    case 'number':
      return typeof found === 'number' ? found : null;
    case 'boolean':
      return typeof found === 'boolean' ? found : null;
    case 'date':
      return typeof found === 'string' ? printAge(found, nowMs) : '<unknown>';
    default:
      return typeof found === 'string' ? found : JSON.stringify(found);
  }
}

/** The includeObject of a query. */
export function readIncludeObject(query: URLSearchParams): IncludeObject {
  const asked = query.get('includeObject');
  if (asked === null || asked === '') return 'Metadata';
  if (asked === 'None' || asked === 'Metadata' || asked === 'Object') return asked;
  throw badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(asked)}: must be 'Metadata', 'Object', 'None', or empty`,
  );
}

/** `2m15s`: how kubectl prints an age. */
export function printAge(time: string | undefined, nowMs: number): string {
  if (time === undefined) return '<unknown>';
  const seconds = Math.trunc((nowMs - Date.parse(time)) / 1000);
  if (Number.isNaN(seconds)) return '<unknown>';
  return seconds < 0 ? '0s' : humanDuration(seconds);
}

// The steps at which Kubernetes drops the smaller unit.
function humanDuration(seconds: number): string {
  const [minutes, hours, days] = [Math.trunc(seconds / 60), Math.trunc(seconds / 3600), Math.trunc(seconds / 86_400)];
  const both = (big: number, unit: string, small: number, smaller: string): string =>
    small === 0 ? `${big}${unit}` : `${big}${unit}${small}${smaller}`;
  if (seconds < 120) return `${seconds}s`;
  if (minutes < 10) return both(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  if (hours < 8) return both(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  if (hours < 192) return both(days, 'd', hours % 24, 'h');
  if (days < 730) return `${days}d`;
  const years = Math.trunc(days / 365);
  return days < 8 * 365 ? both(years, 'y', days % 365, 'd') : `${years}y`;
}
