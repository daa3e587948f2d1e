import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { Connection, KcpError, type ConnectionOptions } from '../index.js';
import { SpecAuthority } from '../spec-support/certificates.js';
import { json, serve, unusedUrl } from '../spec-support/serve.js';

const secret = { kind: 'Secret', metadata: { name: 'a' } };

describe('an address with the wrong scheme', () => {
  it('given an https address of a server without TLS, then the error says so', async () => {
    await using kcp = await serve(json(200, secret));

    const failure = await failureOf({ server: kcp.url.replace('http:', 'https:') });

    expect(failure).toMatchObject({ code: 'unreachable', message: expect.stringContaining('the server does not speak TLS there') });
  });
});

describe('a proxy', () => {
  it('given a server with TLS behind it, then the certificate that counts is the one of the server', async () => {
    const [ours, theirs] = [await SpecAuthority.create(), await SpecAuthority.create()];
    await using kcp = await serve(json(200, secret), await ours.issue('127.0.0.1'));
    await using proxy = await tunnel();
    const through = (ca: string): ConnectionOptions => ({ server: kcp.url, credentials: { ca }, proxyFor: () => proxy.url });

    await expect(ask(through(ours.pem))).resolves.toEqual(secret);
    expect(await failureOf(through(theirs.pem))).toMatchObject({
      message: expect.stringContaining('not signed by the configured certificate authority'),
    });
    expect(proxy.asked).toEqual([new URL(kcp.url).host, new URL(kcp.url).host]);
  });

  it('given a proxy that is not there, then the error says so', async () => {
    const proxyUrl = await unusedUrl();

    const failure = await failureOf({ server: 'https://kcp.example.com', proxyFor: () => proxyUrl });

    expect(failure).toMatchObject({ code: 'unreachable', message: expect.stringContaining('through the proxy 127.0.0.1:') });
  });

  it('given a proxy that refuses, then the error says so', async () => {
    await using proxy = await tunnel(407);

    const failure = await failureOf({ server: 'https://kcp.example.com', proxyFor: () => proxy.url });

    expect(failure).toMatchObject({ code: 'unreachable', message: expect.stringContaining('the proxy refused to connect (407)') });
  });
});

async function ask(options: ConnectionOptions): Promise<unknown> {
  const connection = new Connection(options);
  const { signal } = new AbortController();
  try {
    return await connection.ownWorkspace().get({ group: '', version: 'v1', resource: 'secrets' }, { name: 'a' }, { signal });
  } finally {
    await connection.close();
  }
}

async function failureOf(options: ConnectionOptions): Promise<KcpError> {
  const failure = await ask(options).catch((thrown: unknown) => thrown);
  if (!(failure instanceof KcpError)) throw new Error('it succeeded');
  expect(failure.message).not.toContain('\n');
  return failure;
}

/** A proxy that opens tunnels, or refuses to. */
async function tunnel(refusal?: number): Promise<{ readonly url: string; readonly asked: readonly string[] } & AsyncDisposable> {
  const asked: string[] = [];
  const proxy = createServer();
  proxy.on('connect', (request, socket) => {
    asked.push(String(request.url));
    socket.on('error', () => undefined);
    if (refusal !== undefined) {
      socket.end(`HTTP/1.1 ${String(refusal)} No\r\n\r\n`);
      return;
    }
    const [host = '', port = ''] = String(request.url).split(':');
    const target = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      target.pipe(socket).pipe(target);
    });
    target.on('error', () => socket.destroy());
    socket.on('close', () => target.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${String((proxy.address() as AddressInfo).port)}`,
    asked,
    async [Symbol.asyncDispose]() {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}
