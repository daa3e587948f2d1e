// The named schemas of an OpenAPI document. A schema that has a name of its own is written once and referred to; everything else is
// written where it is used, as for custom resources.
import { DEFINITION, type Schema } from '../built-in-schemas/schema-notation.js';
import { listMetaSchema, objectMetaSchema, typeProperties } from '../built-in-schemas/object-metadata.js';
import { isRecord, recordAt, type JsonRecord } from '../json/json.js';
import type { ResourceDefinition, ResourceVersion } from '../machinery/resources/resource-definition.js';

/** A kind as documents name it. */
export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** Collects the schemas of one document. */
export class Components {
  readonly #prefix: string;
  readonly #schemas = new Map<string, JsonRecord>();

  /** `prefix` is where the document keeps them: `#/components/schemas/` or `#/definitions/`. */
  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** Every schema, by name. */
  get all(): JsonRecord {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** A reference to a schema that has a name. */
  refer(schema: Schema): JsonRecord {
    const name = schema[DEFINITION];
    if (name === undefined) return this.#inline(schema);
    if (!this.#schemas.has(name)) {
      this.#schemas.set(name, {});
      const { default: _ofThisPlace, ...everywhere } = schema;
      this.#schemas.set(name, this.#inline(everywhere));
    }
    return { $ref: this.#prefix + name };
  }

  /** A reference to the kind of a resource; adds the kind. */
  kind(definition: ResourceDefinition, version: ResourceVersion): JsonRecord {
    const gvk = { group: definition.group, version: version.name, kind: definition.kind };
    return this.#addKind(gvk, kindSchema(version.schema), nameOf(gvk, version.schema));
  }

  /** A reference to the list of a resource; adds the list and the kind. */
  list(definition: ResourceDefinition, version: ResourceVersion): JsonRecord {
    const item = this.kind(definition, version);
    const gvk = { group: definition.group, version: version.name, kind: definition.listKind };
    const schema = {
      description: `${definition.listKind} is a list of ${definition.kind}`,
      type: 'object',
      required: ['items'],
      properties: {
        ...typeProperties,
        items: { description: `List of ${definition.resource}.`, type: 'array', items: item },
        metadata: { ...listMetaSchema, description: 'Standard list metadata.' },
      },
    };
    return this.#addKind(gvk, schema, nameOf(gvk, undefined));
  }

  #addKind(gvk: GroupVersionKind, schema: JsonRecord, name: string): JsonRecord {
    if (!this.#schemas.has(name)) {
      this.#schemas.set(name, {});
      this.#schemas.set(name, { ...this.#inline(schema), 'x-kubernetes-group-version-kind': [gvk] });
    }
    return { $ref: this.#prefix + name };
  }

  #inline(schema: JsonRecord): JsonRecord {
    return Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, this.#keyword(keyword, value)]));
  }

  #keyword(keyword: string, value: unknown): unknown {
    if (keyword === 'properties' && isRecord(value)) {
      return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, this.#property(schema)]));
    }
    if ((keyword === 'items' || keyword === 'additionalProperties') && isRecord(value)) return this.#property(value);
    return value;
  }

  // A reference cannot carry a description, so a named schema that is described where it is used goes into allOf.
  #property(schema: unknown): unknown {
    if (!isRecord(schema)) return schema;
    const named = schema as Schema;
    if (named[DEFINITION] === undefined) return Object.hasOwn(schema, '$ref') ? schema : this.#inline(schema);
    const more = schema['default'] === undefined ? {} : { default: schema['default'] };
    return { ...(schema['description'] === undefined ? {} : { description: schema['description'] }), ...more, allOf: [this.refer(named)] };
  }
}

// Custom resources say nothing about their metadata; documents do.
function kindSchema(schema: JsonRecord | undefined): JsonRecord {
  if (schema === undefined)
    return { type: 'object', properties: { ...typeProperties, metadata: metadataProperty }, 'x-kubernetes-preserve-unknown-fields': true };
  return { ...schema, properties: { ...recordAt(schema, 'properties'), ...typeProperties, metadata: metadataProperty } };
}

const metadataProperty: Schema = { ...objectMetaSchema, description: 'Standard object metadata.' };

/** The name of a kind in documents: `io.k8s.api.core.v1.ConfigMap`, `com.example.network.v1.VPC`. */
export function nameOf({ group, version, kind }: GroupVersionKind, schema: Schema | undefined): string {
  const own = schema?.[DEFINITION];
  if (own !== undefined) return own;
  if (!group.includes('.')) return `io.k8s.api.${group === '' ? 'core' : group}.${version}.${kind}`;
  if (group.endsWith('.k8s.io')) return `io.k8s.api.${group.split('.')[0] ?? ''}.${version}.${kind}`;
  return `${group.split('.').reverse().join('.')}.${version}.${kind}`;
}
