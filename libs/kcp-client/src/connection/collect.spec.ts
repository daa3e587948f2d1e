import type { RequestListener } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { collect } from '../index.js';
import { serve } from '../spec-support/serve.js';
import { Connection } from './connection.js';

const VPCS = { group: 'network.example.com', version: 'v1', resource: 'vpcs' };
const MIB = 1024 * 1024;
const signal = new AbortController().signal;

describe(collect, () => {
  it('given objects of a megabyte each, then all are looked at, no answer of more than 4 MiB is taken, and only what was wanted is kept', async () => {
    const asked: number[] = [];
    await using kcp = await serve(largeObjects(20, MIB, asked));
    const connection = new Connection({ server: kcp.url });
    let looked = 0;
    const take = ({ metadata: { name } }: { readonly metadata: { readonly name?: string } }): string | undefined => {
      looked += 1;
      return name === 'vpc-3' || name === 'vpc-17' ? name : undefined;
    };

    const taken = await collect(connection.ownWorkspace(), VPCS, { take, signal });

    await connection.close();
    expect([taken, looked]).toEqual([['vpc-3', 'vpc-17'], 20]);
    const firstThatFits = asked.findIndex((limit) => limit < 4);
    expect(asked.slice(firstThatFits).every((limit) => limit < 4)).toBe(true);
  });

  it('given a list that is larger than wanted, then it is too large, whatever was taken of it', async () => {
    await using kcp = await serve(largeObjects(20, MIB, []));
    const connection = new Connection({ server: kcp.url });

    const collected = collect(connection.ownWorkspace(), VPCS, { take: () => 'any', maxBytes: 10 * MIB, signal });

    await expect(collected).rejects.toMatchObject({ code: 'too-large' });
    await connection.close();
  });

  it('given a parser for what is large, then it parses large pages, and what it leaves out is not looked at; small ones are parsed at once', async () => {
    const parsed: number[] = [];
    const parseLarge = (json: Buffer): Promise<unknown> => {
      parsed.push(json.length);
      return Promise.resolve({ items: [{ metadata: { name: 'by-the-parser' } }] });
    };
    const take = ({ metadata: { name } }: { readonly metadata: { readonly name?: string } }) => name;
    await using large = await serve(largeObjects(1, 64 * 1024, []));
    await using small = await serve(largeObjects(1, 1, []));
    const connections = [large, small].map(({ url }) => new Connection({ server: url }));

    const taken = await Promise.all(connections.map((each) => collect(each.ownWorkspace(), VPCS, { take, parseLarge, signal })));

    await Promise.all(connections.map((each) => each.close()));
    expect([taken, parsed.length]).toEqual([[['by-the-parser'], ['vpc-0']], 1]);
  });

  it('given one object that is larger than a page, then it is too large', async () => {
    await using kcp = await serve(largeObjects(2, 2 * MIB, []));
    const connection = new Connection({ server: kcp.url });

    const collected = collect(connection.ownWorkspace(), VPCS, { take: () => 'any', maxPageBytes: MIB, signal });

    await expect(collected).rejects.toMatchObject({ code: 'too-large' });
    await connection.close();
  });
});

/** Serves so many objects, in pages as they are asked for. */
function largeObjects(count: number, bytes: number, asked: number[]): RequestListener {
  const text = 'x'.repeat(bytes);
  return (request, response) => {
    const query = new URL(request.url ?? '', 'http://kcp').searchParams;
    const limit = Number(query.get('limit'));
    const from = Number(query.get('continue') ?? 0);
    asked.push(limit);
    const items = Array.from({ length: Math.min(limit, count - from) }, (_, at) => ({ metadata: { name: `vpc-${from + at}` }, text }));
    const next = from + items.length < count ? { continue: String(from + items.length) } : {};
    const body = { apiVersion: 'network.example.com/v1', kind: 'VpcList', metadata: { resourceVersion: '7', ...next }, items };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
}
