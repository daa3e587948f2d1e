// Types as files describe them: APIResourceSchemas, CustomResourceDefinitions, and the APIExports that name them. Pure.
import { elements, isRecord, printGroupResource, record, recordAt, text, type GroupResource, type KubeObject } from '@dep-ctrl/kcp-names';
import type { FoundSchema } from '@dep-ctrl/exported-types';
import { locateSchema, type ExportedType, type NotExported } from '@dep-ctrl/exported-types';
import { schemaNameIn } from '@dep-ctrl/exported-types';
import type { ManifestObject } from './manifest-object.js';

interface NamedObject extends KubeObject {
  readonly metadata: KubeObject['metadata'] & { readonly name: string };
}

/** Reads schemas out of the objects of files. */
export class SchemaFiles {
  readonly #exports: readonly NamedObject[];
  readonly #schemas: readonly KubeObject[];

  constructor(objects: readonly ManifestObject[]) {
    this.#exports = objects.flatMap(exportIn);
    this.#schemas = objects.flatMap(schemaIn);
  }

  /** The types that there are schemas of, sorted. */
  get types(): readonly string[] {
    return [...new Set(this.#schemas.map((schema) => printGroupResource(typeOf(schema))))].toSorted();
  }

  /** The schema behind a type; undefined: the files do not tell. Where they export it, that counts; of several schemas of a type the last one. */
  find(type: ExportedType): Extract<FoundSchema, { readonly state: 'found' | 'not-exported' }> | undefined {
    const exports = this.#exports.filter(({ metadata }) => metadata.name === type.exportName);
    const serving = this.#exports.filter((each) => schemaNameIn(each, type) !== undefined);
    if (exports.length === 0 && serving.length === 0) return this.#found((schema) => isOf(schema, type));
    // Of several exports of that name, as of several environments, one that serves the type is meant.
    const meant = serving.filter((each) => exports.includes(each));
    const located = locateSchema(meant.length === 0 ? exports : meant, type);
    if (located.state === 'not-exported') return exports.length === 0 ? servedBy(located, serving) : located;
    return this.#found((schema) => schema.metadata.name === located.schemaName) ?? this.#found((schema) => isOf(schema, type));
  }

  #found(isMeant: (schema: KubeObject) => boolean): { readonly state: 'found'; readonly schema: KubeObject } | undefined {
    const schema = this.#schemas.findLast(isMeant);
    return schema === undefined ? undefined : { state: 'found', schema };
  }
}

function servedBy(located: NotExported, serving: readonly NamedObject[]): NotExported {
  const names = [...new Set(serving.map(({ metadata }) => metadata.name))].toSorted();
  return { ...located, message: `${located.message}: they export it in ${names.join(', ')}` };
}

/** Whether an object describes types. */
export function describesTypes({ apiVersion, kind }: Pick<ManifestObject, 'apiVersion' | 'kind'>): boolean {
  const [group] = apiVersion.split('/');
  if (group === 'apiextensions.k8s.io') return kind === 'CustomResourceDefinition';
  return group === 'apis.kcp.io' && (kind === 'APIResourceSchema' || kind === 'APIExport');
}

function isOf(schema: KubeObject, type: GroupResource): boolean {
  const { group, resource } = typeOf(schema);
  return group === type.group && resource === type.resource;
}

function typeOf(schema: KubeObject): GroupResource {
  const spec = recordAt(schema, 'spec');
  return { group: text(spec['group']) ?? '', resource: text(recordAt(spec, 'names')['plural']) ?? '' };
}

/** An APIExport as v1alpha2 has it. v1alpha1 only names schemas, each `<version>.<resource>.<group>`. */
function exportIn(manifest: ManifestObject): readonly NamedObject[] {
  if (!describesTypes(manifest) || manifest.kind !== 'APIExport') return [];
  const spec = recordAt(manifest.object, 'spec');
  const named = elements(spec['latestResourceSchemas']).flatMap((schema) => {
    const parts = /^[^.]+\.([^.]+)\.(.+)$/.exec(text(schema) ?? '');
    return parts === null ? [] : [{ name: parts[1], group: parts[2], schema }];
  });
  return [{ metadata: { name: manifest.name }, spec: { resources: [...elements(spec['resources']), ...named] } }];
}

/** A CustomResourceDefinition has the fields of an APIResourceSchema, the schema itself one deeper. */
function schemaIn(manifest: ManifestObject): readonly KubeObject[] {
  if (!describesTypes(manifest) || manifest.kind === 'APIExport') return [];
  // Only kcp gives a uid, and the reader of a schema needs one.
  const metadata = { name: manifest.name, uid: 'file' };
  const spec = recordAt(manifest.object, 'spec');
  if (manifest.kind === 'APIResourceSchema') return [{ metadata, spec }];
  const versions = elements(spec['versions'])
    .filter(isRecord)
    .map((version) => ({ ...version, schema: record(version['schema'])?.['openAPIV3Schema'] }));
  return [{ metadata, spec: { ...spec, versions } }];
}
