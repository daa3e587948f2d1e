import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { Agent, request } from 'node:https';
import { connect as connectPlain, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { AdmissionServer } from './admission-server.js';
import { HeldServer, type HeldServerChange } from '../spec-support/held-server.js';
import { testCertificates } from '../testing/certificates.js';
import { optionsOf, type HttpsQuestion } from '../testing/https-post.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const { signal: never } = new AbortController();
const started: HeldServer[] = [];

afterEach(async () => {
  for (const site of started.splice(0)) await site.stop();
});

describe(AdmissionServer, () => {
  it('given a review, then it is answered with what the URL, the host and the body say', async () => {
    const site = await start();

    const answer = await site.post({ path: '/validate/network?timeout=2s', body: 'hello' });

    expect(answer).toMatchObject({ code: 200, body: 'answer to hello', headers: { 'content-type': 'application/json' } });
    expect(site.calls).toEqual([{ sharer: 'network', timeoutMs: 2_000 }]);
    expect(site.hosts).toEqual([`127.0.0.1:${String(site.port)}`]);
  });

  it.each<{ given: string; change: Partial<HttpsQuestion>; code: number; body: string }>([
    { given: 'a URL that is not admitted', change: { path: '/validate/a/wrong' }, code: 404, body: 'not found\n' },
    { given: 'another method', change: { method: 'PUT' }, code: 405, body: 'reviews are sent with POST\n' },
    { given: 'a form', change: { headers: { 'content-type': 'text/plain' } }, code: 415, body: 'reviews are sent as application/json\n' },
    {
      given: 'a content type with a charset',
      change: { headers: { 'content-type': 'Application/JSON; charset=utf-8' } },
      code: 200,
      body: 'answer to x',
    },
    { given: 'a body over the cap', change: { body: 'x'.repeat(101) }, code: 413, body: 'the review is larger than 100 bytes\n' },
    { given: 'a body of exactly the cap', change: { body: 'x'.repeat(100) }, code: 200, body: `answer to ${'x'.repeat(100)}` },
  ])('given $given, then the answer is $code', async ({ change, code, body }) => {
    const site = await start({ limits: { maxBodyBytes: 100 } });

    expect(await site.post({ body: 'x', ...change })).toMatchObject({ code, body });
  });

  it('given a product, then a GET of an accepted URL shows it, and one of another URL does not', async () => {
    const site = await start({ product: 'my-webhook/1.2.3' });

    expect(await site.post({ method: 'GET' })).toMatchObject({ code: 405, headers: { server: 'my-webhook/1.2.3' } });
    expect((await site.post({ method: 'GET', path: '/validate/a/wrong' })).headers).not.toHaveProperty('server');
  });

  it('given a body that does not say how long it will be, then it is cut off at the cap', async () => {
    const site = await start({ limits: { maxBodyBytes: 100 } });
    const sent = request({ ...optionsOf(site.question({})), headers: { 'content-type': 'application/json' } });

    sent.write('x'.repeat(60));
    sent.write('x'.repeat(60));
    const [answer] = (await once(sent, 'response')) as [{ statusCode: number }];
    sent.destroy();

    expect(answer.statusCode).toBe(413);
    expect(site.calls).toEqual([]);
  });

  it('given 8 MB, then it is too large by default', async () => {
    const site = await start();

    expect(await site.post({ body: Buffer.alloc(8_000_000, 0x20) })).toMatchObject({ code: 413 });
  });

  it('given reviews that are being judged, then their bytes are free for others, and gone', async () => {
    const site = await start({ limits: { smallBodyBytesInAll: 200 } });
    const release = site.hold();
    const answers = ['x', 'y', 'z'].map(async (letter, index) => {
      const answer = site.post({ body: letter.repeat(80) });
      await site.arrived(index + 1);
      return answer;
    });
    await site.arrived(3);

    await setImmediate(); // what was looked at in a turn is kept until its end
    collectGarbage();
    expect(site.bodies.map((body) => body.deref() === undefined)).toEqual([true, true, true]);
    release();
    expect(await Promise.all(answers)).toMatchObject([{ code: 200 }, { code: 200 }, { code: 200 }]);
  });

  it('given more bytes of one provider than it may hold, then those that came first are answered, and those of another provider', async () => {
    const site = await start({ limits: { smallBodyBytesInAll: 200 } });
    const release = site.holdParsing();
    const first = site.post({ path: '/validate/one', body: 'x'.repeat(80) });
    await site.parsing(1);

    expect(await site.post({ path: '/validate/one', body: 'y'.repeat(80) })).toMatchObject({
      code: 503,
      body: 'too many reviews at once\n',
    });
    const other = site.post({ path: '/validate/other', body: 'y'.repeat(60) });
    await site.parsing(2);
    release();
    expect(await first).toMatchObject({ code: 200 });
    expect(await other).toMatchObject({ code: 200 });
    expect(await site.post({ path: '/validate/one', body: 'z'.repeat(80) })).toMatchObject({ code: 200 });
  });

  it('given large bodies, then they wait for each other, the smallest first, and neither small ones nor another provider waits for them', async () => {
    const site = await start({ limits: { smallBodyBytes: 100, largeBodies: 2 } });
    const release = site.holdParsing();
    const large = [site.post({ path: '/validate/one', body: 'a'.repeat(300) })];
    await site.parsing(1);
    large.push(site.post({ path: '/validate/one', body: 'b'.repeat(300) }), site.post({ path: '/validate/one', body: 'c'.repeat(200) }));

    const small = site.post({ path: '/validate/one', body: 'd' });
    await site.parsing(2);
    const other = site.post({ path: '/validate/other', body: 'e'.repeat(300) });
    await site.parsing(3);

    expect(site.parsed).toEqual(['a', 'd', 'e']);
    release();
    expect(await Promise.all([...large, small, other])).toMatchObject(Array.from({ length: 5 }, () => ({ code: 200 })));
    expect(site.parsed).toEqual(['a', 'd', 'e', 'c', 'b']);
  });

  it('given a large body that does not arrive, then it is cut, and the next one is read', async () => {
    const site = await start({ limits: { smallBodyBytes: 10, largeBodies: 1, largeBodyMs: 50 } });
    const slow = await site.connect();
    slow.write('POST /validate HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\nhalf');

    expect(await site.post({ body: 'x'.repeat(100) })).toMatchObject({ code: 200 });
    if (!slow.destroyed) await once(slow.resume(), 'close');
  });

  it('given a small body that does not arrive, then it is cut', async () => {
    const site = await start({ limits: { smallBodyMs: 50 } });
    const slow = await site.connect();
    slow.write('POST /validate HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\nhalf');

    await once(slow.resume(), 'close');
    expect(site.parsed).toEqual([]);
  });

  it('given a body that had to wait, then there is as much less time for the answer', async () => {
    const site = await start();
    const release = site.holdParsing();
    const posted = site.post({ path: '/validate?timeout=10s' });
    await site.parsing(1);
    setTimeout(release, 150);

    expect(await posted).toMatchObject({ code: 200 });
    expect(site.calls[0]?.timeoutMs).toBeLessThan(9_900);
    expect(site.calls[0]?.timeoutMs).toBeGreaterThan(0);
  });

  it('given a handshake that took long, then there is as much less time for the first review on it, and not for the next', async () => {
    const site = await start();
    const slowly = connectPlain(site.port, '127.0.0.1');
    await once(slowly, 'connect');
    await sleep(150);
    const socket = await site.connect({ socket: slowly });

    for (const count of [1, 2]) {
      socket.write('POST /validate?timeout=10s HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1\r\n\r\nx');
      await site.arrived(count);
    }

    socket.destroy();
    const [first = 0, next = 0] = site.calls.map(({ timeoutMs }) => timeoutMs);
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThanOrEqual(9_850);
    expect(next).toBeGreaterThan(first);
  });

  it('given a URL that is not admitted, then it is 404 before a byte of its body is read', async () => {
    const site = await start();

    expect(await site.post({ path: '/validate/network/wrong' })).toMatchObject({ code: 404, body: 'not found\n' });
    expect(await site.post({ path: '/validate/network/right' })).toMatchObject({ code: 200 });
  });

  it.each(['/', '/healthz', '/validated', '/Validate'])('given %s, then the answer says what is posted where', async (path) => {
    const site = await start();

    expect(await site.post({ path })).toMatchObject({ code: 404, body: 'not found: reviews are posted to /validate\n' });
  });

  it('given a page beside the reviews, then a GET is answered with it, by what its login says, and no other method is', async () => {
    const site = await start({
      answerGet: ({ url, authorization }) =>
        url === '/page' ? { code: 200, contentType: 'application/json', body: JSON.stringify(authorization) } : undefined,
    });

    expect(await site.post({ method: 'GET', path: '/page', headers: { authorization: 'Bearer x' } })).toMatchObject({
      code: 200,
      body: '"Bearer x"',
    });
    expect(await site.post({ path: '/page' })).toMatchObject({ code: 404 });
    expect(await site.post({ method: 'GET', path: '/other' })).toMatchObject({ code: 404 });
  });

  it('given a call that fails for a reason nobody thought of, then its connection ends, that is told, and the next one is answered', async () => {
    const defect = new Error('nobody thought of it');
    const told: unknown[] = [];
    const site = await start({
      answerGet: () => {
        throw defect;
      },
      failed: (failure) => told.push(failure),
    });

    await expect(site.post({ method: 'GET', path: '/page' })).rejects.toThrow(/socket hang up|ECONNRESET/);

    expect(told).toEqual([defect]);
    expect(await site.post({})).toMatchObject({ code: 200 });
  });

  it('given a client that goes away while its review is judged, then judging is told', async () => {
    const site = await start();
    site.hold();
    const sent = request({ ...optionsOf(site.question({})), headers: { 'content-type': 'application/json' } });
    sent.on('error', () => undefined);
    sent.end('x');
    const signal = await site.arrived(1);

    sent.destroy();
    await once(signal, 'abort');

    expect(signal.aborted).toBe(true);
  });

  it('given a client that goes away in the middle of its body, then nothing is judged and others are served', async () => {
    const site = await start();
    const sent = request({ ...optionsOf(site.question({})), headers: { 'content-type': 'application/json', 'content-length': '100' } });
    sent.on('error', () => undefined);
    sent.write('half');
    const [socket] = (await once(sent, 'socket')) as [TLSSocket];
    await once(socket, 'secureConnect');

    sent.destroy();

    expect(await site.post({ body: 'next' })).toMatchObject({ code: 200, body: 'answer to next' });
    expect(site.calls).toHaveLength(1);
  });

  it('given clients that are slow on purpose, then their connections are closed and others are served', async () => {
    const site = await start({ limits: { requestMs: 100 } });
    const silent = connectPlain(site.port, '127.0.0.1');
    const noRequest = await site.connect();
    const halfHeader = await site.connect();
    halfHeader.write('POST /validate HTTP/1.1\r\nhost: x\r\n');
    const halfBody = await site.connect();
    halfBody.write('POST /validate HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 10\r\n\r\nhalf');

    await Promise.all([silent, noRequest, halfHeader, halfBody].map((socket: Socket) => once(socket.resume(), 'close')));

    expect(await site.post({ body: 'x' })).toMatchObject({ code: 200 });
  });

  it('given a client that speaks no TLS, then others are served', async () => {
    const site = await start();
    const socket = connectPlain(site.port, '127.0.0.1');
    socket.on('error', () => undefined);

    socket.write('GET /validate HTTP/1.1\r\n\r\n');
    await once(socket.resume(), 'close');

    expect(await site.post({ body: 'x' })).toMatchObject({ code: 200 });
  });

  it('given a client that speaks TLS and nonsense, then others are served', async () => {
    const site = await start();
    const socket = await site.connect();

    socket.write('\x00\x01\x02 nonsense\r\n\r\n');
    await once(socket.resume(), 'close');

    expect(await site.post({ body: 'x' })).toMatchObject({ code: 200 });
  });

  it('given more connections than allowed, then who has been silent for longest is closed, and who comes is served', async () => {
    const site = await start({ limits: { maxConnections: 2 } });
    const oldest = await site.connect();
    const agent = new Agent({ keepAlive: true });
    expect(await site.post({ agent })).toMatchObject({ code: 200 });

    const third = site.connect();
    await once(oldest.resume(), 'close');
    await third;

    expect(await site.post({ agent })).toMatchObject({ code: 200 });
    expect(await site.post({ body: 'fourth' })).toMatchObject({ code: 200 });
    agent.destroy();
  });

  it('given a review that is being judged, then its connection is never closed for another', async () => {
    const site = await start({ limits: { maxConnections: 1 } });
    const release = site.hold();
    const begun = site.post({ body: 'x' });
    await site.arrived(1);

    const second = connectPlain(site.port, '127.0.0.1');
    await once(second.resume(), 'close');
    release();

    expect(await begun).toMatchObject({ code: 200, body: 'answer to x' });
  });

  it('given a new certificate, then new connections see it and those that stand go on', async () => {
    const site = await start();
    const renewed = await testCertificates();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    await site.post({ agent });

    site.server.use(renewed.pair);

    expect(await site.post({ agent })).toMatchObject({ code: 200 });
    expect(await site.post({ ca: renewed.authority.certificate })).toMatchObject({ code: 200 });
    await expect(site.post({})).rejects.toThrow(/certificate/);
    agent.destroy();
  });

  it('given a stop, then a connection that is kept is not closed under its caller: it brings one more call, whose answer closes it', async () => {
    const site = await start({ limits: { lastCallsMs: 60_000 } });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    await site.post({ agent });
    const cut = new AbortController();

    const drained = site.server.drain(cut.signal);

    expect(await site.post({ agent })).toMatchObject({ code: 200, headers: { connection: 'close' } });
    cut.abort();
    await drained;
    agent.destroy();
  });

  it('given a stop, then what has begun is answered, and nothing new is taken', async () => {
    const site = await start({ limits: { lastCallsMs: 0 } });
    const release = site.hold();
    const idle = await site.connect();
    const begun = site.post({ body: 'x' });
    await site.arrived(1);

    const drained = site.server.drain(never);
    await once(idle.resume(), 'close');
    await expect(site.post({ body: 'y' })).rejects.toThrow('ECONNREFUSED');
    release();

    expect(await begun).toMatchObject({ code: 200, body: 'answer to x', headers: { connection: 'close' } });
    await drained;
  });

  it('given a stop whose time is over, then a connection that is in its TLS handshake is cut too', async () => {
    const site = await start();
    const silent = connectPlain(site.port, '127.0.0.1');
    await once(silent, 'connect');
    await site.post({ body: 'accepted after it' });

    await site.server.drain(AbortSignal.abort());

    await once(silent.resume(), 'close');
    expect(silent.destroyed).toBe(true);
  });

  it('given a stop whose time is over, then what is left is cut', async () => {
    const site = await start();
    site.hold();
    const begun = site.post({ body: 'x' });
    begun.catch(() => undefined);
    await site.arrived(1);
    const cut = new AbortController();

    const drained = site.server.drain(cut.signal);
    cut.abort();

    await drained;
    await expect(begun).rejects.toThrow(/socket hang up|ECONNRESET/);
  });

  it('given a port that is taken, then listening fails with the reason', async () => {
    const site = await start();

    await expect(new AdmissionServer({ ...site.options, port: site.port }).listen()).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('given more connections at once than Node lets wait by default, while the process is busy, then each is taken', async () => {
    const { port } = await start();
    const open = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(CONNECT_MANY, { eval: true, workerData: { port, count: BURST, open } });

    // This thread accepts nothing as long as it waits here.
    while (Atomics.load(open, 0) < BURST && Atomics.wait(open, 0, Atomics.load(open, 0), 20_000) !== 'timed-out');
    await worker.terminate();

    expect(Atomics.load(open, 0)).toBe(BURST);
  });
});

// What waits is bounded by the system, too; here is what Linux admits unless it is told otherwise.
const BURST = 700;

const CONNECT_MANY = `
  const { port, count, open } = require('node:worker_threads').workerData;
  for (let at = 0; at < count; at += 1) {
    require('node:net').connect(port, '127.0.0.1').on('error', () => {}).once('connect', () => {
      Atomics.add(open, 0, 1);
      Atomics.notify(open, 0);
    });
  }
`;

async function start(change: HeldServerChange = {}): Promise<HeldServer> {
  const site = await HeldServer.start(change);
  started.push(site);
  return site;
}
