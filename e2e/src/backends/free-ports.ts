import { createServer, type AddressInfo, type Server } from 'node:net';
import { once } from 'node:events';

/** Picks a loopback port for each name, where nobody listens. Nothing reserves them: whoever asked should bind soon. */
export async function freePorts<N extends string>(...names: readonly N[]): Promise<Readonly<Record<N, number>>> {
  const servers = await Promise.all(names.map(async (name) => [name, await listen()] as const));
  const ports = servers.map(([name, server]) => [name, (server.address() as AddressInfo).port] as const);
  await Promise.all(servers.map(([, server]) => close(server)));
  return Object.fromEntries(ports) as Record<N, number>;
}

async function listen(): Promise<Server> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function close(server: Server): Promise<void> {
  server.close();
  await once(server, 'close');
}
