import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../http/api-status.js';
import type { JsonRecord } from '../json/json.js';
import { applyJsonPatch } from './json-patch.js';
import { applyMergePatch } from './merge-patch.js';
import { applyStrategicMergePatch } from './strategic-merge-patch.js';

const object: JsonRecord = { data: { a: '1', b: '2' }, list: ['x', 'y', 'z'], metadata: { name: 'p' } };

function refusal(run: () => unknown): { code: number; message: string } {
  try {
    run();
  } catch (error) {
    if (error instanceof ApiError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error('expected a refusal');
}

describe('applyJsonPatch', () => {
  it.each([
    { given: 'an add', patch: [{ op: 'add', path: '/data/c', value: '3' }], expected: { data: { a: '1', b: '2', c: '3' } } },
    { given: 'an add without a value', patch: [{ op: 'add', path: '/data/c' }], expected: { data: { a: '1', b: '2', c: null } } },
    {
      given: 'a replace of what is not there',
      patch: [{ op: 'replace', path: '/data/c', value: '3' }],
      expected: { data: { a: '1', b: '2', c: '3' } },
    },
    { given: 'a remove', patch: [{ op: 'remove', path: '/data/a' }], expected: { data: { b: '2' } } },
    { given: 'a move', patch: [{ op: 'move', from: '/data/a', path: '/data/c' }], expected: { data: { b: '2', c: '1' } } },
    { given: 'a copy', patch: [{ op: 'copy', from: '/data/a', path: '/data/c' }], expected: { data: { a: '1', b: '2', c: '1' } } },
    {
      given: 'a copy of what is not there',
      patch: [{ op: 'copy', from: '/data/q', path: '/data/a' }],
      expected: { data: { a: null, b: '2' } },
    },
    { given: 'a test that holds', patch: [{ op: 'test', path: '/data/a', value: '1' }], expected: {} },
    { given: 'a test for the absence of a field', patch: [{ op: 'test', path: '/data/q', value: null }], expected: {} },
    { given: 'an add into a list', patch: [{ op: 'add', path: '/list/1', value: 'n' }], expected: { list: ['x', 'n', 'y', 'z'] } },
    { given: 'an add at the end of a list', patch: [{ op: 'add', path: '/list/-', value: 'n' }], expected: { list: ['x', 'y', 'z', 'n'] } },
    { given: 'an add at index -1', patch: [{ op: 'add', path: '/list/-1', value: 'n' }], expected: { list: ['x', 'y', 'z', 'n'] } },
    { given: 'a remove at index -1', patch: [{ op: 'remove', path: '/list/-1' }], expected: { list: ['x', 'y'] } },
    {
      given: 'a key with a slash and a tilde',
      patch: [{ op: 'add', path: '/data/a~1b~0c', value: 'n' }],
      expected: { data: { a: '1', b: '2', 'a/b~c': 'n' } },
    },
    { given: 'no operation', patch: [], expected: {} },
  ])('given $given, when applied, then the object is as RFC 6902 and kcp have it', ({ patch, expected }) => {
    expect(applyJsonPatch(object, patch)).toEqual({ ...object, ...expected });
  });

  it.each([
    { given: 'an unknown operation', patch: [{ op: 'zap', path: '/data/a' }] },
    { given: 'no path', patch: [{ op: 'add', value: 1 }] },
    { given: 'a remove of what is not there', patch: [{ op: 'remove', path: '/data/q' }] },
    { given: 'a missing parent', patch: [{ op: 'add', path: '/q/a', value: 1 }] },
    { given: 'a test that fails', patch: [{ op: 'test', path: '/data/a', value: '2' }] },
    { given: 'an index past the end', patch: [{ op: 'add', path: '/list/9', value: 1 }] },
    { given: 'an index that is a word', patch: [{ op: 'add', path: '/list/one', value: 1 }] },
    { given: 'a scalar as the whole document', patch: [{ op: 'replace', path: '', value: 'x' }] },
    { given: 'a path through Object.prototype', patch: [{ op: 'add', path: '/__proto__/polluted', value: 1 }] },
  ])('given $given, when applied, then it is 422 and the object is as before', ({ patch }) => {
    const before = structuredClone(object);

    expect(refusal(() => applyJsonPatch(object, patch))).toEqual({
      code: 422,
      message: 'the server rejected our request due to an error in our request',
    });
    expect(object).toEqual(before);
  });

  it('given an object instead of a list, when applied, then it is 400 in the words of Go', () => {
    expect(refusal(() => applyJsonPatch(object, {}))).toEqual({
      code: 400,
      message: 'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
    });
  });

  it('given 10 001 operations, when applied, then it is 413', () => {
    const patch = Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/data/a', value: '1' }));

    expect(refusal(() => applyJsonPatch(object, patch)).code).toBe(413);
  });
});

describe('applyMergePatch', () => {
  it.each([
    { given: 'a nested change', patch: { data: { a: '9' } }, expected: { data: { a: '9', b: '2' } } },
    { given: 'a null', patch: { data: { a: null } }, expected: { data: { b: '2' } } },
    { given: 'a null inside something new', patch: { more: { a: null, b: { c: null, d: 1 } } }, expected: { more: { b: { d: 1 } } } },
    { given: 'a list', patch: { list: ['q'] }, expected: { list: ['q'] } },
    { given: 'a scalar over a map', patch: { data: 'q' }, expected: { data: 'q' } },
    { given: 'a map over a list', patch: { list: { a: 1 } }, expected: { list: { a: 1 } } },
  ])('given $given, when applied, then the object is as RFC 7386 has it', ({ patch, expected }) => {
    expect(applyMergePatch(object, patch)).toEqual({ ...object, ...expected });
  });

  it.each([
    {
      given: 'a list',
      patch: [],
      message: 'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
    },
    {
      given: 'a string',
      patch: 'x',
      message: 'error decoding patch: json: cannot unmarshal string into Go value of type map[string]interface {}',
    },
    { given: 'null', patch: null, message: 'Invalid JSON Patch' },
  ])('given $given, when applied, then it is 400', ({ patch, message }) => {
    expect(refusal(() => applyMergePatch(object, patch))).toEqual({ code: 400, message });
  });
});

const keyed = {
  type: 'array',
  'x-kubernetes-patch-strategy': 'merge',
  'x-kubernetes-patch-merge-key': 'name',
  items: { type: 'object', properties: {} },
};
const schema: JsonRecord = {
  properties: {
    finalizers: { type: 'array', 'x-kubernetes-patch-strategy': 'merge', items: { type: 'string' } },
    webhooks: keyed,
    list: { type: 'array' },
    source: { type: 'object', properties: {}, 'x-kubernetes-patch-strategy': 'retainKeys' },
    selector: { type: 'object', 'x-kubernetes-patch-strategy': 'replace' },
  },
};

const live: JsonRecord = {
  finalizers: ['a', 'b'],
  webhooks: [
    { name: 'one', url: '1' },
    { name: 'two', url: '2' },
  ],
  list: ['x'],
  source: { first: 1, second: 2 },
  selector: { a: '1' },
};

describe('applyStrategicMergePatch', () => {
  it.each([
    { given: 'a list without a strategy', patch: { list: ['q'] }, expected: { list: ['q'] } },
    { given: 'a merged list of scalars', patch: { finalizers: ['c'] }, expected: { finalizers: ['c', 'a', 'b'] } },
    { given: 'scalars to take out', patch: { '$deleteFromPrimitiveList/finalizers': ['a'] }, expected: { finalizers: ['b'] } },
    { given: 'an order of scalars', patch: { '$setElementOrder/finalizers': ['b', 'a'] }, expected: { finalizers: ['b', 'a'] } },
    {
      given: 'a change of one keyed item',
      patch: { webhooks: [{ name: 'two', url: '9' }] },
      expected: {
        webhooks: [
          { name: 'one', url: '1' },
          { name: 'two', url: '9' },
        ],
      },
    },
    {
      given: 'a new keyed item and an order, as kubectl apply sends it',
      patch: { '$setElementOrder/webhooks': [{ name: 'zero' }, { name: 'one' }, { name: 'two' }], webhooks: [{ name: 'zero', url: '0' }] },
      expected: { webhooks: [{ name: 'zero', url: '0' }, ...(live['webhooks'] as unknown[])] },
    },
    {
      given: 'a keyed item to delete',
      patch: { webhooks: [{ $patch: 'delete', name: 'one' }] },
      expected: { webhooks: [{ name: 'two', url: '2' }] },
    },
    {
      given: 'a keyed list to replace',
      patch: { webhooks: [{ $patch: 'replace' }, { name: 'n' }] },
      expected: { webhooks: [{ name: 'n' }] },
    },
    { given: 'keys to retain', patch: { source: { $retainKeys: ['second'], second: 3 } }, expected: { source: { second: 3 } } },
    { given: 'a map to replace by its schema', patch: { selector: { b: '2' } }, expected: { selector: { b: '2' } } },
    { given: 'a map to replace by directive', patch: { source: { $patch: 'replace', third: 3 } }, expected: { source: { third: 3 } } },
    { given: 'a map to empty', patch: { source: { $patch: 'delete' } }, expected: { source: {} } },
    { given: 'a null', patch: { source: { first: null } }, expected: { source: { second: 2 } } },
  ])('given $given, when applied, then it is followed', ({ patch, expected }) => {
    const before = structuredClone(live);

    expect(applyStrategicMergePatch(live, patch, schema)).toEqual({ ...live, ...expected });
    expect(live).toEqual(before);
  });

  it.each([
    { given: 'a list', patch: [], code: 400, message: 'json: cannot unmarshal array into Go value of type map[string]interface {}' },
    {
      given: 'an unknown directive',
      patch: { source: { $patch: 'zap' } },
      code: 500,
      message: 'unknown patch type: zap in map: map[$patch:zap]',
    },
    {
      given: 'a keyed item without its key',
      patch: { webhooks: [{ url: '1' }] },
      code: 500,
      message: 'map: map[url:1] does not contain declared merge key: name',
    },
    {
      given: 'retained keys that are no list',
      patch: { source: { $retainKeys: 'x' } },
      code: 400,
      message: 'invalid patch format of retainKeys',
    },
    {
      given: 'a field that is not retained',
      patch: { source: { $retainKeys: ['a'], b: 1 } },
      code: 400,
      message: 'invalid patch format of retainKeys',
    },
  ])('given $given, when applied, then it is refused as kcp does', ({ patch, code, message }) => {
    expect(refusal(() => applyStrategicMergePatch(live, patch, schema))).toEqual({ code, message });
  });
});
