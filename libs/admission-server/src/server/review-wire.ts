// The wire format of a review, read and written: the parts that all reviews share.
import { isUtf8 } from 'node:buffer';
import type { JsonProjection } from '@dep-ctrl/fieldpath';
import { notParsed, parsed, quote, record, text, type Parsed } from '@dep-ctrl/kcp-names';

/** The parts that a reply must repeat: kcp drops an answer with another version or uid. */
export interface ReviewEnvelope {
  readonly apiVersion: string;
  readonly uid: string;
}

/** A Kubernetes Status as a refused request shows it. */
export interface RefusalStatus {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly details?: RefusalDetails;
}

/** The machine-readable part of a refusal. */
export interface RefusalDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly causes?: readonly { readonly reason: string; readonly message: string; readonly field?: string }[];
  readonly retryAfterSeconds?: number;
}

/** The answer to a review, before it is put on the wire. Warnings reach the caller, audit annotations only the audit log. */
export type ReviewAnswer = {
  readonly warnings: readonly string[];
  readonly audit: Readonly<Record<string, string>>;
} & ({ readonly allowed: true } | { readonly allowed: false; readonly status: RefusalStatus });

const VERSIONS: readonly string[] = ['admission.k8s.io/v1', 'admission.k8s.io/v1beta1'];
const MAX_UID_LENGTH = 256;

// Of a larger body only what is read below is parsed, in pieces; a body of this size takes 10 ms to parse at most, whatever is in it.
const PARSED_WHOLE_BYTES = 64 * 1024;

/** A review that cannot be judged. Only `unanswerable` has no uid to answer with. */
export type UnreadReview =
  | { readonly kind: 'invalid'; readonly envelope: ReviewEnvelope; readonly problem: string }
  | { readonly kind: 'unanswerable'; readonly problem: string };

/** The parts that all reviews share. */
export type ReadReview =
  { readonly kind: 'review'; readonly envelope: ReviewEnvelope; readonly request: Readonly<Record<string, unknown>> } | UnreadReview;

/** Reads what every review has, whatever it asks about, in pieces between which others may go on. Never throws. */
export function* readReview(body: Uint8Array, wanted: JsonProjection): Generator<void, ReadReview> {
  const json = yield* parseJson(body, wanted);
  if (!json.ok) return { kind: 'unanswerable', problem: json.problem };
  const review = record(json.value.value);
  if (review === undefined) return { kind: 'unanswerable', problem: 'the body is not a JSON object' };
  const request = record(review['request']);
  const uid = text(request?.['uid']);
  if (request === undefined) return { kind: 'unanswerable', problem: 'the review has no .request' };
  if (uid === undefined || uid.length > MAX_UID_LENGTH) return { kind: 'unanswerable', problem: 'the review has no .request.uid' };

  const apiVersion = text(review['apiVersion']) ?? '';
  const envelope = { apiVersion: VERSIONS.includes(apiVersion) ? apiVersion : 'admission.k8s.io/v1', uid };
  if (review['kind'] !== 'AdmissionReview' || !VERSIONS.includes(apiVersion)) {
    const problem = `expected an AdmissionReview of ${VERSIONS.join(' or ')}, not ${describeValue(review['kind'])} of ${describeValue(apiVersion)}`;
    return { kind: 'invalid', envelope, problem };
  }
  // Names in it may not be what they seem.
  if (!json.value.isUtf8) return { kind: 'invalid', envelope, problem: 'the body is not UTF-8' };
  return { kind: 'review', envelope, request };
}

/** Puts an answer on the wire. */
export function encodeReview({ apiVersion, uid }: ReviewEnvelope, answer: ReviewAnswer): string {
  const { warnings, audit } = answer;
  const response = {
    uid,
    allowed: answer.allowed,
    ...(answer.allowed ? {} : { status: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', ...answer.status } }),
    ...(warnings.length > 0 ? { warnings } : {}),
    ...(Object.keys(audit).length > 0 ? { auditAnnotations: audit } : {}),
  };
  return JSON.stringify({ apiVersion, kind: 'AdmissionReview', response });
}

function* parseJson(
  body: Uint8Array,
  wanted: JsonProjection,
): Generator<void, Parsed<{ readonly value: unknown; readonly isUtf8: boolean }>> {
  if (body.length === 0) return notParsed('the body is empty');
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  try {
    const value = bytes.length > PARSED_WHOLE_BYTES ? yield* wanted.parse(bytes) : (JSON.parse(bytes.toString('utf8')) as unknown);
    return parsed({ value, isUtf8: isUtf8(bytes) });
  } catch {
    return notParsed('the body is not JSON');
  }
}

/** What stands in a place where something else was expected. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  return value === undefined ? 'missing' : value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}
