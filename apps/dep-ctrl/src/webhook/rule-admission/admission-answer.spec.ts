import { describe, expect, it } from '@jest/globals';
import { admissionAnswer, BROKEN_ANSWER, unreadableAnswer } from './admission-answer.js';
import type { AdmissionProblem } from './decide-admission.js';

const RULE = { kind: 'rule', name: 'vms' } as const;
const problem = (path: string, message: string): AdmissionProblem => ({ path, message, reason: 'Invalid' });
const numbered = (count: number): readonly AdmissionProblem[] =>
  Array.from({ length: count }, (_, at) => problem(`.spec.dependencies[${String(at)}]`, 'is wrong'));

describe(admissionAnswer, () => {
  it('given a rule that is admitted, then its warnings are handed on', () => {
    expect(admissionAnswer({ verdict: 'admit', warnings: ['a', 'b'] }, RULE)).toEqual({ allowed: true, warnings: ['a', 'b'], audit: {} });
  });

  it.each<{ given: string; of: Parameters<typeof admissionAnswer>[1]; problems: readonly AdmissionProblem[]; message: string }>([
    { given: 'one problem', of: RULE, problems: [problem('.spec', 'is empty')], message: 'DependencyRule vms: .spec: is empty' },
    {
      given: 'one problem about no field',
      of: RULE,
      problems: [problem('', 'there are too many rules')],
      message: 'DependencyRule vms: there are too many rules',
    },
    {
      given: 'several problems',
      of: { kind: 'guard', name: 'dependency-controller' },
      problems: [problem('', 'is wrong'), problem('.spec.allowRulesFrom[1]', 'is no path')],
      message: 'DependencyGuard dependency-controller: 2 problems\n- is wrong\n- .spec.allowRulesFrom[1]: is no path',
    },
  ])('given $given, then the refusal names each problem on a line', ({ of, problems: [first, ...others], message }) => {
    expect(admissionAnswer({ verdict: 'refuse', problems: [first!, ...others] }, of)).toEqual({
      allowed: false,
      status: { code: 422, reason: 'Invalid', message },
      warnings: [],
      audit: {},
    });
  });

  it.each([
    { count: 100, lines: 101, last: '- .spec.dependencies[99]: is wrong' },
    { count: 102, lines: 102, last: '- and 2 more' },
  ])('given $count problems, then a hundred are named and the others are counted', ({ count, lines, last }) => {
    const [first, ...others] = numbered(count);
    const answer = admissionAnswer({ verdict: 'refuse', problems: [first!, ...others] }, RULE);
    const told = answer.allowed ? [] : answer.status.message.split('\n');

    expect([told.length, told[0], told.at(-1)]).toEqual([lines, `DependencyRule vms: ${String(count)} problems`, last]);
  });
});

describe(unreadableAnswer, () => {
  it('given a body that is no review, then the refusal says why', () => {
    expect(unreadableAnswer('expected JSON')).toEqual({
      allowed: false,
      status: { code: 400, reason: 'BadRequest', message: 'the review cannot be read: expected JSON' },
      warnings: [],
      audit: {},
    });
  });
});

describe('the answer after a defect', () => {
  it('says that the log tells why', () => {
    expect(BROKEN_ANSWER).toEqual({
      allowed: false,
      status: { code: 500, reason: 'InternalError', message: 'dep-ctrl could not check this: its log says why' },
      warnings: [],
      audit: {},
    });
  });
});
