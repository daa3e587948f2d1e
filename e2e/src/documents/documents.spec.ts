import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { documentSteps, type DocumentStep } from './document-steps.js';
import { firstDifference } from './shown-lines.js';
import { resultFiles, walkScript } from './walk-script.js';

const step = (change: Partial<DocumentStep>): DocumentStep => ({
  part: 'Part',
  commands: 'true',
  shows: undefined,
  staysRunning: false,
  endsRunning: false,
  ...change,
});

describe(documentSteps, () => {
  it('given shell blocks, output behind some of them, and other blocks, then each shell block is a step with its own output', () => {
    const markdown = [
      '# Page',
      '```sh\none\n```',
      '## Install',
      '1. Start it. Leave it running.\n\n   ```sh\n   two \\\n     --flag\n   ```\n\n   ```\n   printed\n   ```',
      '2. Text between.\n\n   ```sh\n   three\n   ```\n\n   It looks like this:\n\n   ```\n   not its output\n   ```',
      '3. Stop it with Ctrl-C.\n\n   ```sh\n   four\n   ```\n\n   ```mermaid\n   graph LR\n   ```',
    ].join('\n\n');

    expect(documentSteps(markdown)).toEqual([
      step({ part: 'Page', commands: 'one' }),
      step({ part: 'Install', commands: 'two \\\n  --flag', shows: 'printed', staysRunning: true }),
      step({ part: 'Install', commands: 'three' }),
      step({ part: 'Install', commands: 'four', endsRunning: true }),
    ]);
  });
});

describe(firstDifference, () => {
  it.each<{ given: string; shown: string; printed: string; difference: string | undefined }>([
    { given: 'the same', shown: 'a\nb', printed: 'a\nb\n', difference: undefined },
    {
      given: 'other clusters, ages, addresses and widths',
      shown: 'root:a (2i5azvsxaasqvbmg): https://127.0.0.1:6443\nNAME   AGE\nx   2s',
      printed: 'root:a (35hmc8fkze48fqcd): https://127.0.0.1:12\nNAME AGE\nx 11s',
      difference: undefined,
    },
    {
      given: 'a cluster whose name happens to have no digit',
      shown: 'root:dep-ctrl (2i5azvsxaasqvbmg): done',
      printed: 'root:dep-ctrl (jtysorznosncbsel): done',
      difference: undefined,
    },
    {
      given: 'a check that is still to come',
      shown: '[+]webhook-url ok',
      printed: '[+]webhook-url ok, but not checked yet',
      difference: undefined,
    },
    { given: 'lines that the document leaves out', shown: 'a\n...\nd', printed: 'a\nb\nc\nd', difference: undefined },
    { given: 'lines behind what the document shows', shown: 'a\n...', printed: 'a\nb', difference: undefined },
    { given: 'another line', shown: 'a\nb', printed: 'a\nc', difference: 'expected "b", got "c"' },
    { given: 'a line too few', shown: 'a\nb', printed: 'a', difference: 'expected "b", got "nothing more"' },
    { given: 'a line too many', shown: 'a', printed: 'a\nb', difference: 'got more than is shown: "b"' },
    { given: 'a line between that is not left out', shown: 'a\nc', printed: 'a\nb\nc', difference: 'expected "c", got "b"' },
    { given: 'lines left out, and the next one missing', shown: '...\nc', printed: 'a\nb', difference: 'expected "c", got "a"' },
  ])('given $given, then that is told', ({ shown, printed, difference }) => {
    expect(firstDifference(shown, printed)).toBe(difference);
  });
});

describe(walkScript, () => {
  const walked = (steps: readonly DocumentStep[]): readonly { printed: string; code: string }[] => {
    const folder = mkdtempSync(join(tmpdir(), 'walk-'));
    try {
      spawnSync('bash', ['--noprofile', '--norc'], { input: walkScript(steps, folder), cwd: folder });
      return steps.map((_, at) => {
        const { printed, code } = resultFiles(folder, at);
        return { printed: readFileSync(printed, 'utf8'), code: readFileSync(code, 'utf8').trim() };
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  };

  it('given aliases, functions and variables, when later steps use them, then they are there', () => {
    const steps = [
      step({ commands: 'alias greet=\'echo hello\'\nwho=you\nsay() { echo "$1 $who"; }' }),
      step({ commands: 'greet\nsay it', shows: 'hello\nit you' }),
    ];

    expect(walked(steps)).toEqual([
      { printed: '', code: '0' },
      { printed: 'hello\nit you\n', code: '0' },
    ]);
  });

  it('given a step that shows nothing, when any of its commands fails, then it failed', () => {
    const steps = [
      step({ commands: 'false\ntrue' }),
      step({ commands: 'one() { false && true; }\nfor _ in 1 2; do one; done\ntrue' }),
      step({ commands: 'false; true', shows: '' }),
      step({ commands: 'true' }),
    ];

    expect(walked(steps).map(({ code }) => code)).toEqual(['1', '1', '0', '0']);
  });

  it('given a step that stays running, when a later one ends it, then it hears SIGINT and how it ended is kept', () => {
    const waits = `node -e "process.on('SIGINT', () => { console.log('bye'); process.exit(3); }); console.log('up'); setInterval(() => {}, 1000)"`;
    const steps = [
      step({ commands: waits, staysRunning: true }),
      step({ commands: 'until grep -q up step-0.txt; do :; done' }),
      step({ commands: 'true', endsRunning: true }),
    ];

    expect(walked(steps).map(({ printed, code }) => [printed, code])).toEqual([
      ['up\nbye\n', '3'],
      ['', '0'],
      ['', '0'],
    ]);
  });
});
