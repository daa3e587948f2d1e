import { arrayAt, isRecord, recordAt, type JsonRecord } from '../../json/json.js';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { additionalOf, itemsOf, propertiesOf } from './structural-schema.js';

/** A schema inside another. */
export interface SchemaPlace {
  readonly schema: JsonRecord;
  /** `properties[spec].items`, after the root's own name. */
  readonly path: string;
  readonly role: 'root' | 'field' | 'item';
  /** The path of the list around it whose items have no former self: their order and number may change. */
  readonly uncorrelatable: string | undefined;
}

/** A schema and every schema inside it, from the outside in. */
export function schemasIn(root: JsonRecord): Generator<SchemaPlace> {
  return placesIn({ schema: root, path: '', role: 'root', uncorrelatable: undefined });
}

function* placesIn(place: SchemaPlace): Generator<SchemaPlace> {
  yield place;
  const { schema, path, uncorrelatable } = place;
  const [items, additional] = [itemsOf(schema), additionalOf(schema)];
  for (const [name, property] of Object.entries(propertiesOf(schema))) {
    if (isRecord(property)) yield* placesIn({ schema: property, path: `${path}.properties[${name}]`, role: 'field', uncorrelatable });
  }
  if (items !== undefined) {
    const isKeyed = schema['x-kubernetes-list-type'] === 'map';
    yield* placesIn({ schema: items, path: `${path}.items`, role: 'item', uncorrelatable: uncorrelatable ?? (isKeyed ? undefined : path) });
  }
  if (isRecord(additional)) yield* placesIn({ schema: additional, path: `${path}.additionalProperties`, role: 'field', uncorrelatable });
}

/** The schemas of the versions of an APIResourceSchema or a CustomResourceDefinition. */
export function versionSchemas(object: KubeObject): readonly JsonRecord[] {
  return arrayAt(object, 'spec', 'versions').map((version) => {
    const schema = recordAt(version, 'schema');
    const ofCrd = schema['openAPIV3Schema'];
    return isRecord(ofCrd) ? ofCrd : schema;
  });
}
