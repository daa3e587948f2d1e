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
    expect(parseWatchLine('{"type":"ERROR","object":1}')).toMatchObject({ kind: 'error', status: { kind: 'Status' } });
  });

  it.each([
    ['half a line', '{"type":"ADDED","object":{"metad', 'not JSON'],
    ['no event', '[]', 'expected type and object'],
    ['no object', '{"type":"ADDED","object":7}', 'expected a JSON object'],
    ['no metadata', '{"type":"ADDED","object":{}}', '.metadata'],
    [
      'no cluster',
      '{"type":"ADDED","object":{"kind":"VPC","metadata":{"name":"a"}}}',
      'VPC "a": the object has no annotation kcp.io/cluster',
    ],
    ['an unknown type', JSON.stringify({ type: 'MOVED', object }), '"MOVED" is no type'],
  ])('given %s, then it is undecodable and says why', (_, text, problem) => {
    expect(parseWatchLine(text)).toMatchObject({ kind: 'undecodable', problem: expect.stringContaining(problem) });
  });
});
