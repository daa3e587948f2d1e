import { arrayAt, isRecord, recordAt, type JsonRecord } from '../../json.js';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { additionalOf, itemsOf, propertiesOf } from './structural-schema.js';

/** A schema inside another. */
export interface SchemaPlace {
  readonly schema: JsonRecord;
  /** `properties[spec].items`, after the root's own name. */
  readonly path: string;
  readonly role: 'root' | 'field' | 'item';
}

/** A schema and every schema inside it, from the outside in. */
export function* schemasIn(schema: JsonRecord, path = '', role: SchemaPlace['role'] = 'root'): Generator<SchemaPlace> {
  yield { schema, path, role };
  for (const [name, property] of Object.entries(propertiesOf(schema))) {
    if (isRecord(property)) yield* schemasIn(property, `${path}.properties[${name}]`, 'field');
  }
  const [items, additional] = [itemsOf(schema), additionalOf(schema)];
  if (items !== undefined) yield* schemasIn(items, `${path}.items`, 'item');
  if (isRecord(additional)) yield* schemasIn(additional, `${path}.additionalProperties`, 'field');
}

/** The schemas of the versions of an APIResourceSchema or a CustomResourceDefinition. */
export function versionSchemas(object: KubeObject): readonly JsonRecord[] {
  return arrayAt(object, 'spec', 'versions').map((version) => {
    const schema = recordAt(version, 'schema');
    const ofCrd = schema['openAPIV3Schema'];
    return isRecord(ofCrd) ? ofCrd : schema;
  });
}
