// In which form an answer goes out: whole objects, their metadata, or a table of cells; as JSON or YAML.
import { ApiError } from '../http/api-status.js';

/** The form of an answer. */
export type Form = { readonly kind: 'objects' } | { readonly kind: 'metadata' } | { readonly kind: 'table'; readonly version: string };

/** What is accepted, first wish first. */
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
  throw new ApiError({
    code: 406,
    reason: 'NotAcceptable',
    message: `406: Not Acceptable\n\nAvailable representations: ${AVAILABLE}`,
    details: {},
  });
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
  return as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList' ? { form: { kind: 'metadata' }, yaml } : undefined;
}
