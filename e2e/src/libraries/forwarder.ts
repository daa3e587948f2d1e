import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';

/** An address behind which another server can be put: forwards bytes, breaks every connection when it moves, and can freeze. */
export class Forwarder {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #pairs = new Map<Socket, Socket>();
  #target: URL;

  private constructor(target: URL) {
    this.#target = target;
    this.#server = createServer((socket) => this.#forward(socket));
  }

  /** Listens on a free port of 127.0.0.1. */
  static async to(target: string): Promise<Forwarder> {
    const forwarder = new Forwarder(new URL(target));
    forwarder.#server.listen(0, '127.0.0.1');
    await once(forwarder.#server, 'listening');
    return forwarder;
  }

  /** The address to use in place of the target's. */
  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `${this.#target.protocol}//127.0.0.1:${String(port)}${this.#target.pathname}`;
  }

  /** From now on another server answers. */
  move(target: string): void {
    this.#target = new URL(target);
    for (const socket of this.#sockets) socket.destroy();
  }

  /** From now on nothing comes back on the connections that there are, which stay open; new ones are as ever. Answers how many there are. */
  freeze(): number {
    for (const [onward, socket] of this.#pairs) onward.unpipe(socket);
    return this.#pairs.size;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #forward(socket: Socket): void {
    const { hostname, port } = this.#target;
    const onward = connect(Number(port), hostname);
    socket.pipe(onward).pipe(socket);
    this.#pairs.set(onward, socket);
    onward.on('close', () => this.#pairs.delete(onward));
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      this.#sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        this.#sockets.delete(one);
        other.destroy();
      });
    }
  }
}
