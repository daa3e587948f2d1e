import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import { EmbeddedKcp } from '../installation/embedded-kcp.js';
import { ApiClient } from '../testing/api-client.js';
import { WATCH_BACKLOG_BYTES } from './send-reply.js';

const CONFIG_MAPS = '/clusters/root/api/v1/namespaces/default/configmaps';
const EVENT_BYTES = 1_000_000;
// The kernel holds some for both ends of a connection; no default of Linux is above this.
const KERNEL_BYTES = 12 * 1024 * 1024;
// Tens of megabytes go over a socket; a busy machine takes its time.
const PATIENCE_MS = 30_000;

/** A watch on a socket of its own (every HTTP client reads ahead), which reads only when it is asked to. */
class RawWatch {
  readonly #socket: TLSSocket;
  readonly #closed: Promise<unknown>;

  private constructor(socket: TLSSocket) {
    this.#socket = socket;
    this.#closed = new Promise((resolve) => socket.once('close', resolve));
    // A connection that is cut may say so as an error; what counts is what was read.
    socket.on('error', () => undefined);
  }

  static async open(kcp: EmbeddedKcp, query: string): Promise<RawWatch> {
    const { hostname, port } = new URL(kcp.baseUrl);
    const socket = connect({ host: hostname, port: Number(port), ca: kcp.ca });
    await once(socket, 'secureConnect');
    const token = kcp.token('kcp-admin', ['system:kcp:admin']);
    socket.write(`GET ${CONFIG_MAPS}?watch=true&${query} HTTP/1.1\r\nhost: kcp\r\nauthorization: Bearer ${token}\r\n\r\n`);
    await once(socket, 'readable');
    return new RawWatch(socket);
  }

  /** Reads until it has enough or the connection ends, and closes it. Answers how many bytes there were. */
  async read(enough = Number.POSITIVE_INFINITY): Promise<number> {
    let bytes = 0;
    this.#socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes >= enough) this.#socket.destroy();
    });
    await this.#closed;
    return bytes;
  }
}

describe('a watch whose reader does not keep up', () => {
  let kcp: EmbeddedKcp;
  let admin: ApiClient;
  beforeAll(async () => {
    kcp = await EmbeddedKcp.start({ delays: 'fast' });
    admin = new ApiClient(kcp, 'kcp-admin', ['system:kcp:admin']);
  });
  afterAll(async () => {
    await admin.close();
    await kcp.stop();
  });

  const create = async (count: number, label: string): Promise<void> => {
    for (let index = 0; index < count; index += 1) {
      const object = { metadata: { name: `${label}-${index}`, labels: { [label]: '' } }, data: { payload: 'x'.repeat(EVENT_BYTES) } };
      expect((await admin.send('POST', `${kcp.baseUrl}${CONFIG_MAPS}`, object)).status).toBe(201);
    }
  };

  it(
    'given more unread than the bound, when it reads on, then it was cut and the rest is lost',
    async () => {
      const events = Math.ceil((WATCH_BACKLOG_BYTES + KERNEL_BYTES) / EVENT_BYTES) + 1;
      const watch = await RawWatch.open(kcp, 'labelSelector=more');

      await create(events, 'more');

      expect(await watch.read()).toBeLessThan(events * EVENT_BYTES);
    },
    PATIENCE_MS,
  );

  it(
    'given less unread than the bound, when it reads on, then every event is there',
    async () => {
      const events = Math.floor(WATCH_BACKLOG_BYTES / EVENT_BYTES) - 1;
      const watch = await RawWatch.open(kcp, 'labelSelector=less');

      await create(events, 'less');

      expect(await watch.read(events * EVENT_BYTES)).toBeGreaterThanOrEqual(events * EVENT_BYTES);
    },
    PATIENCE_MS,
  );

  it(
    'given a first state larger than the bound, then all of it is told',
    async () => {
      const objects = Math.ceil((2 * WATCH_BACKLOG_BYTES) / EVENT_BYTES);
      await create(objects, 'first');

      const watch = await RawWatch.open(kcp, 'labelSelector=first&resourceVersion=0');

      expect(await watch.read(objects * EVENT_BYTES)).toBeGreaterThanOrEqual(objects * EVENT_BYTES);
    },
    PATIENCE_MS,
  );
});
