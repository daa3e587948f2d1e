import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { objectKey, parseLogicalClusterName, parseWorkspacePath, splitWorkspacePath, type LogicalClusterName } from './index.js';

const segment = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?$/);
const part = fc.stringMatching(/^[a-z0-9.-]{1,10}$/);
const object = fc.record(
  { cluster: segment.map((name) => name as LogicalClusterName), group: part, resource: segment, namespace: segment, name: part },
  { requiredKeys: ['cluster', 'group', 'resource', 'name'] },
);

describe('laws of names', () => {
  it('every list of segments joined by colons is a path, and splitting takes off the last', () => {
    fc.assert(
      fc.property(fc.array(segment, { minLength: 2, maxLength: 6 }), (segments) => {
        const path = parseWorkspacePath(segments.join(':'));

        expect(path.ok && splitWorkspacePath(path.value)).toEqual({ parent: segments.slice(0, -1).join(':'), name: segments.at(-1) });
      }),
    );
  });

  it('parsers answer any string and keep it as it is', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        for (const answer of [parseLogicalClusterName(text), parseWorkspacePath(text)]) expect(answer.ok ? answer.value : text).toBe(text);
      }),
    );
  });

  it('keys of different objects differ', () => {
    fc.assert(
      fc.property(object, object, (a, b) => {
        const same = (['cluster', 'group', 'resource', 'namespace', 'name'] as const).every((key) => a[key] === b[key]);

        expect(objectKey(a) === objectKey(b)).toBe(same);
      }),
    );
  });
});
