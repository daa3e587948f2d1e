import type { IncomingHttpHeaders } from 'node:http';
import { namesObject, type RequestedObject } from './absence.js';
import { KcpError, type KcpErrorCode, type Status } from './kcp-error.js';
import { keepAnswer } from './refused-answer.js';

/** What was asked and where, for the text of an error. */
export interface Asked {
  readonly asked: string;
  readonly at: string;
}

/** A whole HTTP answer. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** The error for an answer that is not a success; only a 404 about the object that was asked for is `not-found`. */
export function answerFailure(asked: Asked, answer: Answer, object?: RequestedObject): KcpError {
  const { status, headers, body } = answer;
  const statusBody = parseStatus(body);
  const retryAfterMs = retryAfter(headers, statusBody);
  const failure = new KcpError({
    ...asked,
    code: codeOf(status, statusBody, object),
    problem: `${problemOf(status, headers, body, statusBody)}${namespaceAdvice(status, statusBody, object)}`,
    status,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(statusBody === undefined ? {} : { statusBody }),
  });
  return keepAnswer(failure, answer);
}

/** The error for a Status that came inside a successful answer: a watch's ERROR event, or a 200 that is none. Pure. */
export function statusFailure(asked: Asked, statusBody: Status): KcpError {
  const status = statusBody.code ?? 500;
  const retryAfterMs = retryAfter({}, statusBody);
  return new KcpError({
    ...asked,
    code: codeOf(status, statusBody),
    problem: describeStatus(status, statusBody),
    status,
    statusBody,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

/** Reads a Status object, if the value is one. */
export function asStatus(value: unknown): Status | undefined {
  if (typeof value !== 'object' || value === null || !('kind' in value) || value.kind !== 'Status') return undefined;
  return value as Status; // every field of Status is optional and only shown
}

function parseStatus(body: Buffer): Status | undefined {
  try {
    return asStatus(JSON.parse(body.toString('utf8')));
  } catch {
    return undefined; // proxies answer text; the HTTP status says the rest
  }
}

function codeOf(status: number, statusBody: Status | undefined, object?: RequestedObject): KcpErrorCode {
  if (status >= 300 && status < 400) return 'invalid-response';
  switch (status) {
    case 401:
      return 'unauthorized';
    case 403:
      return 'forbidden';
    case 404:
      return object !== undefined && namesObject(statusBody, object) ? 'not-found' : 'not-served';
    case 408:
    case 504:
      return 'timeout';
    case 409:
      return statusBody?.reason === 'AlreadyExists' ? 'already-exists' : 'conflict';
    case 410:
      return 'expired';
    case 429:
      return 'throttled';
    case 502:
    case 503:
      return 'unavailable';
    default:
      if (statusBody?.reason === 'Expired') return 'expired';
      return status >= 500 ? 'server-error' : 'invalid';
  }
}

function problemOf(status: number, headers: IncomingHttpHeaders, body: Buffer, statusBody: Status | undefined): string {
  if (status >= 300 && status < 400) {
    return `the server answered ${status} and pointed to ${JSON.stringify(headers.location ?? 'nowhere')}; redirects are not followed, use the final address`;
  }
  if (statusBody !== undefined) return describeStatus(status, statusBody);
  const text = body.toString('utf8', 0, 200).trim();
  return text === ''
    ? `the server answered ${status} without a text${advice(status)}`
    : `the server answered ${status}: ${text}${advice(status)}`;
}

function describeStatus(status: number, { reason, message }: Status): string {
  const title = reason === undefined || reason === '' ? String(status) : `${String(status)} ${reason}`;
  return message === undefined || message === '' ? `${title}${advice(status)}` : `${title}: ${message}${advice(status)}`;
}

function advice(status: number): string {
  return status === 401 ? '; the credentials were refused, renew them' : '';
}

/** kcp answers alike for a type that it does not serve (yet), and for a namespaced one outside of a namespace. */
function namespaceAdvice(status: number, statusBody: Status | undefined, object: RequestedObject | undefined): string {
  const isAddress = status === 404 && (statusBody?.details?.name ?? '') === '';
  return isAddress && object !== undefined && object.namespace === undefined
    ? '; the type is not served there, or objects of it have namespaces and none was named'
    : '';
}

/** Retry-After as whole seconds (a header, or in the Status); dates are not used by Kubernetes. */
function retryAfter(headers: IncomingHttpHeaders, statusBody: Status | undefined): number | undefined {
  const header = headers['retry-after'];
  const seconds = header !== undefined && /^\d+$/u.test(header) ? Number(header) : statusBody?.details?.retryAfterSeconds;
  return seconds === undefined || !Number.isFinite(seconds) || seconds < 0 ? undefined : seconds * 1000;
}
