import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { expect, it } from '@jest/globals';
import { WebhookClient } from './webhook-client.js';

it('given a webhook that keeps connections for long, when one has been idle for the time of an API server, then it ends', async () => {
  const server = createServer({ keepAliveTimeout: 600_000 }, (_, response) => response.end('{}'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = new WebhookClient(10);
  try {
    const connected = once(server, 'connection') as Promise<[Socket]>;
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const webhook = { url, timeoutSeconds: 10, caBundle: undefined };

    expect(await client.post(webhook, '{}')).toEqual({ state: 'answered', body: '{}' });

    const [socket] = await connected;
    if (!socket.destroyed) await once(socket, 'close');
    expect(socket.destroyed).toBe(true);
  } finally {
    await client.close();
    server.closeAllConnections();
    server.close();
  }
});
