import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

// Below the ports that systems give to outgoing connections (Linux: from 32768 on): one of those may be taken by any connection between
// the moment it is found free and the moment a server listens there.
const FIRST = 10_000;
const LAST = 32_000;

// A port is given out once in this process, also while its owner has not bound it yet, or has let go of it for a restart.
const given = new Set<number>();

/** Picks a loopback port for each name, where nobody listens and no outgoing connection of this machine will be. */
export async function freePorts<N extends string>(...names: readonly N[]): Promise<Readonly<Record<N, number>>> {
  const ports: (readonly [N, number])[] = [];
  for (const name of names) ports.push([name, await freePort()]);
  return Object.fromEntries(ports) as Record<N, number>;
}

async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST);
    if (given.has(port)) continue;
    given.add(port);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
