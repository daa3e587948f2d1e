import type { RequestListener, ServerResponse } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { nextBreathMs } from './gulps.js';
import { Connection, KcpError } from '../index.js';
import { SpecAuthority } from '../spec-support/certificates.js';
import { serve } from '../spec-support/serve.js';

const PIECE_BYTES = 4_096;
/** Connections of a pool. */
const PLACES = 10;
const maps = { group: '', version: 'v1', resource: 'configmaps' };
const ref = { namespace: 'default', name: 'a' };
const never = new AbortController().signal;

describe('a large answer, written in small pieces', () => {
  it.each([1, 15, 16, 17, 40, 800])('given %d pieces of 4 KB, then every byte is there, in order', async (pieces) => {
    const authority = await SpecAuthority.create();
    await using kcp = await serve(inPieces(pieces), await authority.issue('127.0.0.1'));
    const connection = new Connection({ server: kcp.url, credentials: { ca: authority.pem } });

    const object = await connection.ownWorkspace().get(maps, ref, { signal: never });
    await connection.close();

    expect(object['data']).toBe(dataOf(pieces));
  });

  it('given one after the other, then they share a connection, and small answers in between are not held up', async () => {
    const sockets = new Set<unknown>();
    let asked = 0;
    await using kcp = await serve((request, response) => {
      sockets.add(request.socket);
      inPieces(asked++ % 2 === 0 ? 60 : 1)(request, response);
    });
    const connection = new Connection({ server: kcp.url });

    const lengths: number[] = [];
    for (let turn = 0; turn < 10; turn += 1) {
      const { data } = await connection.ownWorkspace().get(maps, ref, { signal: never });
      lengths.push(String(data).length / PIECE_BYTES);
    }
    await connection.close();

    expect(lengths).toEqual([60, 1, 60, 1, 60, 1, 60, 1, 60, 1]);
    // A connection is free again a turn after its answer ended, so the next question may open a second one; a third is never needed.
    expect(sockets.size).toBeLessThanOrEqual(2);
  });

  it('given a connection that breaks in the middle, then the answer is a failure', async () => {
    await using kcp = await serve(inPieces(100, (response) => response.socket?.resetAndDestroy()));

    const connection = new Connection({ server: kcp.url });

    await expect(failureOf(connection)).resolves.toMatchObject({ code: 'unreachable' });
    await connection.close();
  });

  it('given a writer that stops in the middle, then the error says how much came', async () => {
    await using kcp = await serve(inPieces(100, () => undefined));
    const connection = new Connection({ server: kcp.url, requestTimeoutMs: 300 });

    await expect(failureOf(connection)).resolves.toMatchObject({ code: 'timeout', message: expect.stringMatching(/only \d+ bytes/) });
    await connection.close();
  });

  it('given a reader that gives up in the middle, then others go on', async () => {
    const stop = new AbortController();
    let isFirst = true;
    await using kcp = await serve((request, response) => {
      inPieces(100, isFirst ? () => stop.abort() : undefined)(request, response);
      isFirst = false;
    });
    const connection = new Connection({ server: kcp.url });

    await expect(failureOf(connection, stop.signal)).resolves.toMatchObject({ code: 'aborted' });
    const object = await connection.ownWorkspace().get(maps, ref, { signal: never });
    await connection.close();

    expect(object['data']).toBe(dataOf(100));
  });
});

describe('the pause after a gulp', () => {
  it.each([
    { of: 'little', ms: 2, KiB: 10, next: 4 },
    { of: 'little after the longest pause', ms: 8, KiB: 10, next: 8 },
    { of: 'enough', ms: 4, KiB: 100, next: 4 },
    { of: 'much', ms: 4, KiB: 400, next: 2 },
    { of: 'much after the shortest pause', ms: 1, KiB: 400, next: 1 },
  ])('given $of, then it is $next ms', ({ ms, KiB, next }) => {
    expect(nextBreathMs(ms, KiB * 1024)).toBe(next);
  });
});

describe('connections that break in the middle of large answers', () => {
  it.each([
    { of: 'a server that keeps connections', head: 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked' },
    { of: 'a server that shuts down', head: 'HTTP/1.1 200 OK\r\nconnection: close\r\ntransfer-encoding: chunked' },
    { of: 'a server that shuts down and tells the length', head: 'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 900000' },
    { of: 'a server whose answers end with the connection', head: 'HTTP/1.0 200 OK', code: 'invalid-response' },
  ])(
    'given more of them than the pool has places, of $of, then all are failures, and the next answer is whole',
    async ({ head, code = 'unreachable' }) => {
      await using kcp = await breaking(head, { times: PLACES + 2 });
      const connection = new Connection({ server: kcp.url, requestTimeoutMs: 20_000 });

      for (let turn = 0; turn < PLACES + 2; turn += 1) expect((await failureOf(connection)).code).toBe(code);
      const object = await connection.ownWorkspace().get(maps, ref, { signal: never });
      await connection.close();

      expect(object.metadata.name).toBe('a');
    },
  );
});

/** Breaks its first connections, each in the middle of an answer; answers well after that. */
async function breaking(head: string, { times }: { readonly times: number }): Promise<{ url: string } & AsyncDisposable> {
  const good = '{"kind":"ConfigMap","metadata":{"name":"a"}}';
  const chunk = `2bc\r\n${'x'.repeat(0x2bc)}\r\n`;
  let broken = 0;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      if (broken++ >= times) {
        socket.end(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${String(good.length)}\r\n\r\n${good}`);
        return;
      }
      void (async () => {
        socket.write(`${head}\r\ncontent-type: application/json\r\n\r\n`);
        for (let piece = 0; piece < 150 + broken; piece += 1) {
          socket.write(chunk);
          await nextTurn();
        }
        socket.resetAndDestroy();
      })();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Writes an object piece by piece, each in a turn of its own; `midway` happens instead of the second half. */
function inPieces(pieces: number, midway?: (response: ServerResponse) => void): RequestListener {
  return (_, response) => {
    response.socket?.setNoDelay(true);
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"kind":"ConfigMap","metadata":{"name":"a"},"data":"');
    void (async () => {
      for (let piece = 0; piece < pieces; piece += 1) {
        if (midway !== undefined && piece === pieces / 2) {
          midway(response);
          return;
        }
        response.write(pieceOf(piece));
        await nextTurn();
      }
      response.end('"}');
    })();
  };
}

function dataOf(pieces: number): string {
  return Array.from({ length: pieces }, (_, piece) => pieceOf(piece)).join('');
}

function pieceOf(piece: number): string {
  return `piece ${String(piece)} `.padEnd(PIECE_BYTES, '.');
}

async function failureOf(connection: Connection, signal = never): Promise<KcpError> {
  try {
    await connection.ownWorkspace().get(maps, ref, { signal });
  } catch (failure) {
    if (failure instanceof KcpError) return failure;
    throw failure;
  }
  throw new Error('the answer was taken for whole');
}
