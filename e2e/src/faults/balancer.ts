// What stands before the replicas of a webhook in a cluster: each new connection goes to the next of them that listens.
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A TCP load balancer on the loopback address. */
export class Balancer {
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  #ports: readonly number[] = [];
  #next = 0;

  private constructor(server: Server) {
    this.#server = server;
    server.on('connection', (client: Socket) => void this.#join(client));
  }

  /** Starts a balancer with no server behind it. */
  static async start(): Promise<Balancer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Balancer(server);
  }

  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Sends connections there from now on. */
  use(...ports: readonly number[]): void {
    this.#ports = ports;
  }

  /** Ends it and every connection. */
  close(): void {
    this.#server.close();
    for (const socket of this.#open) socket.destroy();
  }

  async #join(client: Socket): Promise<void> {
    this.#keep(client);
    for (const _ of this.#ports) {
      const port = this.#ports[(this.#next += 1) % this.#ports.length];
      const replica = connect({ host: '127.0.0.1', port: port ?? 0 });
      this.#keep(replica);
      try {
        await once(replica, 'connect');
      } catch {
        continue; // this one is dead
      }
      client.pipe(replica).pipe(client);
      client.once('close', () => replica.destroy());
      replica.once('close', () => client.destroy());
      return;
    }
    client.destroy();
  }

  #keep(socket: Socket): void {
    this.#open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => this.#open.delete(socket));
  }
}
