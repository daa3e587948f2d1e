// Encodes stored objects in every form. Whole objects are never serialized twice: their stored bytes are concatenated.
import { apiVersionOf } from '@dep-ctrl/kcp-names';
import type { StoredObject } from '../../storage/stored-object.js';
import { convertObject, sharesBytes } from '../resources/conversion.js';
import type { ListPage } from './list-objects.js';
import type { Form } from '../requests/negotiate.js';
import { isCustom, type ResourceDefinition, type ResourceVersion } from '../resources/resource-definition.js';
import { cellsOf, columnDefinitions, type IncludeObject } from '../resources/table.js';

/** The resource, the version and the form of an answer. */
export interface Encoding {
  readonly definition: ResourceDefinition;
  readonly version: ResourceVersion;
  readonly form: Form;
  readonly includeObject: IncludeObject;
  readonly nowMs: number;
  /** Tables of a watch say their columns once. */
  readonly withoutColumns?: boolean;
}

const OPEN = Buffer.from('{');
const COMMA = Buffer.from(',');

/** One object. */
export function encodeObject(stored: StoredObject, encoding: Encoding): readonly Buffer[] {
  switch (encoding.form.kind) {
    case 'objects':
      return wholeObject(stored, encoding, true);
    case 'metadata':
      return [Buffer.from(JSON.stringify(partial(stored)))];
    case 'table':
      return [Buffer.from(JSON.stringify(tableOf([stored], { resourceVersion: String(stored.revision) }, encoding)))];
    default:
      return encoding.form satisfies never;
  }
}

/** One page of a list. */
export function encodeList(page: ListPage, encoding: Encoding): readonly Buffer[] {
  const { definition, version, form } = encoding;
  const metadata = {
    resourceVersion: String(page.revision),
    ...(page.continueToken === undefined ? {} : { continue: page.continueToken }),
    ...(page.remaining === undefined ? {} : { remainingItemCount: page.remaining }),
  };
  if (form.kind === 'table') return [Buffer.from(JSON.stringify(tableOf(page.objects, metadata, encoding)))];
  if (form.kind === 'metadata') {
    const items = page.objects.map((stored) => partial(stored));
    return [Buffer.from(JSON.stringify({ kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1', metadata, items }))];
  }
  const head = { apiVersion: apiVersionOf({ group: definition.group, version: version.name }), kind: definition.listKind, metadata };
  const parts: Buffer[] = [Buffer.from(`${JSON.stringify(head).slice(0, -1)},"items":[`)];
  const withType = isCustom(definition);
  page.objects.forEach((stored, index) => {
    if (index > 0) parts.push(COMMA);
    parts.push(...wholeObject(stored, encoding, withType));
  });
  parts.push(Buffer.from(']}\n'));
  return parts;
}

/** One line of a watch. */
export function encodeEvent(type: 'ADDED' | 'MODIFIED' | 'DELETED', stored: StoredObject, encoding: Encoding): readonly Buffer[] {
  return [Buffer.from(`{"type":"${type}","object":`), ...encodeObject(stored, encoding), Buffer.from('}\n')];
}

/** A bookmark. */
export function encodeBookmark(revision: number, isInitialEnd: boolean, { definition, version, form }: Encoding): readonly Buffer[] {
  const annotations = isInitialEnd ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {};
  const metadata = { resourceVersion: String(revision), creationTimestamp: null, ...annotations };
  const object =
    form.kind === 'objects'
      ? { kind: definition.kind, apiVersion: apiVersionOf({ group: definition.group, version: version.name }), metadata }
      : form.kind === 'metadata'
        ? { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata }
        : {
            kind: 'Table',
            apiVersion: 'meta.k8s.io/v1',
            metadata: { resourceVersion: String(revision) },
            columnDefinitions: null,
            rows: [],
          };
  return [Buffer.from(`${JSON.stringify({ type: 'BOOKMARK', object })}\n`)];
}

function wholeObject(stored: StoredObject, { definition, version }: Encoding, withType: boolean): readonly Buffer[] {
  if (!sharesBytes(definition)) return [Buffer.from(JSON.stringify(convertObject(definition, stored.object, version.name)))];
  return withType ? [typePrefix(definition, version), stored.rest] : [OPEN, stored.rest];
}

const prefixes = new WeakMap<ResourceVersion, Buffer>();

function typePrefix({ group, kind }: ResourceDefinition, version: ResourceVersion): Buffer {
  const known = prefixes.get(version);
  if (known !== undefined) return known;
  const prefix = Buffer.from(
    `{"apiVersion":${JSON.stringify(apiVersionOf({ group, version: version.name }))},"kind":${JSON.stringify(kind)},`,
  );
  prefixes.set(version, prefix);
  return prefix;
}

function partial({ object }: StoredObject): Record<string, unknown> {
  return { ...PARTIAL_TYPE, metadata: object.metadata };
}

const PARTIAL_TYPE = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' } as const;

function tableOf(
  objects: readonly StoredObject[],
  metadata: Readonly<Record<string, unknown>>,
  encoding: Encoding,
): Record<string, unknown> {
  const { version, form } = encoding;
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${form.kind === 'table' ? form.version : 'v1'}`,
    metadata,
    columnDefinitions: encoding.withoutColumns === true ? null : columnDefinitions(version),
    rows: objects.map((stored) => rowOf(stored, encoding)),
  };
}

function rowOf(stored: StoredObject, { definition, version, includeObject, nowMs }: Encoding): Record<string, unknown> {
  const shown = convertObject(definition, stored.object, version.name);
  const cells = cellsOf(shown, version, nowMs);
  if (includeObject === 'None') return { cells, object: null };
  return { cells, object: includeObject === 'Object' ? shown : partial(stored) };
}
