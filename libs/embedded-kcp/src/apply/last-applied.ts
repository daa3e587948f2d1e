import type { KubeObject } from '@dep-ctrl/kcp-names';
import { isRecord, stringAt, withMetadata, withoutUndefined } from '../json/json.js';
import { compareFields } from './compare-fields.js';
import { FieldSet } from './field-set.js';
import type { FieldType } from './field-type.js';
import { fieldsOf } from './fields-of.js';

/** The annotation in which kubectl's client-side apply keeps the applied configuration. */
export const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** The fields that client-side apply wrote and that have not changed since; none without the annotation. */
export function fieldsLastApplied(live: KubeObject, apiVersion: string, type: FieldType): FieldSet {
  const configuration = parsedOrNothing(live.metadata.annotations?.[LAST_APPLIED] ?? '');
  if (stringAt(configuration, 'apiVersion') !== apiVersion) return new FieldSet();
  const { added, removed, modified } = compareFields(configuration, live, type);
  return fieldsOf(configuration, type).difference(modified).difference(added).difference(removed);
}

function parsedOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The annotation's value after a server-side apply by kubectl: the configuration, without the annotation itself. */
export function configurationForAnnotation(applied: KubeObject): string {
  const annotations = isRecord(applied.metadata.annotations)
    ? withoutUndefined({ ...applied.metadata.annotations, [LAST_APPLIED]: undefined })
    : undefined;
  return `${JSON.stringify(sorted(withMetadata(applied, { annotations })))}\n`;
}

// Go prints maps with their keys sorted.
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, field]) => [key, sorted(field)]));
}
