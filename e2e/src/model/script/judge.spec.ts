import { describe, expect, it } from '@jest/globals';
import type { Expectation } from './expected.js';
import { judge, namesIn, type DeleteAnswer } from './judge.js';
import type { ModelObject } from './referenced.js';

const holder: ModelObject = {
  consumer: 0,
  type: { provider: 1, resource: 'things' },
  namespace: 'x',
  name: 'b',
  references: { ref: [], refs: [], peer: [] },
};
const refused: Expectation = { verdict: 'refused', because: [holder] };
const allowed: Expectation = { verdict: 'allowed' };
const warned: Expectation = { verdict: 'allowed with a warning', because: [holder] };
const either: Expectation = { verdict: 'either', why: 'it has changed', because: [holder] };
const ok: DeleteAnswer = { status: 200, text: '{}', warning: '' };

describe(judge, () => {
  it.each<{ given: string; expected: Expectation; answer: DeleteAnswer; is: string }>([
    { given: 'an allow of what is held', expected: refused, answer: ok, is: 'wrong allow' },
    {
      given: 'an allow with a warning of what is held',
      expected: refused,
      answer: { ...ok, warning: 'still referenced by' },
      is: 'wrong allow',
    },
    { given: 'a refusal that names the holder', expected: refused, answer: refusal('Thing/b'), is: 'right' },
    { given: 'a refusal that names its group, too', expected: refused, answer: refusal('Thing.p1.example.com/b'), is: 'right' },
    { given: 'a refusal that names somebody else', expected: refused, answer: refusal('Thing/c'), is: 'unexplained refusal' },
    { given: 'a refusal that names one too many', expected: refused, answer: refusal('Thing/b, Thing/c'), is: 'unexplained refusal' },
    { given: 'a refusal of what is free', expected: allowed, answer: refusal('Thing/b'), is: 'unexplained refusal' },
    { given: 'a refusal of what is only warned of', expected: warned, answer: refusal('Thing/b'), is: 'unexplained refusal' },
    { given: 'a refusal because nobody can tell', expected: allowed, answer: { ...ok, status: 503, text: 'cannot tell' }, is: 'not yet' },
    { given: 'a refusal because nobody can tell', expected: refused, answer: { ...ok, status: 503, text: 'cannot tell' }, is: 'not yet' },
    { given: 'a refusal because nobody can tell', expected: either, answer: { ...ok, status: 503, text: 'cannot tell' }, is: 'right' },
    { given: 'an allow where it may be either', expected: either, answer: ok, is: 'right' },
    { given: 'a refusal where it may be either', expected: either, answer: refusal('Thing/b'), is: 'right' },
    {
      given: 'a refusal where it may be either, for another reason',
      expected: either,
      answer: refusal('Thing/c'),
      is: 'unexplained refusal',
    },
    { given: 'an allow without its warning', expected: warned, answer: ok, is: 'not yet' },
  ])('given $given, where $expected.verdict is expected, then it is: $is', ({ expected, answer, is }) => {
    expect(judge(expected, answer, ({ name }) => `Thing/${name}`, { isQuiet: true }).is).toBe(is);
  });

  it('given a refusal that names one of two, then it is right only while something else goes on', () => {
    const both: Expectation = { verdict: 'refused', because: [holder, { ...holder, name: 'c' }] };
    const is = (isQuiet: boolean): string => judge(both, refusal('Thing/b'), ({ name }) => `Thing/${name}`, { isQuiet }).is;

    expect([is(true), is(false)]).toEqual(['not yet', 'right']);
  });
});

describe(namesIn, () => {
  it.each([
    { list: 'Thing/b', names: ['Thing/b'], isComplete: true },
    { list: 'Thing/y/b (being deleted), Place/c', names: ['Thing/y/b', 'Place/c'], isComplete: true },
    { list: 'Thing/a, Thing/b and 3 more', names: ['Thing/a', 'Thing/b'], isComplete: false },
    { list: 'Thing/a and possibly more', names: ['Thing/a'], isComplete: false },
  ])('given $list, then it names $names', ({ list, names, isComplete }) => {
    expect(namesIn(refusal(list).text)).toEqual({ names, isComplete });
  });
});

function refusal(list: string): DeleteAnswer {
  const text = `admission webhook denied the request: cannot delete things/a: still referenced by ${list}, says rule root:p1/r0; first delete it`;
  return { status: 403, text, warning: '' };
}
