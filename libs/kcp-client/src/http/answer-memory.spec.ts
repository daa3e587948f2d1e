import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { listAll, Connection, PageBuffer, type AnswerMemory } from '../index.js';

const maps = { group: '', version: 'v1', resource: 'configmaps' };
const never = new AbortController().signal;
const PIECE = 'x'.repeat(64 * 1024);
const PIECES = 400;
/** Beyond it, pauses of gulps meet the wait for memory. */
const LITTLE = 200 * 1024;
// What has arrived with the last chunk may still come.
const MOST_TAKEN = LITTLE + 512 * 1024;

describe('memory for an answer that is not to be had yet', () => {
  it('given a large answer, then no more of it is taken before there is memory, its writer waits, and then all of it is there', async () => {
    const written = { pieces: 0 };
    await using kcp = await serveLarge(written);
    const connection = new Connection({ server: kcp.url });
    const memory = new LateMemory();
    const listed = listAll(connection.ownWorkspace(), maps, { buffer: memory }, { signal: never });
    await memory.begun;
    await kcp.stuck;

    expect(memory.taken).toBeLessThan(MOST_TAKEN);
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
});

/** From a little on it is there only when it is given. */
class LateMemory implements AnswerMemory {
  readonly begun: Promise<void>;
  readonly #buffer = new PageBuffer();
  #given: Promise<void> | undefined;
  give: () => void = () => undefined;
  #tellBegun: () => void = () => undefined;

  constructor() {
    this.begun = new Promise((resolve) => (this.#tellBegun = resolve));
  }

  get bytes(): Buffer {
    return this.#buffer.bytes;
  }

  get taken(): number {
    return this.bytes.length;
  }

  clear(): void {
    this.#buffer.clear();
  }

  add(chunk: Uint8Array): Promise<void> | undefined {
    this.#buffer.add(chunk);
    if (this.taken < LITTLE || this.#given !== undefined) return undefined;
    this.#given = new Promise((resolve) => (this.give = resolve));
    this.#tellBegun();
    return this.#given;
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
