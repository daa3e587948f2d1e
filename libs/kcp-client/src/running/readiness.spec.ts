import { describe, expect, it } from '@jest/globals';
import { Readiness, type ReadinessAnswer } from './readiness.js';

function readinessOf(...answers: readonly ReadinessAnswer[]): Readiness {
  const readiness = new Readiness();
  for (const [at, answer] of answers.entries()) readiness.add({ name: `part-${at}`, check: () => answer });
  return readiness;
}

describe(Readiness, () => {
  it.each<{ given: string; answers: readonly ReadinessAnswer[]; ready: boolean; lines: readonly string[] }>([
    { given: 'no part', answers: [], ready: true, lines: [] },
    { given: 'a part that is ready', answers: [{ ready: true }], ready: true, lines: ['[+]part-0 ok'] },
    {
      given: 'a part with a problem elsewhere',
      answers: [{ ready: true, note: 'kcp is away' }],
      ready: true,
      lines: ['[+]part-0 ok, but kcp is away'],
    },
    { given: 'a part with a remark', answers: [{ ready: true, remark: 'leader' }], ready: true, lines: ['[+]part-0 ok, leader'] },
    {
      given: 'one part of two that is not ready',
      answers: [{ ready: true }, { ready: false, missing: 'nothing was listed' }],
      ready: false,
      lines: ['[+]part-0 ok', '[-]part-1 nothing was listed'],
    },
  ])('given $given, then the process is ready: $ready', ({ answers, ready, lines }) => {
    expect(readinessOf(...answers).report()).toEqual({ ready, lines });
  });

  it('given a process that was told to stop, then it is not ready, whatever its parts say', () => {
    const readiness = readinessOf({ ready: true });

    readiness.drain();

    expect(readiness.report()).toEqual({ ready: false, lines: ['[+]part-0 ok', '[-]shutdown draining'] });
  });
});
