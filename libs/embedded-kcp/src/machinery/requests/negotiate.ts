// Chooses the form of an answer: whole objects, their metadata, or a table of cells; as JSON or YAML.
import { ApiError } from '../../http/api-status.js';
import { isCustom, type ResourceDefinition } from '../resources/resource-definition.js';

/** The form of an answer. Metadata is asked for of one object or of a list. */
export type Form =
  | { readonly kind: 'objects' }
  | { readonly kind: 'metadata'; readonly of: 'object' | 'list' }
  | { readonly kind: 'table'; readonly version: string };

/** The accepted form, the preferred one first. */
export interface Negotiated {
  readonly form: Form;
  readonly yaml: boolean;
}

const AVAILABLE =
  'application/json, application/yaml, application/vnd.kubernetes.protobuf, application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch';

/** Picks the first accepted type that can be given. Protobuf cannot; clients that name it name JSON too. */
export function negotiate(accept: string | undefined): Negotiated {
  if (accept === undefined || accept.trim() === '') return { form: { kind: 'objects' }, yaml: false };
  for (const entry of accept.split(',')) {
    const found = readEntry(entry);
    if (found !== undefined) return found;
  }
  throw noRepresentation(AVAILABLE);
}

/** 406 of a path that has other representations than those that are accepted. */
export function noRepresentation(available: string): ApiError {
  const message = `406: Not Acceptable\n\nAvailable representations: ${available}`;
  return new ApiError({ code: 406, reason: 'NotAcceptable', message, details: {} });
}

function readEntry(entry: string): Negotiated | undefined {
  const [type = '', ...rest] = entry.split(';').map((part) => part.trim());
  const parameters = new Map(rest.map((part) => part.split('=', 2).map((text) => text.trim()) as [string, string]));
  const yaml = type === 'application/yaml';
  if (!yaml && !['application/json', 'application/*', '*/*'].includes(type)) return undefined;
  const as = parameters.get('as');
  if (as === undefined) return { form: { kind: 'objects' }, yaml };
  const version = parameters.get('v') ?? '';
  if (parameters.get('g') !== 'meta.k8s.io' || !['v1', 'v1beta1'].includes(version)) return undefined;
  if (as === 'Table') return { form: { kind: 'table', version }, yaml };
  if (as === 'PartialObjectMetadata') return { form: { kind: 'metadata', of: 'object' }, yaml };
  return as === 'PartialObjectMetadataList' ? { form: { kind: 'metadata', of: 'list' }, yaml } : undefined;
}

/** Refuses the metadata of a list where there is one object, and of one object where there is a list. */
export function refuseMisfit(form: Form, found: 'object' | 'list', definition: ResourceDefinition): void {
  if (form.kind !== 'metadata' || form.of === found) return;
  if (found === 'object' && isCustom(definition)) throw new ApiError({ code: 500, message: 'content is not a list' });
  const [asked, is] = found === 'object' ? ['PartialObjectMetadataList', 'not a list'] : ['PartialObjectMetadata', 'a list'];
  const message = `you requested ${asked}, but the requested object is ${is} (*${goType(found, definition)})`;
  throw new ApiError({ code: 406, reason: 'NotAcceptable', message });
}

// What Kubernetes calls the value inside itself: `core.ConfigMap`.
function goType(found: 'object' | 'list', definition: ResourceDefinition): string {
  if (isCustom(definition)) return 'unstructured.UnstructuredList';
  const { group, kind, listKind } = definition;
  return `${group === '' ? 'core' : group.replace(/\..*$/, '')}.${found === 'list' ? listKind : kind}`;
}
