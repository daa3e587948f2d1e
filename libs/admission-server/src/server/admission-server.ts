// One HTTPS server. It answers reviews; any other URL is not found. A request that cannot be answered as a review gets an HTTP error, which kcp counts as a
// failed call: a refusal, or with failurePolicy Ignore a pass.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { YoungGarbage } from '@dep-ctrl/kcp-client';
import { ConnectionCap } from './connection-cap.js';
import { Bodies, type BodyLimits } from './read-body.js';
import { REFUSED_CALLS, type RefusedCall } from './refused-calls.js';
import type { ServingPair } from '../certificates/serving-pair.js';

/** Answers a review whose body was parsed, within the time that its caller still waits; never rejects. The body is gone by then. */
export type AnswerReview = (timeoutMs: number, options: ReviewOptions) => Promise<ReviewReply>;

/** How a review came. */
export interface ReviewOptions {
  readonly signal: AbortSignal;
  /** By which host (the header of that name) the webhook was called. */
  readonly host?: string | undefined;
}

/** An HTTP answer. */
export interface ReviewReply {
  readonly code: number;
  readonly contentType: 'application/json' | 'text/plain; charset=utf-8';
  readonly body: string;
}

/** The handling of calls to one URL. */
export interface CallRoute {
  /** For how long the caller waits. */
  readonly timeoutMs: number;
  /** The sharer of the room for bodies. */
  readonly sharer: string;
  /** Reads a body; never rejects. The bytes are good until then, and nothing of the result may hold on to them. */
  readonly parse: (body: Buffer) => Promise<AnswerReview>;
}

/** Where a URL leads: `elsewhere` is none of this server's, `not-admitted` may not ask. */
export type Routed = CallRoute | 'elsewhere' | 'not-admitted';

/** A question that is no review. */
export interface PlainQuestion {
  readonly url: string;
  /** The header of that name. */
  readonly authorization: string | undefined;
}

/** What the server is made of. */
export interface AdmissionServerOptions {
  readonly host: string | undefined;
  readonly port: number;
  readonly route: (url: string) => Routed;
  /** Answers a GET that leads `elsewhere`; undefined: it is not found. Must not wait. */
  readonly answerGet?: ((question: PlainQuestion) => ReviewReply | undefined) | undefined;
  /** The answer to calls of other paths: what is served where. */
  readonly served: string;
  /** What it calls itself to clients that know an accepted URL, such as `my-webhook/1.2.3`; absent: nothing. */
  readonly product?: string | undefined;
  readonly limits: ServerLimits;
  /** Is told of a call that could not be answered for a reason that nobody thought of: a defect. */
  readonly failed?: ((failure: unknown) => void) | undefined;
  /** Is told how much was read, and has what is left of it collected; absent: V8 does it when it likes. */
  readonly garbage?: Pick<YoungGarbage, 'add'> | undefined;
}

/** What keeps a flood or a slow client from hurting others. */
export interface ServerLimits extends BodyLimits {
  readonly maxConnections: number;
  readonly requestMs: number;
  readonly keepAliveMs: number;
  /** How long a server that ends still answers on connections that are kept, and asks their callers to close them. */
  readonly lastCallsMs: number;
}

/**
 * A review of a deletion is the object as etcd holds it and 1 KB (kcp v0.32.3, whatever is in it: what JSON escapes, etcd holds escaped). An etcd
 * takes 1.5 MiB unless told otherwise, and kcp no request of more than 3 MiB.
 */
export const defaultServerLimits: ServerLimits = {
  maxBodyBytes: 4 * 1024 * 1024,
  smallBodyBytes: 64 * 1024,
  smallBodyBytesInAll: 16 * 1024 * 1024,
  smallBodyMs: 2_000,
  largeBodies: 2,
  largeBodiesWaiting: 500,
  largeBodyMs: 500,
  largeBodyMsPerMiB: 200,
  slowMs: 60_000,
  maxConnections: 5_000,
  requestMs: 10_000,
  // Go's API server keeps idle connections for 90 s. The client must be the first to close.
  keepAliveMs: 120_000,
  // Go does not repeat a POST on a connection that was closed under it: a delete fails. A client that calls more often than this is told before. With
  // half of it, one that deleted without a pause on a busy machine was not.
  lastCallsMs: 1_000,
};

const GONE = new Error('the client has gone');

// A handshake or a body that had to wait has used up some of the asker's time; less than this is in its margin.
const NOTEWORTHY_MS = 100;

/** The HTTPS server of the reviews. */
export class AdmissionServer {
  readonly #options: AdmissionServerOptions;
  readonly #server: Server;
  readonly #bodies: Bodies;
  readonly #connections: ConnectionCap;
  /** Connections without a request yet, which Node counts as busy, and how long their TLS handshake took. */
  readonly #unused = new Map<Socket, number>();
  #isDraining = false;

  constructor(options: AdmissionServerOptions) {
    this.#options = options;
    const { limits, garbage } = options;
    this.#bodies = new Bodies(limits, garbage);
    this.#server = createServer({
      headersTimeout: limits.requestMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.keepAliveMs,
      handshakeTimeout: limits.requestMs,
      connectionsCheckingInterval: Math.min(1_000, limits.requestMs),
      minVersion: 'TLSv1.2',
    });
    this.#connections = new ConnectionCap(limits.maxConnections);
    this.#server.on('connection', (socket: Socket) => this.#connections.opened(socket));
    this.#server.on('request', (request, response) => {
      // A call that fails for a reason nobody thought of ends nothing but its own connection: the caller counts it as failed.
      this.#serve(request, response).catch((failure: unknown) => {
        response.destroy();
        options.failed?.(failure);
      });
    });
    this.#server.on('secureConnection', (socket) => this.#watch(socket));
    // A client that speaks no TLS or goes away during the handshake is no event for anybody.
    this.#server.on('tlsClientError', () => undefined);
  }

  /** Serves with this pair from the next handshake on; connections that stand are not touched. */
  use({ certificate, key }: ServingPair): void {
    this.#server.setSecureContext({ cert: certificate, key, minVersion: 'TLSv1.2' });
  }

  /** Starts to listen; rejects when the port is taken. */
  async listen(): Promise<AddressInfo> {
    const { port, host, limits } = this.#options;
    // As many as may be open may also wait to be accepted. Of more than Node's default of 511 at once, some would be reset and never be answered.
    this.#server.listen({ port, backlog: limits.maxConnections, ...(host === undefined ? {} : { host }) });
    await once(this.#server, 'listening');
    return this.#server.address() as AddressInfo;
  }

  /** Has callers close their connections, then takes no new ones, answers what has begun, and closes; what is not done when `cut` aborts is cut. */
  async drain(cut: AbortSignal): Promise<void> {
    this.#isDraining = true;
    if (!this.#connections.isEmpty) await sleep(this.#options.limits.lastCallsMs, undefined, { signal: cut }).catch(() => undefined);
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#unused.keys()) socket.destroy();
    const cutAll = (): void => this.#connections.closeAll();
    cut.addEventListener('abort', cutAll, { once: true });
    if (cut.aborted) cutAll();
    await closed;
    cut.removeEventListener('abort', cutAll);
  }

  #watch(socket: Socket): void {
    if (!this.#server.listening) {
      socket.destroy();
      return;
    }
    this.#unused.set(socket, this.#connections.ageMs(socket));
    socket.once('close', () => this.#unused.delete(socket));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A caller that dials for a review waits from then on. Many handshakes at once take seconds.
    const handshakeMs = this.#unused.get(request.socket) ?? 0;
    this.#unused.delete(request.socket);
    response.once('close', this.#connections.begun(request.socket));
    if (this.#isDraining) response.setHeader('connection', 'close');
    const { url = '' } = request;
    const route = this.#options.route(url);
    if (route === 'elsewhere') {
      const { authorization } = request.headers;
      const answer = request.method === 'GET' ? this.#options.answerGet?.({ url, authorization }) : undefined;
      if (answer !== undefined) {
        write(response, answer);
        return;
      }
      response.writeHead(404, { 'content-type': 'text/plain' }).end(`not found: ${this.#options.served}\n`);
      return;
    }
    if (route === 'not-admitted') {
      refuse(response, 'not-admitted');
      return;
    }
    if (request.method !== 'POST') {
      const { product } = this.#options;
      if (product !== undefined) response.setHeader('server', product);
      refuse(response.setHeader('allow', 'POST'), 'method');
      return;
    }
    const [contentType = ''] = (request.headers['content-type'] ?? '').split(';');
    if (contentType.trim().toLowerCase() !== 'application/json') {
      refuse(response, 'content-type');
      return;
    }

    const { limits } = this.#options;
    const begunMs = performance.now() - handshakeMs;
    const read = await this.#bodies.read(request, route);
    if (read.outcome === 'too-large') {
      refuse(response, 'too-large', { limit: limits.maxBodyBytes });
      return;
    }
    if (read.outcome === 'overloaded') {
      refuse(response, 'overloaded');
      return;
    }
    if (read.outcome === 'cut-short') return void response.destroy();
    const gone = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) gone.abort(GONE);
    });
    if (response.destroyed) gone.abort(GONE);
    const reply = await read.review(timeLeft(route, performance.now() - begunMs), { signal: gone.signal, host: request.headers.host });
    if (this.#isDraining) response.setHeader('connection', 'close');
    write(response, reply);
  }
}

function timeLeft({ timeoutMs }: CallRoute, spentMs: number): number {
  return spentMs < NOTEWORTHY_MS ? timeoutMs : Math.max(0, timeoutMs - spentMs);
}

// What is left of the body is read and dropped: a client that still writes would see a broken connection instead of the answer.
function refuse(response: ServerResponse, why: RefusedCall, { limit = 0 }: { readonly limit?: number } = {}): void {
  const { code, text } = REFUSED_CALLS[why];
  write(response, { code, contentType: 'text/plain; charset=utf-8', body: `${text.replace('LIMIT', String(limit))}\n` });
  response.req.resume();
}

function write(response: ServerResponse, { code, contentType, body }: ReviewReply): void {
  if (response.destroyed) return;
  response.writeHead(code, { 'content-type': contentType, 'content-length': Buffer.byteLength(body) }).end(body);
}
