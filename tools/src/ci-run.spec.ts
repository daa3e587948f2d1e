import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Runs .ci/run with other suites; with no time left after some of them where seconds are given. */
function ci(suites: readonly string[], { aim = 60, end = 60 } = {}): { readonly code: number | null; readonly lines: readonly string[] } {
  const dir = mkdtempSync(join(tmpdir(), 'ci-run-'));
  const file = join(dir, 'suites');
  writeFileSync(file, suites.join('\n'));
  const env = { ...process.env, CI_SUITES: file, CI_AIM_SECONDS: String(aim), CI_END_SECONDS: String(end), RECORD: join(dir, 'runs') };
  const { status, stdout } = spawnSync(join(root, '.ci/run'), { encoding: 'utf8', env });
  rmSync(dir, { recursive: true });
  return { code: status, lines: stdout.trim().split('\n') };
}

const PASSES = '1 | it passes | echo "3 passed, 0 failed, 2 skipped"';

describe('.ci/run', () => {
  it('given suites that pass, then their sums are the last line, and it says how long each took', () => {
    const { code, lines } = ci([PASSES, '# a comment', '2 | so does this | true && echo "1 passed, 0 failed"']);

    expect(code).toBe(0);
    expect(lines.at(-1)).toBe('4 passed, 0 failed, 2 skipped');
    expect(lines.slice(-3, -1)).toEqual([
      expect.stringMatching(/^ +\d s {2}ok +it passes$/),
      expect.stringMatching(/^ +\d s {2}ok +so does this$/),
    ]);
  });

  it.each([
    {
      given: 'a case that fails',
      command: 'echo "kcp FAIL S1"; echo "FAIL kcp S1: why"; echo "1 passed, 1 failed"; exit 1',
      sum: '4 passed, 1 failed, 2 skipped',
      told: 'FAIL kcp S1: why',
    },
    { given: 'a crash without a word of cases', command: 'echo lost; exit 3', sum: '3 passed, 1 failed, 2 skipped', told: 'lost' },
  ])('given $given, then it ends with 1, the rest runs, and the failure stands at the end again', ({ command, sum, told }) => {
    const { code, lines } = ci([`1 | it fails | ${command}`, PASSES]);

    expect(code).toBe(1);
    expect(lines.at(-1)).toBe(sum);
    expect(lines.slice(lines.indexOf('#### it fails: what failed'))).toContain(told);
  });

  it('given no time left, then what runs is ended, what it had shown counts, and the rest is told to be missing', () => {
    const begun = Date.now();
    const { code, lines } = ci(['1 | it is slow | echo "kcp passed S1 3 ms"; sleep 60', '1 | nobody comes here | false'], {
      aim: 2,
      end: 2,
    });

    expect(Date.now() - begun).toBeLessThan(30_000);
    expect(code).toBe(0);
    expect(lines.slice(-3)).toEqual([
      expect.stringMatching(/CUT OFF {2}it is slow$/),
      expect.stringMatching(/NOT RUN {2}nobody comes here$/),
      '1 passed, 0 failed, 1 skipped',
    ]);
  });

  it('given no time left for a suite that has failed already, then it is a failure', () => {
    const { code, lines } = ci(['1 | it is slow | echo "kcp FAIL S1 3 ms no"; sleep 60'], { end: 2 });

    expect(code).toBe(1);
    expect(lines.at(-1)).toBe('0 passed, 1 failed, 0 skipped');
  });

  it('given its own suites, then each runs a script or a file that exists', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    const commands = readFileSync(join(root, '.ci/suites'), 'utf8')
      .split('\n')
      .filter((line) => /^ *\d/.test(line))
      .map((line) => line.split('|')[2] ?? '');
    const named = commands.flatMap((command) => /npm run (?:--silent )?([\w:]+)/.exec(command)?.[1] ?? []);

    expect(commands.length).toBeGreaterThan(10);
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
  });
});
