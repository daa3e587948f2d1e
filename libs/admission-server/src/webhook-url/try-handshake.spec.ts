import 'reflect-metadata';
import { once } from 'node:events';
import { createServer as createPlainServer, type AddressInfo, type Server } from 'node:net';
import { createServer } from 'node:tls';
import { describe, expect, it } from '@jest/globals';
import { mintAuthority, mintServingPair } from '../certificates/mint.js';
import { freePort } from '../testing/free-port.js';
import { tryHandshake, type TlsAddress } from './try-handshake.js';

const HOST = '127.0.0.1';
const DAY_MS = 24 * 3_600_000;

/** Listens while `work` runs, and ends once no connection is open. */
async function listening(server: Server, work: (port: number) => Promise<void>): Promise<void> {
  server.listen(0, HOST);
  await once(server, 'listening');
  await work((server.address() as AddressInfo).port);
  server.close();
  await once(server, 'close');
}

/** A webhook with a certificate (`leaf`) for these hosts, made at a time; `ca` is what signed it. */
async function webhook({ hosts = [HOST], madeAtMs = Date.now() } = {}): Promise<{
  readonly server: Server;
  readonly ca: string;
  readonly leaf: string;
}> {
  const authority = await mintAuthority(madeAtMs);
  const { certificate, key } = await mintServingPair(authority, hosts, madeAtMs);
  const server = createServer({ cert: certificate, key }, (socket) => socket.resume());
  server.on('tlsClientError', () => undefined);
  return { server, ca: authority.certificate, leaf: certificate };
}

const shake = (address: Partial<TlsAddress> & { readonly port: number }, signal = new AbortController().signal) =>
  tryHandshake({ host: HOST, ...address }, { signal });

describe(tryHandshake, () => {
  it('given a certificate that is for the host and verified by the bundle, then all is well, and no connection stays', async () => {
    const { server, ca } = await webhook();

    await listening(server, async (port) => expect(await shake({ port, ca })).toBeUndefined());
  });

  it('given a bundle of two CAs, as in a rotation, or of the certificate itself, which kcp trusts too, then all is well', async () => {
    const { server, ca, leaf } = await webhook();
    const other = await mintAuthority(Date.now());

    await listening(server, async (port) => {
      expect(await shake({ port, ca: other.certificate + ca })).toBeUndefined();
      expect(await shake({ port, ca: leaf })).toBeUndefined();
    });
  });

  it('given no bundle, or one that does not verify the certificate, then the failure says so', async () => {
    const { server } = await webhook();
    const { certificate } = await mintAuthority(Date.now());
    const failure = {
      of: 'certificate',
      problem: 'certificate signed by unknown authority',
      cause: 'authority',
    };

    await listening(server, async (port) => {
      expect(await shake({ port })).toEqual(failure);
      expect(await shake({ port, ca: certificate })).toEqual(failure);
    });
  });

  it('given a certificate for another host, then the failure names whom it is for', async () => {
    const { server, ca } = await webhook({ hosts: ['webhook.example.com', '10.0.0.7'] });

    await listening(server, async (port) =>
      expect(await shake({ port, ca })).toEqual({
        of: 'certificate',
        problem: 'the certificate names another host: it is for DNS:webhook.example.com, IP Address:10.0.0.7',
        cause: 'host',
      }),
    );
  });

  it('given a certificate whose time is over, then the failure says so', async () => {
    const { server, ca } = await webhook({ madeAtMs: Date.now() - 100 * DAY_MS });

    await listening(server, async (port) =>
      expect(await shake({ port, ca })).toMatchObject({ of: 'certificate', problem: 'the certificate has expired' }),
    );
  });

  it('given a port where nobody listens, then the failure says so', async () => {
    expect(await shake({ port: await freePort() })).toEqual({
      of: 'connection',
      problem: 'connection refused',
      cause: 'network',
    });
  });

  it('given a host that does not resolve, then the failure says so', async () => {
    const failure = await shake({ host: 'webhook.invalid', port: 443 });

    expect(['no such host', 'the name of the host cannot be looked up']).toContain(failure?.problem);
  });

  it('given something that speaks no TLS, then the failure says so', async () => {
    const server = createPlainServer((socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')));

    await listening(server, async (port) =>
      expect(await shake({ port })).toMatchObject({ of: 'connection', problem: 'it does not speak TLS' }),
    );
  });

  it('given a bundle that OpenSSL cannot read, then that is a failure like any other', async () => {
    const ca = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';

    expect(await shake({ port: await freePort(), ca })).toMatchObject({ problem: expect.any(String) });
  });

  it('given something that never answers, when it is told to stop, then it hangs up at once and blames nobody', async () => {
    const stop = new AbortController();
    const server = createPlainServer((socket) => {
      socket.on('error', () => undefined).resume();
      stop.abort();
    });

    await listening(server, async (port) => expect(await shake({ port }, stop.signal)).toBeUndefined());
  });
});
