import { describe, expect, it } from '@jest/globals';
import { JsonProjection } from '@dep-ctrl/fieldpath';
import type { ListPage } from '@dep-ctrl/kcp-client';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { objectsPages, type ObjectPieces } from './objects-page.js';

const PARTS = new JsonProjection([
  ['metadata', 'name'],
  ['spec', 'vpc'],
]);
const named = (name: string, vpc: string): object => ({ metadata: { name }, spec: { vpc } });

describe(objectsPages, () => {
  it('given a page that kcp wrote, then only the objects that may hold the name are told, and the rest is not parsed', async () => {
    const [holding] = await told([{ items: [named('a', 'v'), named('b', 'w'), named('c', 'v')] }], 'v');

    expect(holding).toEqual({ names: ['a', 'c'], isParsedWhole: false });
  });

  it('given a page on which the name does not stand, then nobody holds it', async () => {
    const [holding] = await told([{ items: [named('a', 'w')] }], 'v');

    expect(holding).toEqual({ names: [], isParsedWhole: false });
  });

  it('given the name in the metadata of the list only, then nobody holds it', async () => {
    const [holding] = await told([{ items: [named('a', 'w')], metadata: { continue: 'v' } }], 'v');

    expect(holding).toEqual({ names: [], isParsedWhole: false });
  });

  it('given the name in an object within an object, then it is the outer one that holds it', async () => {
    const inner = { apiVersion: 'v1', kind: 'Vm', metadata: { name: 'inner' }, spec: { vpc: 'v' } };
    const [holding] = await told([{ items: [{ metadata: { name: 'outer' }, spec: { template: inner } }] }], 'v');

    expect(holding).toEqual({ names: ['outer'], isParsedWhole: false });
  });

  it.each([
    { given: 'two arrays of items', text: '{"items":[],"items":[{"metadata":{"name":"a"},"spec":"v"}]}' },
    { given: 'a key in escapes', text: '{"items":[],"item\\u0073":[{"metadata":{"name":"a"},"spec":"v"}]}' },
  ])('given $given, then the page is parsed whole', async ({ text }) => {
    const [holding] = await told([text], 'v');

    expect(holding).toEqual({ names: ['a'], isParsedWhole: true });
  });

  it.each([
    { given: 'an item that is no object', text: '{"items":["v"]}' },
    { given: 'an item without metadata', text: '{"items":[{"spec":"v"}]}' },
    { given: 'an item that is no JSON', text: '{"items":[{"metadata":{},"spec":"v",}]}' },
    { given: 'a page that is cut', text: '{"items":[{"metadata":{},"spec":"v"}' },
  ])('given $given, then asking fails', async ({ text }) => {
    await expect(told([text], 'v')).rejects.toThrow('unreadable');
  });

  it('given several who ask, then an object that two of them hold is parsed once', async () => {
    for await (const page of objectsPages(pagesOf([{ items: [{ metadata: { name: 'a' }, spec: ['v', 'w'] }] }]))) {
      expect(objectsOf(page.holding('v', PARTS))[0]).toBe(objectsOf(page.holding('w', PARTS))[0]);
    }
  });

  it('given a large object, then others may go on while it is read, and what is not asked for is left out', async () => {
    const large = { metadata: { name: 'a', labels: { x: 'y' } }, spec: { vpc: 'v', filler: Array.from({ length: 100_000 }, () => []) } };
    const pages = objectsPages(pagesOf([{ items: [named('b', 'v'), large] }]));
    const page = (await pages.next()).value;
    if (page === undefined) throw new Error('there is a page');

    const pieces = [...page.holding('v', PARTS)];

    expect(pieces.length).toBeGreaterThan(10);
    expect(pieces.filter((each) => each !== undefined)).toEqual([named('b', 'v'), named('a', 'v')]);
    expect(objectsOf(page.holding('v', new JsonProjection([['metadata', 'labels', 'x']])))[1]).toEqual({
      metadata: { labels: { x: 'y' } },
    });
  });

  it('given all objects of a page, then they come in order', async () => {
    for await (const page of objectsPages(pagesOf([{ items: [named('a', 'v'), named('b', 'w')] }]))) {
      expect(objectsOf(page.all(PARTS))).toEqual([named('a', 'v'), named('b', 'w')]);
    }
  });

  it('given a page that ends while somebody goes through it, then it is an error and no answer', async () => {
    const pages = objectsPages(pagesOf([{ items: [named('a', 'v'), named('b', 'v')] }, { items: [] }]));
    const pieces = (await pages.next()).value?.holding('v', PARTS);
    pieces?.next();
    await pages.next();

    expect(() => pieces?.next()).toThrow('after the next one was read');
  });

  it('given a page that is asked after the next one was read, then it is an error and no answer', async () => {
    const pages = objectsPages(pagesOf([{ items: [named('a', 'v')] }, { items: [] }]));
    const first = await pages.next();
    await pages.next();

    expect(() => first.value?.holding('v', PARTS).next()).toThrow('after the next one was read');
  });
});

async function told(pages: readonly (object | string)[], name: string): Promise<readonly { names: unknown[]; isParsedWhole: boolean }[]> {
  const answers: { names: unknown[]; isParsedWhole: boolean }[] = [];
  let wholes = 0;
  for await (const page of objectsPages(pagesOf(pages, () => (wholes += 1)))) {
    const names = objectsOf(page.holding(name, PARTS)).map(({ metadata }) => metadata.name);
    answers.push({ names, isParsedWhole: wholes > 0 });
  }
  return answers;
}

function objectsOf(pieces: ObjectPieces): readonly KubeObject[] {
  return [...pieces].filter((each) => each !== undefined);
}

// Asynchronous as lists are.
async function* pagesOf(pages: readonly (object | string)[], onWhole: () => void = () => undefined): AsyncGenerator<ListPage> {
  for (const [index, page] of pages.entries()) {
    const bytes = Buffer.from(typeof page === 'string' ? page : JSON.stringify(page));
    const objects = (): readonly KubeObject[] => {
      onWhole();
      return parsed(bytes);
    };
    const objectsBy = (): Promise<readonly KubeObject[]> => Promise.resolve(objects());
    yield await Promise.resolve({ bytes, objects, objectsBy, resourceVersion: '1', last: index === pages.length - 1, restarted: false });
  }
}

/** As the pages of the client do. */
function parsed(bytes: Buffer): readonly KubeObject[] {
  try {
    const { items } = JSON.parse(bytes.toString()) as { items: readonly KubeObject[] };
    for (const { metadata } of items) Object.keys(metadata);
    return items;
  } catch (cause) {
    throw new Error('unreadable', { cause });
  }
}
