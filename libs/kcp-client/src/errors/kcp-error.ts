/**
 * Why a call failed, for code to match on:
 * - `unauthorized` 401, after the credentials were read again; `forbidden` 403; `conflict` and `already-exists` 409;
 *   `expired` 410; `throttled` 429; `invalid` another 4xx; `unavailable` 502, 503; `server-error` another 5xx
 * - `not-found`: a 404 whose Status names the very object that was asked for, by group, resource and name. `not-served`: any other 404. It proves
 *   nothing: a kcp that starts answers so for half a minute, about the workspace or in plain text, and so it does for ever of a type that is not there
 * - `unreachable`: no answer at all; `timeout`: none in time, or 408, 504; `aborted`: the caller's signal
 * - `invalid-response`: an answer that is not what was asked for (redirect, content type, half JSON, another kind)
 * - `too-large`: more bytes than the caller allowed
 */
export type KcpErrorCode =
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'not-served'
  | 'conflict'
  | 'already-exists'
  | 'expired'
  | 'invalid'
  | 'throttled'
  | 'unavailable'
  | 'server-error'
  | 'unreachable'
  | 'timeout'
  | 'aborted'
  | 'invalid-response'
  | 'too-large';

/** The Status object with which Kubernetes explains a failure. */
export interface Status {
  readonly kind: 'Status';
  readonly status?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly code?: number;
  readonly details?: StatusDetails;
}

/** The details of a Status. */
export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly retryAfterSeconds?: number;
  readonly causes?: readonly { readonly reason?: string; readonly message?: string; readonly field?: string }[];
}

/** What a KcpError is made of. */
export interface KcpFailure {
  readonly code: KcpErrorCode;
  /** What was asked, for people: `list vpcs.network.example.com in "root:network"`. */
  readonly asked: string;
  /** Where: the server's address. */
  readonly at: string;
  /** What came instead, and where it helps what to do; one line. */
  readonly problem: string;
  readonly status?: number;
  readonly retryAfterMs?: number;
  readonly statusBody?: Status;
  readonly cause?: unknown;
}

const RETRYABLE: ReadonlySet<KcpErrorCode> = new Set(['not-served', 'throttled', 'unavailable', 'server-error', 'unreachable', 'timeout']);

/** The one error of this lib. Match on `code`, never on the message, which is one line for people. */
export class KcpError extends Error {
  override readonly name = 'KcpError';
  readonly code: KcpErrorCode;
  /** Whether the same call may succeed later, with nothing changed by anybody. */
  readonly retryable: boolean;
  readonly asked: string;
  readonly at: string;
  /** The HTTP status, when there was an answer. */
  readonly status?: number;
  /** The Status reason, such as `NotFound`. */
  readonly reason?: string;
  /** How long the server asks to wait before the next try. */
  readonly retryAfterMs?: number;
  readonly statusBody?: Status;

  constructor({ code, asked, at, problem, status, retryAfterMs, statusBody, cause }: KcpFailure) {
    super(`cannot ${asked} at ${at}: ${oneLine(problem)}`, cause === undefined ? undefined : { cause });
    this.code = code;
    this.retryable = RETRYABLE.has(code);
    this.asked = asked;
    this.at = at;
    if (status !== undefined) this.status = status;
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs;
    if (statusBody === undefined) return;
    this.statusBody = statusBody;
    if (statusBody.reason !== undefined && statusBody.reason !== '') this.reason = statusBody.reason;
  }
}

/** A KcpError that is known to have one of these codes. */
export type KcpErrorOf<C extends KcpErrorCode> = KcpError & { readonly code: C };

/** Whether a thrown value is a KcpError, of one of these codes when any are given. */
export function isKcpError<C extends KcpErrorCode = KcpErrorCode>(thrown: unknown, ...codes: readonly C[]): thrown is KcpErrorOf<C> {
  if (!(thrown instanceof KcpError)) return false;
  const wanted: readonly KcpErrorCode[] = codes;
  return wanted.length === 0 || wanted.includes(thrown.code);
}

function oneLine(text: string): string {
  // Tenants may have written it: nothing of it commands a terminal.
  const line = text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
  return line.length <= 600 ? line : `${line.slice(0, 599)}…`;
}
