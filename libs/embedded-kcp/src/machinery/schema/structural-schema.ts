// Reads structural schemas: the only file that knows the names of their keywords.
import { isRecord, stringsAt, type JsonRecord } from '../../json/json.js';

const NO_PROPERTIES: JsonRecord = {};

/** The schemas of an object's properties. */
export function propertiesOf(schema: JsonRecord): Readonly<Record<string, JsonRecord>> {
  const properties = schema['properties'];
  return (isRecord(properties) ? properties : NO_PROPERTIES) as Readonly<Record<string, JsonRecord>>;
}

/** The schema of every further property: a schema, or whether they are allowed at all. */
export function additionalOf(schema: JsonRecord): JsonRecord | boolean | undefined {
  const additional = schema['additionalProperties'];
  return isRecord(additional) || typeof additional === 'boolean' ? additional : undefined;
}

/** The schema of an array's items. */
export function itemsOf(schema: JsonRecord): JsonRecord | undefined {
  const items = schema['items'];
  return isRecord(items) ? items : undefined;
}

/** Whether unknown fields stay. */
export function keepsUnknown(schema: JsonRecord): boolean {
  return schema['x-kubernetes-preserve-unknown-fields'] === true;
}

/** Whether an embedded Kubernetes object is expected: apiVersion, kind and metadata are kept. */
export function isEmbedded(schema: JsonRecord): boolean {
  return schema['x-kubernetes-embedded-resource'] === true;
}

/** Whether integers and strings are both fine. */
export function isIntOrString(schema: JsonRecord): boolean {
  return schema['x-kubernetes-int-or-string'] === true;
}

/** The keys of a list that is a map. */
export function listMapKeys(schema: JsonRecord): readonly string[] {
  return schema['x-kubernetes-list-type'] === 'map' ? stringsAt(schema, 'x-kubernetes-list-map-keys') : [];
}

/** `spec.ports[0].name`: the path of a value, as the API server prints it. */
export function fieldOf(path: readonly (string | number)[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');
}
