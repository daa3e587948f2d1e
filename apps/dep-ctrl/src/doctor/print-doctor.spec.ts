import { describe, expect, it } from '@jest/globals';
import { broken, met, notChecked, type Examined, type Judgement } from './precondition.js';
import { asText, doctorResult } from './print-doctor.js';

const examined = (id: string, judgements: readonly Judgement[]): Examined => ({
  precondition: { id, must: 'It is so.', otherwise: 'It is not.', fix: 'mend', judge: () => judgements },
  judgements,
});
const given = [
  examined('first', [met('a'), met('b')]),
  examined('second', []),
  examined('third', [notChecked('c', { because: 'refused', why: 'role missing: some role' })]),
  examined('fourth', [met('d'), broken('e', 'is wrong', 'mend e')]),
];

describe(asText, () => {
  it('given preconditions in every state, then what is wrong comes last with its command, and what is well only where all is asked for', () => {
    const rest = [
      'not looked at: third, c: role missing: some role',
      'WRONG  fourth: e is wrong',
      '       run: mend e',
      '1 of 4 preconditions are met; 1 have nothing to check yet',
      '',
    ];

    expect(asText(doctorResult(given), { all: false }).split('\n')).toEqual(rest);
    expect(asText(doctorResult(given), { all: true }).split('\n')).toEqual([
      'ok     first (2)',
      '-      second: nothing to check yet',
      ...rest,
    ]);
  });
});

describe(doctorResult, () => {
  it('given preconditions in every state, then each is there with its state', () => {
    expect(doctorResult(given)).toEqual({
      well: false,
      preconditions: [
        { id: 'first', state: 'met', met: 2 },
        { id: 'second', state: 'nothing-to-check', met: 0 },
        { id: 'third', state: 'not-checked', met: 0 },
        { id: 'fourth', state: 'broken', met: 1 },
      ],
      broken: [{ id: 'fourth', where: 'e', says: 'is wrong', run: 'mend e' }],
      notLookedAt: [{ id: 'third', where: 'c', because: 'refused', why: 'role missing: some role' }],
    });
  });
});
