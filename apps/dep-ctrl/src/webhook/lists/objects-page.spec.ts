import { describe, expect, it } from '@jest/globals';
import type { ListPage } from '@dep-ctrl/kcp-client';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { objectsPages } from './objects-page.js';

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
      expect(page.holding('v')[0]).toBe(page.holding('w')[0]);
    }
  });

  it('given a page that is asked after the next one was read, then it is an error and no answer', async () => {
    const pages = objectsPages(pagesOf([{ items: [named('a', 'v')] }, { items: [] }]));
    const first = await pages.next();
    await pages.next();

    expect(() => first.value?.holding('v')).toThrow('after the next one was read');
  });
});

async function told(pages: readonly (object | string)[], name: string): Promise<readonly { names: unknown[]; isParsedWhole: boolean }[]> {
  const answers: { names: unknown[]; isParsedWhole: boolean }[] = [];
  let wholes = 0;
  for await (const page of objectsPages(pagesOf(pages, () => (wholes += 1)))) {
    const names = page.holding(name).map(({ metadata }) => metadata.name);
    answers.push({ names, isParsedWhole: wholes > 0 });
  }
  return answers;
}

// Asynchronous as lists are.
async function* pagesOf(pages: readonly (object | string)[], onWhole: () => void = () => undefined): AsyncGenerator<ListPage> {
  for (const [index, page] of pages.entries()) {
    const bytes = Buffer.from(typeof page === 'string' ? page : JSON.stringify(page));
    const objects = (): readonly KubeObject[] => {
      onWhole();
      return parsed(bytes);
    };
    yield await Promise.resolve({ bytes, objects, resourceVersion: '1', last: index === pages.length - 1, restarted: false });
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
