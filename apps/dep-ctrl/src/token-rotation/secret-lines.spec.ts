import { describe, expect, it } from '@jest/globals';
import { secretSteps } from './secret-lines.js';

const [A, B, NEW] = ['secret-a-of-before-000', 'secret-b-of-before-000', 'secret-that-is-new-000'];

describe(secretSteps, () => {
  it.each([
    { given: 'one secret', text: `${A}\n`, expected: [`${A}\n${NEW}\n`, `${NEW}\n${A}\n`, `${NEW}\n`] },
    {
      given: 'what a rotation left that was broken off',
      text: `${B}\n${A}`,
      expected: [`${B}\n${A}\n${NEW}\n`, `${NEW}\n${B}\n${A}\n`, `${NEW}\n`],
    },
    {
      given: 'a comment after spaces',
      text: ` # ours\n${A}`,
      expected: [` # ours\n${A}\n${NEW}\n`, ` # ours\n${NEW}\n${A}\n`, ` # ours\n${NEW}\n`],
    },
    { given: 'a comment', text: `# ours\n\n${A}\n`, expected: [`# ours\n${A}\n${NEW}\n`, `# ours\n${NEW}\n${A}\n`, `# ours\n${NEW}\n`] },
  ])('given $given, then what made URLs before is accepted until only the new one is left', ({ text, expected }) => {
    const steps = secretSteps(text, NEW);

    expect(steps.ok && [steps.value.added, steps.value.first, steps.value.alone]).toEqual(expected);
  });

  it('given a new secret that is none, then nothing is written', () => {
    expect(secretSteps(A, 'short')).toMatchObject({ ok: false });
  });

  it('given no secret, then there is nothing to rotate', () => {
    expect(secretSteps('# none\n', NEW)).toMatchObject({ ok: false });
  });
});
