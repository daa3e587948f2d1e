// Parses the review of a deletion. The subject comes from oldObject alone: collection deletes, and so every teardown, have neither name nor object
// beside it.
import {
  CLUSTER_ANNOTATION,
  elements,
  notParsed,
  parseLogicalClusterName,
  parsed,
  record,
  text,
  type LogicalClusterName,
  type Parsed,
} from '@dep-ctrl/kcp-names';
import { EACH, JsonProjection } from '@dep-ctrl/fieldpath';
import { SKIP_ANNOTATION } from '@dep-ctrl/rule-registry';
import { describeValue, readReview, type ReviewEnvelope, type UnreadReview } from '@dep-ctrl/admission-server';

/** The object that is to be deleted. */
export interface Subject {
  readonly cluster: LogicalClusterName;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly namespace?: string;
  readonly name: string;
  readonly uid?: string;
  /** UIDs of the objects that own it. */
  readonly ownerUids: ReadonlySet<string>;
  /** Its deletion was accepted before; a finalizer holds it. */
  readonly isTerminating: boolean;
  /** Its annotation lifts the protection. */
  readonly isBypassed: boolean;
  /** The beginning of what that annotation says where it lifts nothing: any other value than `true`. */
  readonly ignoredSkip?: string;
}

/** The user that asks for the deletion. */
export interface Caller {
  readonly username: string;
  /** The call came through an APIExport's virtual workspace: its caller may see less than the consumer does. */
  readonly isThroughExport: boolean;
}

/** A deletion, parsed. */
export interface DeletionRequest {
  readonly subject: Subject;
  readonly caller: Caller;
  readonly isDryRun: boolean;
}

/** A parsed review body. Only `unanswerable` has no uid to answer with. */
export type ParsedReview =
  | { readonly kind: 'deletion'; readonly envelope: ReviewEnvelope; readonly request: DeletionRequest }
  | { readonly kind: 'other-operation'; readonly envelope: ReviewEnvelope }
  | UnreadReview;

const OTHER_OPERATIONS: readonly unknown[] = ['CREATE', 'UPDATE', 'CONNECT'];
// kcp's bound for names. The subject is kept while it is judged, and must not fill the memory.
const LONGEST_NAME = 253;
// More than is quoted in messages. Bounded for the same reason: an annotation may have 256 KiB.
const LONGEST_SKIP = 100;
const LONGEST_USERNAME = 1_000;
// UUIDs have 36.
const LONGEST_UID = 64;
const MOST_OWNERS = 100;
const WARRANT_EXTRA = 'authorization.kcp.io/warrant';

const READ = new JsonProjection([
  ['apiVersion'],
  ['kind'],
  ...['uid', 'operation', 'dryRun'].map((key) => ['request', key]),
  ...['group', 'version', 'resource'].map((key) => ['request', 'resource', key]),
  ['request', 'userInfo', 'username'],
  ['request', 'userInfo', 'extra', WARRANT_EXTRA, EACH],
  ...['name', 'namespace', 'uid', 'deletionTimestamp'].map((key) => ['request', 'oldObject', 'metadata', key]),
  ...[CLUSTER_ANNOTATION, SKIP_ANNOTATION].map((key) => ['request', 'oldObject', 'metadata', 'annotations', key]),
  ['request', 'oldObject', 'metadata', 'ownerReferences', EACH, 'uid'],
]);

/**
 * Reads a review in pieces, so that others can run in between. Never throws; a problem is one line, with the uid if there is one. The result is small,
 * whatever the body is, and keeps no reference to it.
 */
export function* parseReview(body: Uint8Array): Generator<void, ParsedReview> {
  const read = yield* readReview(body, READ);
  if (read.kind !== 'review') return read;
  const { envelope, request } = read;
  if (OTHER_OPERATIONS.includes(request['operation'])) return { kind: 'other-operation', envelope };
  if (request['operation'] !== 'DELETE') {
    return { kind: 'invalid', envelope, problem: `.request.operation is ${describeValue(request['operation'])}: expected DELETE` };
  }
  const subject = parseSubject(request);
  if (!subject.ok) return { kind: 'invalid', envelope, problem: subject.problem };
  const isDryRun = request['dryRun'] === true;
  return { kind: 'deletion', envelope, request: { subject: subject.value, caller: readCaller(request['userInfo']), isDryRun } };
}

function parseSubject(request: Readonly<Record<string, unknown>>): Parsed<Subject> {
  const type = record(request['resource']);
  const version = text(type?.['version']);
  const resource = text(type?.['resource']);
  const group = type?.['group'] ?? '';
  if (version === undefined || resource === undefined || typeof group !== 'string') {
    return notParsed('.request.resource should name group, version and resource');
  }
  if ([group, version, resource].some((part) => part.length > LONGEST_NAME))
    return notParsed('.request.resource has a part of more than 253 characters');
  const oldObject = record(request['oldObject']);
  if (oldObject === undefined)
    return notParsed(`.request.oldObject is ${describeValue(request['oldObject'])}: expected the object to delete`);
  const metadata = record(oldObject['metadata']);
  const name = text(metadata?.['name']);
  if (metadata === undefined || name === undefined) return notParsed('.request.oldObject has no .metadata.name');
  const namespace = text(metadata['namespace']);
  const uid = text(metadata['uid']);
  const [long] = Object.entries({ name, namespace, uid }).filter(([, value]) => value !== undefined && value.length > LONGEST_NAME);
  if (long !== undefined) return notParsed(`.request.oldObject has a .metadata.${long[0]} of more than ${LONGEST_NAME} characters`);
  const annotations = record(metadata['annotations']);
  const clusterText = text(annotations?.[CLUSTER_ANNOTATION]);
  if (clusterText === undefined) return notParsed(`.request.oldObject has no annotation ${CLUSTER_ANNOTATION}`);
  const cluster = parseLogicalClusterName(clusterText);
  if (!cluster.ok) return notParsed(`annotation ${CLUSTER_ANNOTATION} of .request.oldObject: ${cluster.problem}`);
  return parsed({
    cluster: cluster.value,
    group,
    version,
    resource,
    ...(namespace === undefined ? {} : { namespace }),
    name,
    ...(uid === undefined ? {} : { uid }),
    ownerUids: readOwnerUids(metadata['ownerReferences']),
    isTerminating: text(metadata['deletionTimestamp']) !== undefined,
    ...readSkip(annotations?.[SKIP_ANNOTATION]),
  });
}

function readSkip(value: unknown): Pick<Subject, 'isBypassed' | 'ignoredSkip'> {
  if (typeof value !== 'string' || value === 'true') return { isBypassed: value === 'true' };
  return { isBypassed: false, ignoredSkip: copyOf(value.slice(0, LONGEST_SKIP)) };
}

/** At most MOST_OWNERS owners are read. Further ones do not count as owners, so they block like any other dependent. */
function readOwnerUids(references: unknown): ReadonlySet<string> {
  const uids = elements(references).slice(0, MOST_OWNERS);
  return new Set(uids.flatMap((reference) => text(record(reference)?.['uid']) ?? []).filter((uid) => uid.length <= LONGEST_UID));
}

function readCaller(userInfo: unknown): Caller {
  const user = record(userInfo);
  const warrant = record(user?.['extra'])?.[WARRANT_EXTRA];
  const username = copyOf((text(user?.['username']) ?? '').slice(0, LONGEST_USERNAME));
  return { username, isThroughExport: Array.isArray(warrant) && warrant.length > 0 };
}

// A part of a string keeps the whole of it in memory.
function copyOf(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
