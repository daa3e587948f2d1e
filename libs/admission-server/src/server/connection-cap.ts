import type { Socket } from 'node:net';

interface Connection {
  readonly socket: Socket;
  readonly openedMs: number;
  requests: number;
}

/**
 * Bounds the number of connections. At the limit, a new connection evicts the one that has been idle longest. So a client that opens thousands and keeps
 * them shuts no caller out, and an API server opens an idle connection again when it needs one.
 */
export class ConnectionCap {
  readonly #most: number;
  /** By the client's address; the connection that has been idle longest comes first. */
  readonly #connections = new Map<string, Connection>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Whether there is no connection. */
  get isEmpty(): boolean {
    return this.#connections.size === 0;
  }

  /** A connection was opened. */
  opened(socket: Socket): void {
    const client = clientOf(socket);
    this.#connections.set(client, { socket, openedMs: performance.now(), requests: 0 });
    socket.once('close', () => this.#forget(client, socket));
    if (this.#connections.size > this.#most) this.#closeOne();
  }

  /** For how long a connection has been open. */
  ageMs(socket: Socket): number {
    const connection = this.#connections.get(clientOf(socket));
    return connection === undefined ? 0 : performance.now() - connection.openedMs;
  }

  /** A request came on a connection. Answers with what to call when it is over. */
  begun(socket: Socket): () => void {
    const client = clientOf(socket);
    const connection = this.#connections.get(client);
    if (connection === undefined) return () => undefined;
    connection.requests += 1;
    return () => {
      connection.requests -= 1;
      if (this.#connections.get(client) !== connection) return;
      this.#connections.delete(client);
      this.#connections.set(client, connection);
    };
  }

  /** Closes all, whatever goes on there; also those that are in their TLS handshake, which Node's own closeAllConnections leaves. */
  closeAll(): void {
    for (const { socket } of this.#connections.values()) socket.destroy();
  }

  /** The newest has no request yet: it goes if all others have one. */
  #closeOne(): void {
    for (const [client, { socket, requests }] of this.#connections) {
      if (requests > 0) continue;
      this.#connections.delete(client);
      socket.destroy();
      return;
    }
  }

  #forget(client: string, socket: Socket): void {
    if (this.#connections.get(client)?.socket === socket) this.#connections.delete(client);
  }
}

// A request's socket is not the one that was opened, but what TLS made of it; the address is the same.
function clientOf({ remoteAddress = '', remotePort = 0 }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
