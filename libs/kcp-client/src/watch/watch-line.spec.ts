import { describe, expect, it } from '@jest/globals';
import { parseWatchLine } from './watch-line.js';

const object = { kind: 'VPC', metadata: { name: 'a', resourceVersion: '7', annotations: { 'kcp.io/cluster': 'c1' } } };

describe(parseWatchLine, () => {
  it.each([
    ['ADDED', 'applied'],
    ['MODIFIED', 'applied'],
    ['DELETED', 'deleted'],
  ])('given %s, then the object was %s in its cluster', (type, kind) => {
    expect(parseWatchLine(JSON.stringify({ type, object }))).toEqual({ kind, object: { cluster: 'c1', object }, resourceVersion: '7' });
  });

  it('given a bookmark, then it says how far the watch is', () => {
    const line = '{"type":"BOOKMARK","object":{"kind":"VPC","metadata":{"resourceVersion":"9"}}}';

    expect(parseWatchLine(line)).toEqual({ kind: 'bookmark', resourceVersion: '9', initialEnd: false });
  });

  it('given the bookmark behind the initial events, then it says so', () => {
    const metadata = { resourceVersion: '9', annotations: { 'k8s.io/initial-events-end': 'true' } };

    expect(parseWatchLine(JSON.stringify({ type: 'BOOKMARK', object: { metadata } }))).toMatchObject({ initialEnd: true });
  });

  it('given an ERROR, then it carries the Status', () => {
    expect(parseWatchLine('{"type":"ERROR","object":{"kind":"Status","code":410}}')).toEqual({
      kind: 'error',
      status: { kind: 'Status', code: 410 },
    });
    expect(parseWatchLine('{"type":"ERROR","object":1}')).toEqual({
      kind: 'error',
      status: { kind: 'Status', message: '"{\\"type\\":\\"ERROR\\",\\"object\\":1}"' },
    });
  });

  it.each([
    ['half a line', '{"type":"ADD', 'a line of 12 characters is not JSON: "{\\"type\\":\\"ADD"'],
    ['a list', '[]', 'expected type and object in "[]"'],
    ['null', 'null', 'expected type and object'],
    ['a text', '"type object"', 'expected type and object'],
    ['no type', '{"object":{}}', 'expected type and object'],
    ['a type alone', '{"type":"ADDED"}', 'expected type and object'],
    ['no object', '{"type":"ADDED","object":7}', 'expected a JSON object'],
    ['no metadata', '{"type":"ADDED","object":{}}', '.metadata'],
    [
      'no cluster',
      '{"type":"ADDED","object":{"kind":"VPC","metadata":{"name":"a"}}}',
      'VPC "a": the object has no annotation kcp.io/cluster',
    ],
    ['neither cluster, kind nor name', '{"type":"ADDED","object":{"metadata":{}}}', 'object "": the object has no annotation'],
    ['an unknown type', JSON.stringify({ type: 'MOVED', object }), '"MOVED" is no type'],
  ])('given %s, then it is undecodable and says why', (_, text, problem) => {
    expect(parseWatchLine(text)).toMatchObject({ kind: 'undecodable', problem: expect.stringContaining(problem) });
  });

  it.each([
    ['an object without a cluster', 'ADDED'],
    ['an event of an unknown type', 'MOVED'],
  ])('given %s, then the watch is past it all the same', (_, type) => {
    const { annotations: _annotations, ...metadata } = object.metadata;
    const line = JSON.stringify({ type, object: type === 'MOVED' ? object : { ...object, metadata } });

    expect(parseWatchLine(line)).toMatchObject({ kind: 'undecodable', resourceVersion: '7' });
  });

  it('given an object without a resourceVersion, then it is one all the same', () => {
    const { resourceVersion: _, ...metadata } = object.metadata;
    const line = JSON.stringify({ type: 'ADDED', object: { ...object, metadata } });

    expect(parseWatchLine(line)).toMatchObject({ kind: 'applied', resourceVersion: '' });
  });
});
