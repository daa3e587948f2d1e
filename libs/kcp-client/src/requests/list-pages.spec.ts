import { describe, expect, it } from '@jest/globals';
import { isKcpError, listAll, type ClusterClient, type ListPage, type ListQuery } from '../index.js';
import { Script, vpc, vpcList, type Act } from '../spec-support/script.js';
import { json, text } from '../spec-support/serve.js';
import { withClient } from '../spec-support/with-client.js';

const vpcs = { group: 'network.example.com', version: 'v1', resource: 'vpcs' };
const signal = new AbortController().signal;
const expired = json(410, { kind: 'Status', status: 'Failure', reason: 'Expired', code: 410 });

describe('a list', () => {
  it('given pages, then they are asked for one after the other, with their bytes as they came', async () => {
    const body = vpcList('7', [vpc('a', '1')], 'next');
    const script = new Script([json(200, body), json(200, vpcList('7', [vpc('b', '2')]))], []);

    const pages = await withClient(script.listener, (client) => collect(client, { namespace: 'n', labelSelector: 'x=y', limit: 1 }));

    expect(pages.map((page) => page.objects().map(({ metadata }) => metadata.name))).toEqual([['a'], ['b']]);
    expect(pages.map(({ last, resourceVersion, restarted }) => ({ last, resourceVersion, restarted }))).toEqual([
      { last: false, resourceVersion: '7', restarted: false },
      { last: true, resourceVersion: '7', restarted: false },
    ]);
    expect(pages[0]?.bytes.toString()).toBe(JSON.stringify(body));
    expect(script.lists.map(String)).toEqual(['limit=1&labelSelector=x%3Dy', 'limit=1&continue=next&labelSelector=x%3Dy']);
  });

  it('given a token that expired, then it fails, or restarts where asked, and says so', async () => {
    const acts = [json(200, vpcList('7', [vpc('a', '1')], 'next')), expired, json(200, vpcList('9', [vpc('b', '8')]))];

    const restarted = await withClient(new Script(acts, []).listener, (client) => collect(client, { onExpired: 'restart' }));
    const failed = withClient(new Script(acts, []).listener, (client) => collect(client, {}));

    expect(restarted.map((page) => [page.restarted, page.last, page.resourceVersion])).toEqual([
      [false, false, '7'],
      [true, true, '9'],
    ]);
    await expect(failed).rejects.toMatchObject({ code: 'expired' });
  });

  it('given a server that lets every token expire, then it gives up', async () => {
    const acts: Act[] = Array.from({ length: 20 }, (_, turn) => (turn % 2 === 0 ? json(200, vpcList('7', [], 'next')) : expired));
    const script = new Script(acts, []);

    await expect(withClient(script.listener, (client) => collect(client, { onExpired: 'restart' }))).rejects.toMatchObject({
      code: 'expired',
    });
    expect(script.lists).toHaveLength(8);
  });

  it('given a page that points to itself, then the list ends with an error instead of never', async () => {
    const script = new Script([json(200, vpcList('7', [], 'same'))], []);

    await expect(withClient(script.listener, (client) => collect(client, {}))).rejects.toMatchObject({
      code: 'invalid-response',
      message: expect.stringContaining('does not move on'),
    });
  });

  it('given empty pages that never end, then the list ends with an error long before the byte cap', async () => {
    let page = 0;
    const endless: Act = (request, response) => {
      page += 1;
      json(200, vpcList('7', [], `t${String(page)}`))(request, response);
    };

    await expect(withClient(new Script([endless], []).listener, (client) => collect(client, {}))).rejects.toMatchObject({
      code: 'invalid-response',
      message: expect.stringContaining('101 pages in a row hold nothing'),
    });
  });

  it('given some empty pages between full ones, then all objects are listed', async () => {
    const acts = Array.from({ length: 30 }, (_, index) =>
      json(200, vpcList('7', index % 10 === 9 ? [vpc(`v${String(index)}`, '1')] : [], `t${String(index)}`)),
    );
    const script = new Script([...acts, json(200, vpcList('7', []))], []);

    const pages = await withClient(script.listener, (client) => collect(client, {}));

    expect(pages.flatMap((each) => each.objects())).toHaveLength(3);
  });

  it('given a page that is too large, then fewer are asked for until it fits, more again after it, and nothing is missed', async () => {
    const names = Array.from({ length: 40 }, (_, index) => (index < 8 ? `${'x'.repeat(1_000)}${String(index)}` : `v${String(index)}`));
    const asked: number[] = [];
    const paged: Act = (request, response) => {
      const query = new URL(request.url ?? '', 'https://kcp').searchParams;
      const limit = Number(query.get('limit'));
      const from = Number(query.get('continue') ?? 0);
      asked.push(limit);
      const items = names.slice(from, from + limit).map((name) => vpc(name, '1'));
      json(200, vpcList('7', items, from + limit < names.length ? String(from + limit) : ''))(request, response);
    };

    const fitting: number[] = [];

    const pages = await withClient(new Script([paged], []).listener, (client) =>
      collect(client, { limit: 16, maxPageBytes: 5_000, onTooLarge: 'shrink', onShrunk: (limit) => fitting.push(limit) }),
    );

    expect(pages.flatMap((each) => each.objects()).map(({ metadata }) => metadata.name)).toEqual(names);
    expect(asked.slice(0, 3)).toEqual([16, 1, 2]);
    expect(asked.at(-1)).toBe(16);
    expect(fitting).toEqual(asked.slice(2, asked.indexOf(16, 1) + 1));
  });

  it('given one object that is too large, then the list fails with that', async () => {
    const script = new Script([json(200, vpcList('7', [vpc('x'.repeat(6_000), '1')]))], []);

    await expect(
      withClient(script.listener, (client) => collect(client, { limit: 16, maxPageBytes: 5_000, onTooLarge: 'shrink' })),
    ).rejects.toMatchObject({ code: 'too-large' });
  });

  it.each([
    { onTimeout: 'shrink', expected: ['16', '1', '4'] },
    { onTimeout: 'fail', expected: ['16'] },
  ] as const)(
    'given a page that kcp does not make ready in time, and $onTimeout, then it is asked for $expected',
    async ({ onTimeout, expected }) => {
      const asked: string[] = [];
      const slow: Act = (request, response) => {
        const limit = new URL(request.url ?? '', 'http://kcp').searchParams.get('limit') ?? '';
        asked.push(limit);
        if (Number(limit) > 4) return;
        json(200, vpcList('7', [vpc('x', '1')], asked.length < expected.length ? `t${String(asked.length)}` : ''))(request, response);
      };

      const listed = await withClient(new Script([slow], []).listener, (client) =>
        collect(client, { limit: 16, timeoutMs: 300, onTimeout }).then(
          (pages) => pages.length,
          (error: unknown) => (isKcpError(error) ? error.code : error),
        ),
      );

      expect(asked).toEqual(expected);
      expect(listed).toBe(onTimeout === 'fail' ? 'timeout' : 2);
    },
  );

  it('given pages that never end, then the byte cap ends them', async () => {
    let page = 0;
    const endless: Act = (request, response) => {
      page += 1;
      json(200, vpcList('7', [vpc('x'.repeat(1_000), '1')], `t${String(page)}`))(request, response);
    };

    await expect(withClient(new Script([endless], []).listener, (client) => collect(client, { maxBytes: 10_000 }))).rejects.toMatchObject({
      code: 'too-large',
    });
    expect(page).toBeLessThan(12);
  });

  it.each([
    ['a Status', json(200, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' })],
    ['one object', json(200, vpc('a', '1'))],
    [
      'half a list',
      (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"apiVersion":"a/v1","items":[]'),
    ],
    ['text', text(200, 'ok')],
    ['nothing', (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end()],
  ])('given %s instead of a list, then it is never taken for an empty one', async (_, act) => {
    await expect(withClient(new Script([act], []).listener, (client) => collect(client, {}))).rejects.toMatchObject({
      code: 'invalid-response',
    });
  });

  it('given an item that is no object, then parsing says which', async () => {
    const pages = await withClient(new Script([json(200, vpcList('7', [vpc('a', '1'), {}]))], []).listener, (client) =>
      collect(client, {}),
    );

    expect(() => pages[0]?.objects()).toThrow('item 1 of the list is no Kubernetes object');
  });

  it('given items of a typed list, then they say what they are, so that they can be written back', async () => {
    const list = { kind: 'SecretList', apiVersion: 'v1', metadata: { resourceVersion: '7' }, items: [{ metadata: { name: 'a' } }] };

    const whole = await withClient(new Script([json(200, list)], []).listener, (client) => listAll(client, vpcs, {}, { signal }));

    expect(whole).toEqual({ resourceVersion: '7', objects: [{ kind: 'Secret', apiVersion: 'v1', metadata: { name: 'a' } }] });
  });

  it('given metadata only, then the request asks for that', async () => {
    const accepts: unknown[] = [];
    const act: Act = (request, response) => {
      accepts.push(request.headers.accept);
      json(200, { kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1', metadata: { resourceVersion: '7' }, items: [] })(
        request,
        response,
      );
    };

    await withClient(new Script([act], []).listener, (client) => collect(client, { as: 'metadata' }));

    expect(accepts).toEqual(['application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io']);
  });
});

describe('a table', () => {
  const columnDefinitions = [
    { name: 'Name', type: 'string' },
    { name: 'VPC', type: 'string' },
  ];
  const table = (rows: readonly object[]): object => ({
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: { resourceVersion: '7' },
    columnDefinitions,
    rows,
  });

  it('given rows, then their cells come in the order of the columns', async () => {
    const script = new Script([json(200, table([{ cells: ['a', 'v'], object: null }, { cells: ['b', null] }]))], []);

    const tables = await withClient(script.listener, async (client) =>
      (await all(client.listTable(vpcs, {}, { signal }))).map((page) => page.table()),
    );

    expect(tables).toEqual([{ columns: columnDefinitions, rows: [{ cells: ['a', 'v'] }, { cells: ['b', null] }] }]);
    expect(script.lists[0]?.get('includeObject')).toBe('None');
  });

  it('given a row with too few cells, then parsing says so', async () => {
    const script = new Script([json(200, table([{ cells: ['a'] }]))], []);

    const [page] = await withClient(script.listener, (client) => all(client.listTable(vpcs, {}, { signal })));

    expect(() => page?.table()).toThrow('row 0 of the table has not the 2 cells');
  });

  it('given a list although a table was asked for, then it is refused', async () => {
    const asked = withClient(new Script([json(200, vpcList('7', []))], []).listener, (client) =>
      all(client.listTable(vpcs, {}, { signal })),
    );

    await expect(asked).rejects.toMatchObject({ code: 'invalid-response' });
  });
});

function collect(client: ClusterClient, query: ListQuery): Promise<ListPage[]> {
  return all(client.list(vpcs, query, { signal }));
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const read: T[] = [];
  for await (const item of items) read.push(item);
  return read;
}
