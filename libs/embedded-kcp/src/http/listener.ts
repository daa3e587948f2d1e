// One HTTPS listener: hands requests to a handler and sends its answers. It knows nothing of Kubernetes.
import { createServer, type Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { ApiError, internalError, PlainError } from './api-status.js';
import type { KeyPair } from './certificates.js';
import type { IncomingRequest } from './incoming-request.js';
import { toIncoming } from './read-request.js';
import type { Outcome, WholeReply } from './reply.js';
import { sendOutcome } from './send-reply.js';

/** Answers one request. */
export type RequestHandler = (request: IncomingRequest) => Promise<Outcome>;

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
  readonly #connections = new Set<Socket>();
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
    server.on('connection', (socket: Socket) => {
      this.#connections.add(socket);
      socket.once('close', () => this.#connections.delete(socket));
    });
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
      // Node's own closeAllConnections leaves those that are in their TLS handshake, which then stay.
      for (const connection of this.#connections) connection.destroy();
    });
  }
}

async function respond(request: IncomingMessage, response: ServerResponse, handle: RequestHandler): Promise<void> {
  // Whatever breaks a response also closes it, and that is where it is noticed.
  response.on('error', () => undefined);
  try {
    sendOutcome(response, await handle(toIncoming(request, response)).catch(toErrorReply));
  } catch (error) {
    response.destroy(error as Error);
  }
}

// A bug of ours is answered as the API server answers a panic, never with silence.
function toErrorReply(error: unknown): WholeReply {
  if (error instanceof ApiError || error instanceof PlainError) return error.reply();
  return internalError(error instanceof Error ? (error.stack ?? error.message) : String(error)).reply();
}
