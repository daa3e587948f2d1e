import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { failureLine, MOST_NAMED, teardownLine, type HeldObject } from './teardown-line.js';

const type = { group: 'g.example.com', resource: 'vms' };

function held(name: string, because: HeldObject['because'] = { kind: 'finalizers', finalizers: ['a.example.com/f'] }): HeldObject {
  return { type, namespace: 'default', name, because };
}

describe(failureLine, () => {
  it.each([
    { given: 'an error', failure: new Error('away'), expected: 'away' },
    { given: 'what is none', failure: 7, expected: '7' },
    { given: 'a text as long as a tenant likes', failure: new Error('x'.repeat(1_000)), expected: `${'x'.repeat(299)}…` },
  ])('given $given', ({ failure, expected }) => {
    expect(failureLine(failure)).toBe(expected);
  });
});

describe(teardownLine, () => {
  it.each([
    { given: 'nothing', objects: [], more: 0, expected: '' },
    { given: 'a finalizer', objects: [held('a')], more: 0, expected: 'vms.g.example.com default/a is held by a.example.com/f' },
    {
      given: 'an object of the whole workspace',
      objects: [{ ...held('a'), namespace: undefined }],
      more: 0,
      expected: 'vms.g.example.com a is held by a.example.com/f',
    },
    {
      given: 'a refusal, and one as others refer to it',
      objects: [held('b', { kind: 'referenced' }), held('a', { kind: 'refused', message: 'no' })],
      more: 2,
      expected: 'vms.g.example.com default/a is refused: no; vms.g.example.com default/b is still referred to; and 2 more',
    },
    {
      given: 'many finalizers, and long ones',
      objects: [held('a', { kind: 'finalizers', finalizers: ['x'.repeat(200), 'b', 'c', 'd', 'e'] })],
      more: 0,
      expected: `vms.g.example.com default/a is held by ${'x'.repeat(99)}…, b, c and 2 more`,
    },
    {
      given: 'finalizers that are as long as is shown, and longer by half a character',
      objects: [held('a', { kind: 'finalizers', finalizers: ['x'.repeat(100), `${'x'.repeat(98)}😀x`] })],
      more: 0,
      expected: `vms.g.example.com default/a is held by ${'x'.repeat(100)}, ${'x'.repeat(98)}…`,
    },
    {
      given: 'a long refusal',
      objects: [held('a', { kind: 'refused', message: 'n'.repeat(1_000) })],
      more: 0,
      expected: `vms.g.example.com default/a is refused: ${'n'.repeat(299)}…`,
    },
    {
      given: 'no answer',
      objects: [held('a', { kind: 'unanswered' })],
      more: 0,
      expected: 'vms.g.example.com default/a: kcp does not answer its delete in time; a webhook may keep it waiting',
    },
  ] as const)('given $given', ({ objects, more, expected }) => {
    expect(teardownLine(objects, more)).toBe(expected);
  });

  it('law: names few, counts all, and the order of objects is irrelevant', () => {
    const objects = fc
      .uniqueArray(fc.stringMatching(/^[a-z]{1,4}$/), { maxLength: 30, size: 'max' })
      .map((names) => names.map((name) => held(name)));
    fc.assert(
      fc.property(objects, fc.nat({ max: 5 }), (all, more) => {
        const line = teardownLine(all, more);
        const named = line.split('; ').filter((part) => part.includes(' is held by '));
        const rest = Number(/and (\d+) more$/.exec(line)?.[1] ?? 0);

        expect(named.length).toBeLessThanOrEqual(MOST_NAMED);
        expect(named.length + rest).toBe(all.length + more);
        expect(teardownLine(all.toReversed(), more)).toBe(line);
      }),
    );
  });
});
