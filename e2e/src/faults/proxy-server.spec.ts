import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Agent, request } from 'undici';
import { Authority, type KeyPair } from '../backends/pki.js';
import type { Caller, ProxyFault } from './fault.js';
import { ProxyServer, type ProxyAddresses } from './proxy-server.js';

const SLICES = '/clusters/home/apis/apis.kcp.io/v1alpha1/apiexportendpointslices';
const TYPES = '/clusters/home/apis/tenancy.kcp.io/v1alpha1/workspacetypes?fieldSelector=metadata.name%3Da';
const LONG = 'x'.repeat(1_000);

describe(ProxyServer, () => {
  let kcp: Server;
  let kcpUrl: string;
  let serve: (asked: IncomingMessage, answer: ServerResponse) => void;
  let authority: Authority;
  let serving: KeyPair;
  let proxy: ProxyServer;
  let addresses: ProxyAddresses;
  const agents: Agent[] = [];

  beforeAll(async () => {
    authority = await Authority.create('spec');
    serving = await authority.server();
    kcp = createServer({ ...serving, ca: authority.pair.cert, requestCert: true, rejectUnauthorized: false });
    kcp.on('request', (asked: IncomingMessage, answer: ServerResponse) => serve(asked, answer));
    kcp.listen(0, '127.0.0.1');
    await once(kcp, 'listening');
    kcpUrl = `https://127.0.0.1:${(kcp.address() as AddressInfo).port}`;
  });

  afterAll(() => {
    kcp.closeAllConnections();
    kcp.close();
  });

  beforeEach(async () => {
    serve = (_asked, answer) => answer.end(LONG);
    proxy = new ProxyServer({ servers: [kcpUrl, kcpUrl], ca: authority.pair.cert, serving });
    addresses = await proxy.listen();
  });

  afterEach(async () => {
    proxy.close();
    await Promise.all(agents.splice(0).map((agent) => agent.destroy()));
  });

  it('given a body, a query and a token, then kcp gets them as they are, and the caller the answer', async () => {
    serve = (asked, answer) => {
      answer.setHeader('warning', '299 - "seen"');
      answer.statusCode = 409;
      void text(asked).then((body) => answer.end(`${asked.method} ${asked.url} ${asked.headers.authorization} ${body}`));
    };

    const { statusCode, headers, body } = await ask('webhook', '/a?dryRun=All', { method: 'DELETE', body: '{"uid":1}' });

    expect([statusCode, headers['warning'], await body.text()]).toEqual([409, '299 - "seen"', 'DELETE /a?dryRun=All Bearer t {"uid":1}']);
  });

  it.each([
    { caller: 'controller', path: SLICES },
    { caller: 'webhook', path: SLICES },
    { caller: 'controller', path: TYPES },
  ] as const)(
    'given kcp names its addresses to the $caller in $path, then its own addresses of the proxy stand there',
    async ({ caller, path }) => {
      const other = 'https://127.0.0.1:1/services/apiexport/b';
      serve = (_asked, answer) => answer.end(`{"items":[{"url":"${kcpUrl}/services/apiexport/ä"},{"url":"${other}"}]}`);

      const named = (await (await ask(caller, path)).body.json()) as { items: { url: string }[] };

      expect(named.items.map(({ url }) => url)).toEqual([`${addresses[caller].get(kcpUrl)}/services/apiexport/ä`, other]);
    },
  );

  it('given a watch that names an address in two pieces, then the event is told before the watch ends', async () => {
    const event = `{"url":"${kcpUrl}/services/apiexport/ä"}\n`;
    serve = (_asked, answer) => {
      const bytes = Buffer.from(event);
      answer.write(bytes.subarray(0, 15), () => answer.write(bytes.subarray(15)));
    };

    const { body } = await ask('webhook', `${SLICES}?watch=1`);
    const [chunk] = (await once(body, 'data')) as [Buffer];

    expect(chunk.toString()).toBe(event.replace(kcpUrl, addresses.webhook.get(kcpUrl) ?? ''));
  });

  it('given another path, then addresses stay as they are', async () => {
    serve = (_asked, answer) => answer.end(`"${kcpUrl}/"`);

    expect(await (await ask('webhook', '/clusters/home/api')).body.text()).toBe(`"${kcpUrl}/"`);
  });

  it('given a caller that shows a certificate that the proxy has the key of, then kcp sees it, and nobody else with it', async () => {
    serve = (asked, answer) =>
      answer.end(asked.socket instanceof TLSSocket ? (asked.socket.getPeerX509Certificate()?.subject ?? 'nobody') : 'no TLS');
    const [alice, bob] = await Promise.all(['alice', 'bob'].map((name) => authority.client({ name })));
    proxy.present(alice!);

    const seen = [alice, bob, undefined].map(async (shown) => (await ask('controller', '/', {}, shown)).body.text());

    expect(await Promise.all(seen)).toEqual(['CN=alice', 'nobody', 'nobody']);
  });

  it('given a limit of pages, then lists with a limit get that one', async () => {
    serve = (asked, answer) => answer.end(asked.url);
    proxy.pageLimit = 2;

    const urls = ['/a?limit=500&continue=c', '/a?watch=1'].map(async (path) => (await ask('webhook', path)).body.text());

    expect(await Promise.all(urls)).toEqual(['/a?limit=2&continue=c', '/a?watch=1']);
  });

  it.each<{ fault: ProxyFault; expected: string }>([
    { fault: { kind: 'answer', status: 429, headers: { 'retry-after': '1' } }, expected: '429 1 Failure' },
    { fault: { kind: 'answer', status: 200, body: '{}' }, expected: '200  undefined' },
    { fault: { kind: 'reset' }, expected: 'broken' },
    { fault: { kind: 'cut' }, expected: 'broken' },
    { fault: { kind: 'half' }, expected: `200  ${LONG.length / 2}` },
    { fault: { kind: 'hang' }, expected: 'nothing' },
    { fault: { kind: 'delay', ms: 1 }, expected: `200  ${LONG.length}` },
  ])('given the fault $fault, then the caller gets "$expected", the other one what kcp says', async ({ fault, expected }) => {
    const broken = proxy.add({ match: { caller: 'webhook', path: /^\/a$/ }, fault });

    expect(await outcome('webhook')).toBe(expected);
    expect(await outcome('controller')).toBe(`200  ${LONG.length}`);
    expect(broken.hits).toBe(1);

    broken.mend();
    expect(await outcome('webhook')).toBe(`200  ${LONG.length}`);
  });

  it('given a fault that spares two, then the third is broken, and only that counts', async () => {
    const broken = proxy.add({ match: { method: /^GET$/ }, fault: { kind: 'answer', status: 500 }, sparing: 2 });

    const statuses = [];
    for (let turn = 0; turn < 3; turn += 1) statuses.push((await ask('webhook', '/a')).statusCode);

    expect([statuses, broken.hits]).toEqual([[200, 200, 500], 1]);
  });

  it('given held requests, when the fault is mended, then kcp is asked by those that still wait', async () => {
    const asked: string[] = [];
    serve = ({ url = '' }, answer) => answer.end(String(asked.push(url)));
    const held = proxy.add({ match: { path: /^\/(?:waiting|gone)$/ }, fault: { kind: 'hold' } });
    const gone = new AbortController();
    const waiting = ask('webhook', '/waiting');
    const leaving = ask('webhook', '/gone', { signal: gone.signal }).catch(() => 'left');
    while (held.hits < 2) await new Promise(setImmediate);
    gone.abort();
    await leaving;
    await ask('webhook', '/later'); // by then the end of that connection is heard

    held.mend();

    expect((await waiting).statusCode).toBe(200);
    expect(asked).toEqual(['/later', '/waiting']);
  });

  async function outcome(caller: Caller): Promise<string> {
    try {
      const { statusCode, headers, body } = await ask(caller, '/a', { signal: AbortSignal.timeout(500) });
      const said = await body.text();
      const status = said.startsWith('{') ? String((JSON.parse(said) as { status?: string }).status) : String(said.length);
      return `${statusCode} ${String(headers['retry-after'] ?? '')} ${status}`;
    } catch (error) {
      return (error as Error).name === 'TimeoutError' ? 'nothing' : 'broken';
    }
  }

  function ask(
    caller: Caller,
    path: string,
    options: Partial<Parameters<typeof request>[1]> = {},
    shown?: KeyPair,
  ): ReturnType<typeof request> {
    const agent = new Agent({ connect: { ca: authority.pair.cert, ...(shown ?? {}) } });
    agents.push(agent);
    return request(`${addresses[caller].get(kcpUrl)}${path}`, { dispatcher: agent, headers: { authorization: 'Bearer t' }, ...options });
  }
});

async function text(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
