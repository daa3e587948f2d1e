// The server side of the embedded bench: starts an embedded kcp and a bare HTTPS server that serves one page of the same size from
// memory, and answers questions of its parent.

import { EmbeddedKcp } from '@dep-ctrl/embedded-kcp';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';

/** What the parent hears. */
export type FromServer = Started | { readonly kind: 'memory'; readonly rss: number } | { readonly kind: 'stopped' };

/** The server is ready. */
export interface Started {
  readonly kind: 'started';
  readonly url: string;
  readonly bareUrl: string;
  readonly ca: string;
  readonly token: string;
  readonly importMs: number;
  readonly readyMs: number;
}

// About what 5 000 objects of 2 KB are in one page; the comparison is per byte.
const BARE_BYTES = 12_000_000;

/** Serves until the parent says stop. `importMs` is what the process took until its modules were there. */
export async function serve(shards: number): Promise<void> {
  const importMs = performance.now();
  const kcp = await EmbeddedKcp.start({ shards, delays: 'fast' });
  const readyMs = performance.now() - importMs;
  const bare = await bareServer(await kcp.clientCertificate('bare'));
  process.on('message', (question) => {
    if (question === 'memory') {
      globalThis.gc?.();
      tell({ kind: 'memory', rss: process.memoryUsage().rss });
      return;
    }
    bare.close();
    bare.closeAllConnections();
    void kcp.stop().then(() => {
      tell({ kind: 'stopped' });
      process.disconnect();
    });
  });
  // A parent that is gone needs no server.
  process.once('disconnect', () => {
    bare.closeAllConnections();
    bare.close();
    void kcp.stop();
  });
  const { port } = bare.address() as AddressInfo;
  const token = kcp.token('kcp-admin', ['system:kcp:admin']);
  tell({ kind: 'started', url: kcp.baseUrl, bareUrl: `https://127.0.0.1:${port}`, ca: kcp.ca, token, importMs, readyMs });
}

async function bareServer(keyPair: { readonly cert: string; readonly key: string }): Promise<Server> {
  const bytes = Buffer.alloc(BARE_BYTES, '{"kind":"ConfigMapList"}');
  const server = createServer({ cert: keyPair.cert, key: keyPair.key }, (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length }).end(bytes);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function tell(message: FromServer): void {
  process.send?.(message);
}
