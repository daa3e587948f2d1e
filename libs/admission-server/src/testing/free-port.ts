import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

// Systems give outgoing connections ports above these (Linux: from 32768 on), and such a connection could take one before its server listens.
const FIRST = 10_000;
const LAST = 32_000;

/** A port on 127.0.0.1 that is not in use at this moment, and that no outgoing connection gets. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST);
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch {
      continue;
    }
    await once(server.close(), 'close');
    return port;
  }
}
