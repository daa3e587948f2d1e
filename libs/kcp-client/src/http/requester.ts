import type { IncomingHttpHeaders } from 'node:http';
import type { OpenAnswer } from './exchange.js';
import type { RequestedObject } from '../errors/absence.js';
import type { KcpError } from '../errors/kcp-error.js';
import type { AnswerMemory } from './page-buffer.js';

/** One request as it goes out. */
export interface RawRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The whole address, query included. */
  readonly url: string;
  /** What this is, for people: `list vpcs.network.example.com in "root:network"`. */
  readonly asked: string;
  /** The object that is asked for: a 404 about this one is `not-found`. Without it no 404 is. */
  readonly object?: RequestedObject;
  readonly accept?: string;
  readonly contentType?: string;
  readonly body?: string | Uint8Array;
  /** Instead of the connection's deadline. */
  readonly timeoutMs?: number;
  /** The largest body to take. Default 256 MiB. */
  readonly maxBytes?: number;
  /** Where to put the body. Default: memory of its own. */
  readonly into?: AnswerMemory;
  /** Asked at the last moment, once there is a socket for the request: what forbids it, which is what the call then fails with. */
  readonly forbidden?: () => KcpError | undefined;
}

/** A request whose answer goes on until the server or the caller ends it. */
export interface RawWatch extends Omit<RawRequest, 'forbidden'> {
  /** No byte for so long means broken. */
  readonly silenceMs: number;
}

/** A successful answer, whole. */
export interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** What clients need of a connection. */
export interface Requester {
  /** Answers with a 2xx or throws KcpError. */
  request(request: RawRequest, options: { readonly signal: AbortSignal }): Promise<RawResponse>;
  /** Answers once the server began to answer 200, or throws KcpError. */
  open(request: RawWatch, options: { readonly signal: AbortSignal }): Promise<OpenAnswer>;
}
