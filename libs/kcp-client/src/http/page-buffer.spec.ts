import type { RequestListener } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { PageBuffer, type ClusterClient, type ListQuery } from '../index.js';
import { Script, vpc, vpcList } from '../spec-support/script.js';
import { json } from '../spec-support/serve.js';
import { withClient } from '../spec-support/with-client.js';

const vpcs = { group: 'network.example.com', version: 'v1', resource: 'vpcs' };
const signal = new AbortController().signal;

describe(PageBuffer, () => {
  it('given chunks of any size, then they are in one piece, in order, also where the memory had to grow', () => {
    const buffer = new PageBuffer();
    const chunks = [0, 1, 3, 300_000, 5, 900_000, 70_000].map((length, index) => Buffer.alloc(length, index));

    for (const chunk of chunks) buffer.add(chunk);

    expect(buffer.bytes.equals(Buffer.concat(chunks))).toBe(true);
  });

  it('given a chunk that is overwritten later, then what was added stays', () => {
    const buffer = new PageBuffer();
    const chunk = Buffer.from('first');

    buffer.add(chunk);
    chunk.fill('x');

    expect(buffer.bytes.toString()).toBe('first');
  });

  it('given it is cleared, then nothing of the longer page before shows', () => {
    const buffer = new PageBuffer();
    buffer.add(Buffer.from('a long page'));

    buffer.clear();
    expect(buffer.bytes).toHaveLength(0);
    buffer.add(Buffer.from('short'));

    expect(buffer.bytes.toString()).toBe('short');
  });
});

describe('a list whose pages share a buffer', () => {
  it('given a long page, a short one and a long one, then each is whole while it is there', async () => {
    const bodies = [many(900, 'x', 't1'), many(2, 'y', 't2'), many(1_100, 'z')];
    const script = new Script(
      bodies.map((body) => json(200, body)),
      [],
    );
    const seen: { bytes: string; names: number }[] = [];

    await withClient(script.listener, async (client) => {
      for await (const page of client.list(vpcs, { buffer: new PageBuffer() }, { signal })) {
        seen.push({ bytes: page.bytes.toString(), names: page.objects().length });
      }
    });

    expect(seen).toEqual(bodies.map((body) => ({ bytes: JSON.stringify(body), names: body.items.length })));
  });

  it('given a page that is larger than allowed, then it fails, and a list of smaller pages can use the buffer', async () => {
    const script = new Script([json(200, many(900, 'x')), json(200, many(2, 'y'))], []);
    const buffer = new PageBuffer();

    const names = await withClient(script.listener, async (client) => {
      await expect(namesOf(client, { buffer, maxPageBytes: 10_000 })).rejects.toMatchObject({ code: 'too-large' });
      return namesOf(client, { buffer });
    });

    expect(names).toEqual(['y0', 'y1']);
  });

  it('given a page that breaks off, then it fails, and nothing of it shows on the page that is asked for next', async () => {
    const whole = JSON.stringify(many(2, 'y'));
    let asked = 0;
    const listener: RequestListener = (_, response) => {
      asked += 1;
      response.writeHead(200, { 'content-type': 'application/json' });
      if (asked === 2) response.end(whole);
      else response.write(JSON.stringify(many(500, 'x')).slice(0, -1_000), () => response.socket?.resetAndDestroy());
    };
    const buffer = new PageBuffer();

    const names = await withClient(listener, async (client) => {
      await expect(namesOf(client, { buffer })).rejects.toMatchObject({ code: 'unreachable' });
      return namesOf(client, { buffer });
    });

    expect(names).toEqual(['y0', 'y1']);
  });

  it('given a reader that gives up in the middle, then what still comes does not reach the next page', async () => {
    const stop = new AbortController();
    const piece = 'x'.repeat(4_096);
    let asked = 0;
    const listener: RequestListener = (_, response) => {
      asked += 1;
      if (asked === 2) {
        json(200, many(800, 'y'))(_, response);
        return;
      }
      void (async () => {
        response.on('error', () => undefined);
        response.writeHead(200, { 'content-type': 'application/json' });
        for (let turn = 0; turn < 400 && !response.destroyed; turn += 1) {
          if (turn === 40) stop.abort();
          response.write(piece);
          await nextTurn();
        }
        response.destroy();
      })();
    };
    const buffer = new PageBuffer();

    const names = await withClient(listener, async (client) => {
      await expect(namesOf(client, { buffer }, stop.signal)).rejects.toMatchObject({ code: 'aborted' });
      return namesOf(client, { buffer });
    });

    expect(names).toHaveLength(800);
  });
});

function many(count: number, prefix: string, token?: string): { readonly items: readonly object[] } {
  const items = Array.from({ length: count }, (_, index) => vpc(`${prefix}${String(index)}`, String(index + 1)));
  return vpcList('7', items, token) as { readonly items: readonly object[] };
}

async function namesOf(client: ClusterClient, query: ListQuery, until = signal): Promise<readonly unknown[]> {
  const names: unknown[] = [];
  for await (const page of client.list(vpcs, query, { signal: until })) names.push(...page.objects().map(({ metadata }) => metadata.name));
  return names;
}
