import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { listAll, Connection, PageBuffer, type AnswerMemory } from './index.js';

const maps = { group: '', version: 'v1', resource: 'configmaps' };
const never = new AbortController().signal;
const PIECE = 'x'.repeat(64 * 1024);
const PIECES = 400;

describe('memory for an answer that is not to be had yet', () => {
  it('given a large answer, then nothing of it is taken before there is memory, its writer waits, and then all of it is there', async () => {
    const written = { pieces: 0 };
    await using kcp = await serveLarge(written);
    const connection = new Connection({ server: kcp.url });
    const memory = new LateMemory();
    const listed = listAll(connection.ownWorkspace(), maps, { buffer: memory }, { signal: never });
    await memory.begun;
    await kcp.stuck;

    expect(memory.taken).toBe(0);
    expect(written.pieces).toBeLessThan(PIECES);
    memory.give();
    expect((await listed).objects[0]?.['data']).toHaveLength(PIECES * PIECE.length);
    await connection.close();
  });

  it('given a reader that gives up meanwhile, then it is told, and the connection goes on', async () => {
    await using kcp = await serveLarge({ pieces: 0 });
    const connection = new Connection({ server: kcp.url });
    const memory = new LateMemory();
    const quitter = new AbortController();
    const listed = listAll(connection.ownWorkspace(), maps, { buffer: memory }, { signal: quitter.signal });
    await memory.begun;

    quitter.abort(new Error('no time'));

    await expect(listed).rejects.toMatchObject({ code: 'aborted' });
    memory.give();
    expect((await listAll(connection.ownWorkspace(), maps, {}, { signal: never })).objects).toHaveLength(1);
    await connection.close();
  });

  it('given an answer that is not 200, then no memory is asked for', async () => {
    const server = createServer((_, response) => response.writeHead(503).end('no')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const connection = new Connection({ server: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}` });
    const memory = new LateMemory();

    await expect(listAll(connection.ownWorkspace(), maps, { buffer: memory }, { signal: never })).rejects.toMatchObject({
      code: 'unavailable',
    });

    expect(memory.isAsked).toBe(false);
    await connection.close();
    server.close();
  });
});

/** Is there when it is given. */
class LateMemory extends PageBuffer implements AnswerMemory {
  readonly begun: Promise<void>;
  isAsked = false;
  taken = 0;
  give: () => void = () => undefined;
  #tellBegun: () => void = () => undefined;

  constructor() {
    super();
    this.begun = new Promise((resolve) => (this.#tellBegun = resolve));
  }

  begin(): Promise<void> {
    this.isAsked = true;
    this.#tellBegun();
    return new Promise((resolve) => (this.give = resolve));
  }

  override add(chunk: Uint8Array): void {
    this.taken += chunk.length;
    super.add(chunk);
  }
}

/** Writes one large object, and tells when it cannot go on. */
async function serveLarge(written: { pieces: number }) {
  let tellStuck: () => void = () => undefined;
  const stuck = new Promise<void>((resolve) => (tellStuck = resolve));
  const server = createServer((_, response) => {
    void (async () => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"apiVersion":"v1","items":[{"metadata":{"name":"a"},"data":"');
      for (written.pieces = 0; written.pieces < PIECES; written.pieces += 1) {
        if (response.write(PIECE)) continue;
        const drained = once(response, 'drain');
        const isStuck = Symbol('stuck');
        if ((await Promise.race([drained, new Promise((resolve) => setTimeout(resolve, 100, isStuck))])) === isStuck) tellStuck();
        await drained;
      }
      response.end('"}],"kind":"ConfigMapList","metadata":{"resourceVersion":"1"}}');
    })().catch(() => undefined);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    stuck,
    async [Symbol.asyncDispose](): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
