import type { IncomingHttpHeaders } from 'node:http';
import type { KcpError } from './kcp-error.js';

/** An answer that was not a success, as it came. */
export interface RefusedAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

// A Status has some hundred bytes; a proxy's page may have any number.
const KEPT_BYTES = 64 * 1024;

// Beside the errors and not in them: whoever logs an error would log its headers and body.
const answers = new WeakMap<KcpError, RefusedAnswer>();

/** Keeps the answer behind an error for as long as the error lives. The body is copied: it may lie in memory that the next answer overwrites. */
export function keepAnswer(error: KcpError, { status, headers, body }: RefusedAnswer): KcpError {
  answers.set(error, { status, headers, body: Buffer.from(body.subarray(0, KEPT_BYTES)) });
  return error;
}

/** The answer behind an error; undefined where there was none. */
export function answerBehind(error: KcpError): RefusedAnswer | undefined {
  return answers.get(error);
}
