// One HTTPS listener: turns sockets into IncomingRequests and Replies into bytes. It knows nothing of Kubernetes beyond the
// bound on slow watchers: whoever lets more than WATCH_BACKLOG_BYTES pile up is cut, as the API server cuts them.
import { createServer, type Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TLSSocket } from 'node:tls';
import { ApiError, internalError, PlainError } from './api-status.js';
import type { KeyPair } from './certificates.js';
import type { CertificateSubject, IncomingRequest } from './incoming-request.js';
import type { Outcome, StreamReply, WholeReply } from './reply.js';

/** Answers one request. */
export type RequestHandler = (request: IncomingRequest) => Promise<Outcome>;

/** What may pile up unsent on one watch before the connection is cut. */
export const WATCH_BACKLOG_BYTES = 8 * 1024 * 1024;

// kcp's limit on request bodies (3 MiB), and how it says no.
const BODY_LIMIT = 3 * 1024 * 1024;

/** What a listener needs. */
export interface ListenerOptions {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  readonly serving: KeyPair;
  readonly clientCa: string;
  readonly handle: RequestHandler;
}

/** An HTTPS server that can be stopped and started again at the same port. */
export class Listener {
  readonly #options: ListenerOptions;
  #server: Server | undefined;
  #port: number;

  constructor(options: ListenerOptions) {
    this.#options = options;
    this.#port = options.port;
  }

  /** Begins to listen. Rejects when the port is taken. */
  async start(): Promise<void> {
    const { serving, clientCa, host, handle } = this.#options;
    const server = createServer(
      { ...serving, ca: clientCa, requestCert: true, rejectUnauthorized: false, keepAliveTimeout: 120_000, noDelay: true },
      (request, response) => void respond(request, response, handle),
    );
    server.requestTimeout = 0;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.#port, host, () => {
        server.off('error', reject);
        resolve();
      });
    });
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  /** The port that is listened on, once started. */
  get port(): number {
    return this.#port;
  }

  /** Closes every connection and the port. */
  async stop(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  }
}

async function respond(request: IncomingMessage, response: ServerResponse, handle: RequestHandler): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  response.on('error', () => gone.abort());
  try {
    send(response, await handle(toIncoming(request, gone.signal)).catch(toErrorReply));
  } catch (error) {
    response.destroy(error as Error);
  }
}

// A bug of ours is answered as the API server answers a panic, never with silence.
function toErrorReply(error: unknown): WholeReply {
  if (error instanceof ApiError || error instanceof PlainError) return error.reply();
  return internalError(error instanceof Error ? (error.stack ?? error.message) : String(error)).reply();
}

function toIncoming(request: IncomingMessage, signal: AbortSignal): IncomingRequest {
  const url = request.url ?? '/';
  const mark = url.indexOf('?');
  let body: Promise<Buffer> | undefined;
  return {
    method: request.method ?? 'GET',
    path: decodePath(mark === -1 ? url : url.slice(0, mark)),
    query: new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1)),
    headers: request.headers,
    certificate: request.socket instanceof TLSSocket ? subjectOf(request.socket) : undefined,
    body: () => (body ??= readBody(request)),
    signal,
  };
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function subjectOf(socket: TLSSocket): CertificateSubject | 'invalid' | undefined {
  const certificate = socket.getPeerCertificate();
  // Node answers an empty object for "none"; its types do not say so.
  const subject = certificate.subject as { CN?: string; O?: string | string[] } | undefined;
  if (subject === undefined) return undefined;
  if (!socket.authorized) return 'invalid';
  const organizations = subject.O ?? [];
  return { commonName: subject.CN ?? '', organizations: typeof organizations === 'string' ? [organizations] : organizations };
}

// A body that is too large is read to its end all the same: the connection lives on, and the client gets to see the answer.
async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  await new Promise<void>((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= BODY_LIMIT) chunks.push(chunk);
    });
    request.once('end', resolve);
    request.once('error', reject);
    request.once('close', () => reject(new Error('the client has gone')));
  });
  if (length > BODY_LIMIT) {
    throw new ApiError({ code: 413, reason: 'RequestEntityTooLarge', message: `Request entity too large: limit is ${BODY_LIMIT}` });
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
}

function send(response: ServerResponse, outcome: Outcome, cutAfter = Number.POSITIVE_INFINITY): void {
  if (response.destroyed) return;
  switch (outcome.kind) {
    case 'drop':
      response.destroy();
      return;
    case 'cut':
      send(response, outcome.reply, outcome.afterBytes);
      return;
    case 'whole':
      sendWhole(response, outcome, cutAfter);
      return;
    case 'stream':
      sendStream(response, outcome, cutAfter);
      return;
    default:
      outcome satisfies never;
  }
}

function sendWhole(response: ServerResponse, reply: WholeReply, cutAfter: number): void {
  const length = reply.body.reduce((sum, part) => sum + part.length, 0);
  response.writeHead(reply.status, { ...reply.headers, 'content-length': length });
  if (cutAfter < length) {
    response.write(Buffer.concat(reply.body).subarray(0, cutAfter), () => response.destroy());
    return;
  }
  if (reply.body.length <= 1) {
    response.end(reply.body[0]);
    return;
  }
  // One write: many small ones would each become a TLS record.
  response.end(Buffer.concat(reply.body, length));
}

function sendStream(response: ServerResponse, reply: StreamReply, cutAfter: number): void {
  let left = cutAfter;
  response.writeHead(reply.status, { ...reply.headers });
  response.flushHeaders();
  const stop = reply.start({
    send: (parts) => {
      if (response.destroyed || response.writableEnded) return;
      const bytes = parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
      left -= bytes.length;
      if (left < 0) {
        response.write(bytes.subarray(0, bytes.length + left), () => response.destroy());
        return;
      }
      response.write(bytes);
      if (response.writableLength > WATCH_BACKLOG_BYTES) response.destroy();
    },
    end: () => void response.end(),
  });
  if (response.destroyed) stop();
  else response.once('close', stop);
}
