import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { applyServerSide } from './server-side-apply.js';
import { isRecord } from '../json/json.js';
import { FieldSet } from './field-set.js';
import { DEDUCED } from './field-type.js';
import type { KubeObject } from '@dep-ctrl/kcp-names';

const element = fc.constantFrom('f:a', 'f:b', 'k:{"name":"x"}', 'v:"y"');
const path = fc.array(element, { minLength: 1, maxLength: 4 });
const fieldSet = fc.array(path, { maxLength: 8 }).map((paths) => {
  const set = new FieldSet();
  for (const one of paths) set.add(one);
  return set;
});
const same = (a: FieldSet, b: FieldSet): void => expect(a.encode()).toEqual(b.encode());

describe('laws of FieldSet', () => {
  it('decode undoes encode', () => {
    fc.assert(fc.property(fieldSet, (set) => same(FieldSet.decode(set.encode()), set)));
  });

  it('union is commutative, intersection too', () => {
    fc.assert(
      fc.property(fieldSet, fieldSet, (a, b) => {
        same(a.union(b), b.union(a));
        same(a.intersection(b), b.intersection(a));
      }),
    );
  });

  it('difference and intersection part a set', () => {
    fc.assert(
      fc.property(fieldSet, fieldSet, (a, b) => {
        same(a.difference(b).union(a.intersection(b)), a);
        expect(a.difference(b).intersection(b).isEmpty).toBe(true);
      }),
    );
  });
});

const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean());
const fields = fc.dictionary(
  fc.constantFrom('one', 'two', 'three'),
  fc.oneof(leaf, fc.dictionary(fc.constantFrom('x', 'y'), leaf, { minKeys: 1 })),
);

describe('laws of server-side apply', () => {
  const apply = (live: KubeObject | undefined, manager: string, body: Record<string, unknown>): KubeObject =>
    applyServerSide({
      live,
      applied: { ...body, apiVersion: 'v1', kind: 'Thing', metadata: { name: 'x' } },
      manager,
      force: true,
      type: DEDUCED,
      apiVersion: 'v1',
      kind: 'Thing',
      now: '2026-01-01T00:00:00Z',
    });

  it('applying twice is applying once', () => {
    fc.assert(fc.property(fields, (body) => expect(apply(apply(undefined, 'a', body), 'a', body)).toEqual(apply(undefined, 'a', body))));
  });

  it('the only manager gets exactly what it applied last', () => {
    fc.assert(
      fc.property(fields, fields, (first, second) => {
        const { metadata: _first, ...afterBoth } = apply(apply(undefined, 'a', first), 'a', second);
        const { metadata: _second, ...alone } = apply(undefined, 'a', second);
        expect(withoutEmpty(afterBoth)).toEqual(withoutEmpty(alone));
      }),
    );
  });
});

// A map that lost its last field may stay behind, empty.
function withoutEmpty(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => !isRecord(value) || Object.keys(value).length > 0));
}
