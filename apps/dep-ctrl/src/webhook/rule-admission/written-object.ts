// Parses the review of a rule or guard that is written.
import { JsonProjection } from '@dep-ctrl/fieldpath';
import { CLUSTER_ANNOTATION, parseLogicalClusterName, record, text, type KubeObject, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import { API_GROUP, GUARDS, RULES } from '@dep-ctrl/rule-registry';
import { readReview, type ReadReview, type ReviewEnvelope } from '@dep-ctrl/admission-server';

/** A rule or guard that is written. */
export interface WrittenObject {
  readonly kind: 'rule' | 'guard';
  readonly operation: 'CREATE' | 'UPDATE';
  readonly cluster: LogicalClusterName;
  readonly name: string;
  readonly object: KubeObject;
}

/** The subject of a review. `nothing-of-ours`: a write for which kcp should not have called. */
export type ParsedWrite =
  | { readonly kind: 'write'; readonly envelope: ReviewEnvelope; readonly written: WrittenObject }
  | { readonly kind: 'nothing-of-ours'; readonly envelope: ReviewEnvelope }
  | Exclude<ReadReview, { readonly kind: 'review' }>;

const WHOLE = new JsonProjection('everything');

const KINDS: ReadonlyMap<unknown, WrittenObject['kind']> = new Map([
  [RULES.resource, 'rule'],
  [GUARDS.resource, 'guard'],
]);

/**
 * Reads a review in pieces, so that others can run in between. Never throws; a problem is one line, with the uid if there is one.
 */
export function* parseWrite(body: Uint8Array): Generator<void, ParsedWrite> {
  const read = yield* readReview(body, WHOLE);
  if (read.kind !== 'review') return read;
  const { envelope, request } = read;
  const kind = kindOf(request);
  const { operation } = request;
  if (kind === undefined || (operation !== 'CREATE' && operation !== 'UPDATE')) return { kind: 'nothing-of-ours', envelope };
  const object = record(request['object']);
  const metadata = record(object?.['metadata']);
  if (object === undefined || metadata === undefined) {
    return { kind: 'invalid', envelope, problem: '.request.object is not an object with metadata' };
  }
  const cluster = parseLogicalClusterName(text(record(metadata['annotations'])?.[CLUSTER_ANNOTATION]) ?? '');
  if (!cluster.ok) return { kind: 'invalid', envelope, problem: `annotation ${CLUSTER_ANNOTATION} of .request.object: ${cluster.problem}` };
  const name = text(metadata['name']) ?? '';
  const written = { kind, operation, cluster: cluster.value, name, object: { ...object, metadata } } as const;
  return { kind: 'write', envelope, written };
}

function kindOf(request: Readonly<Record<string, unknown>>): WrittenObject['kind'] | undefined {
  const type = record(request['resource']);
  if (type?.['group'] !== API_GROUP || text(request['subResource']) !== undefined) return undefined;
  return KINDS.get(type['resource']);
}
