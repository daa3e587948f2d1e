import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Passes bytes on to a server of 127.0.0.1, and counts the TCP connections that clients open for it. */
export class CountedRelay {
  /** The address of the server by way of this relay. */
  readonly url: string;
  readonly #server: Server;
  readonly #sockets: Set<Socket>;
  readonly #count: () => number;

  private constructor(url: string, server: Server, sockets: Set<Socket>, count: () => number) {
    this.url = url;
    this.#server = server;
    this.#sockets = sockets;
    this.#count = count;
  }

  static async to(target: string): Promise<CountedRelay> {
    const { protocol, hostname, port } = new URL(target);
    const sockets = new Set<Socket>();
    let opened = 0;
    const server = createServer((from) => {
      opened += 1;
      const onwards = connect(Number(port), hostname);
      for (const [socket, other] of [
        [from, onwards],
        [onwards, from],
      ] as const) {
        sockets.add(socket);
        socket.on('error', () => other.destroy()).on('close', () => other.destroy());
        socket.pipe(other);
      }
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new CountedRelay(`${protocol}//127.0.0.1:${String((server.address() as AddressInfo).port)}`, server, sockets, () => opened);
  }

  /** How many connections were opened so far. */
  get opened(): number {
    return this.#count();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
