import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readListHead } from './list-head.js';

const marks = ['"items":[', '],"kind":"', '"kind":"VPCList","metadata":{}}', '"rows":[]'];
const json = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(...marks),
  fc.record({ kind: fc.constantFrom(...marks), items: fc.array(fc.jsonValue()) }),
);
const metadata = fc.record(
  {
    resourceVersion: fc.stringMatching(/^\d{1,9}$/),
    continue: fc.oneof(fc.string(), fc.constantFrom(...marks)),
    remainingItemCount: fc.nat(),
  },
  { requiredKeys: ['resourceVersion'] },
);

describe(readListHead, () => {
  it.each([
    {
      given: 'a list of custom resources (keys sorted)',
      text: '{"apiVersion":"a/v1","items":[{"kind":"VPC"}],"kind":"VPCList","metadata":{"continue":"","resourceVersion":"7"}}\n',
      expected: { kind: 'VPCList', apiVersion: 'a/v1', resourceVersion: '7', continue: '' },
    },
    {
      given: 'a typed list (metadata first)',
      text: '{"kind":"SecretList","apiVersion":"v1","metadata":{"resourceVersion":"7","continue":"c","remainingItemCount":3},"items":[{}]}\n',
      expected: { kind: 'SecretList', apiVersion: 'v1', resourceVersion: '7', continue: 'c', remainingItemCount: 3 },
    },
    {
      given: 'an empty list without a resourceVersion',
      text: '{"apiVersion":"a/v1","items":[],"kind":"VPCList","metadata":{}}',
      expected: { kind: 'VPCList', apiVersion: 'a/v1', resourceVersion: '', continue: '' },
    },
    {
      given: 'items that are null',
      text: '{"kind":"SecretList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":null}',
      expected: { kind: 'SecretList', apiVersion: 'v1', resourceVersion: '7', continue: '' },
    },
    {
      given: 'layout with spaces',
      text: JSON.stringify({ items: [], metadata: { resourceVersion: '7' }, kind: 'XList', apiVersion: 'v1' }, null, 2),
      expected: { kind: 'XList', apiVersion: 'v1', resourceVersion: '7', continue: '' },
    },
  ])('given $given, then its head is read', ({ text, expected }) => {
    expect(readListHead(Buffer.from(text), 'items')).toEqual(expected);
  });

  it.each([
    {
      given: 'a list of custom resources',
      shape: 'items',
      text: '{"apiVersion":"a/v1","items":[{"a":?,"kind":"x"}],"kind":"VPCList","metadata":{"resourceVersion":"7"}}\n',
      kind: 'VPCList',
    },
    {
      given: 'a typed list',
      shape: 'items',
      text: '{"kind":"VPCList","apiVersion":"a/v1","metadata":{"resourceVersion":"7"},"items":[{"a":?}]}\n',
      kind: 'VPCList',
    },
    {
      given: 'a typed list that ends in a line of its own',
      shape: 'items',
      text: '{"kind":"VPCList","apiVersion":"a/v1","metadata":{"resourceVersion":"7"},"items":[{"a":?}]}\r\n',
      kind: 'VPCList',
    },
    {
      given: 'a Table',
      shape: 'rows',
      text: '{"kind":"Table","apiVersion":"a/v1","metadata":{"resourceVersion":"7"},"columnDefinitions":[?],"rows":[?]}',
      kind: 'Table',
    },
  ] as const)('given $given of what is no JSON, then its head is read, as what it lists is not parsed', ({ shape, text, kind }) => {
    expect(readListHead(Buffer.from(text), shape)).toStrictEqual({ kind, apiVersion: 'a/v1', resourceVersion: '7', continue: '' });
  });

  it('given a Table, then its head is read', () => {
    const text =
      '{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"7"},"columnDefinitions":[{"name":"Name"}],"rows":[{"cells":["a"]}]}\n';

    expect(readListHead(Buffer.from(text), 'rows')).toEqual({
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
      resourceVersion: '7',
      continue: '',
    });
  });

  it.each([
    ['half a typed list', '{"kind":"SecretList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"a'],
    ['half a list of custom resources', '{"apiVersion":"a/v1","items":[{"apiVersion":"a/v1"},{"a":'],
    ['an object that is no list', '{"kind":"Secret","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[]}'],
    ['a Status', '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure"}'],
    ['a list without metadata', '{"kind":"SecretList","apiVersion":"v1","items":[]}'],
    ['a list without items', '{"kind":"SecretList","apiVersion":"v1","metadata":{}}'],
    ['a list whose kind is no text', '{"kind":7,"apiVersion":"v1","metadata":{},"items":[]}'],
    ['a list whose version is no text', '{"kind":"SecretList","apiVersion":1,"metadata":{},"items":[]}'],
    ['a list whose resourceVersion is no text', '{"kind":"SecretList","apiVersion":"v1","metadata":{"resourceVersion":7},"items":[]}'],
    ['a list whose continue is no text', '{"kind":"SecretList","apiVersion":"v1","metadata":{"continue":7},"items":[]}'],
    ['a list of metadata that is no object', '{"kind":"SecretList","apiVersion":"v1","metadata":7,"items":[]}'],
    ['a word', '"SecretList"'],
    ['text', '404 page not found'],
    ['nothing', ''],
  ])('given %s, then it is no list', (_, text) => {
    expect(readListHead(Buffer.from(text), 'items')).toBeUndefined();
  });

  it('given a list of rows that is no Table, then it is none', () => {
    const text = '{"kind":"RowList","apiVersion":"v1","metadata":{},"columnDefinitions":[],"rows":[]}';

    expect(readListHead(Buffer.from(text), 'rows')).toBeUndefined();
  });

  it('given a count of what remains that is no number, then there is none', () => {
    const text = '{"kind":"VPCList","apiVersion":"v1","metadata":{"remainingItemCount":"3"},"items":[]}';

    expect(readListHead(Buffer.from(text), 'items')).toStrictEqual({
      kind: 'VPCList',
      apiVersion: 'v1',
      resourceVersion: '',
      continue: '',
    });
  });

  it('given a list that was cut anywhere, then it is no list', () => {
    const lists = [
      '{"apiVersion":"a/v1","items":[{"a":[1],"kind":"x"},{"b":[{}]}],"kind":"VPCList","metadata":{"continue":"","resourceVersion":"7"}}',
      '{"kind":"XList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[{"a":"b"},{"c":"d"}]}',
    ];
    for (const text of lists) {
      for (let cut = 0; cut < text.length; cut += 1) expect(readListHead(Buffer.from(text.slice(0, cut)), 'items')).toBeUndefined();
    }
  });

  it('whatever the items hold, the head is that of the list, in either order of keys', () => {
    fc.assert(
      fc.property(fc.array(json), metadata, (items, meta) => {
        const head = { kind: 'VPCList', apiVersion: 'a/v1' };
        const sorted = { apiVersion: head.apiVersion, items, kind: head.kind, metadata: meta };
        const typed = { ...head, metadata: meta, items };

        for (const list of [sorted, typed]) {
          expect(readListHead(Buffer.from(JSON.stringify(list)), 'items')).toEqual({ continue: '', ...head, ...meta });
        }
      }),
    );
  });
});
