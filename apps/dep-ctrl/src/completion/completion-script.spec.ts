import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { commands } from '../commands.js';
import { completionCommand } from '../commands/completion-command.js';
import { commandTree } from '../command-line/program.js';
import { runCli } from '../testing/run-cli.js';
import { SHELLS, completionScript } from './completion-script.js';

let dir = '';

/** What a real bash offers where the cursor stands behind the last of these words. */
function offered(...words: readonly string[]): readonly string[] {
  const ask = [
    'set -eu',
    'source "$1"',
    'COMP_WORDS=("${@:2}")',
    'COMP_CWORD=$((${#COMP_WORDS[@]} - 1))',
    '_dep_ctrl',
    'printf "%s\\n" "${COMPREPLY[@]}"',
  ];
  const args = ['--norc', '--noprofile', '-c', ask.join('\n'), 'bash', join(dir, 'completion.bash'), 'dep-ctrl', ...words];
  const printed = execFileSync('bash', args, { cwd: join(dir, 'files'), encoding: 'utf8' });
  return printed.split('\n').filter((line) => line !== '');
}

describe(completionScript, () => {
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'completion-'));
    writeFileSync(join(dir, 'completion.bash'), completionScript('bash', commands));
    mkdirSync(join(dir, 'files/folder'), { recursive: true });
    for (const name of ['rule.yaml', 'two words.yaml', '*.yaml']) writeFileSync(join(dir, 'files', name), '');
  });

  afterAll(() => {
    rmSync(dir, { recursive: true });
  });

  it('given the beginning of a command in bash, then the commands that begin so are offered, by each of their names', () => {
    expect(offered('b')).toEqual(['bootstrap', 'bind', 'backup']);
    expect(offered('ch')).toEqual(['check']);
    expect(offered('')).toEqual(expect.arrayContaining([...commands.map(({ name }) => name), 'help', '--help', '--version']));
  });

  it('given any command in bash, then every flag is offered, and no flag of another', () => {
    const tree = commandTree(commands);

    for (const command of tree.commands) {
      const flags = command.options.flatMap(({ short, long }) => [short, long].filter((flag) => flag !== undefined));
      expect([...offered(command.name(), '-')].toSorted()).toEqual([...flags, '-h', '--help'].toSorted());
    }
    expect(tree.commands.length).toBe(commands.length);
  });

  it.each([
    { given: 'a flag with few values', words: ['lint', '-o', ''], expected: ['json', 'sarif'] },
    { given: 'a flag with few values behind others', words: ['check', 'rule.yaml', '--strict', '--output', 's'], expected: ['sarif'] },
    { given: 'a value behind an equals sign', words: ['graph', '--output', '=', 'd'], expected: ['dot'] },
    { given: 'an equals sign', words: ['graph', '--output', '='], expected: ['mermaid', 'dot', 'json', 'svg'] },
    { given: 'a flag that takes a file', words: ['explain', '--kubeconfig', 'r'], expected: ['rule.yaml'] },
    { given: 'a flag that takes a folder', words: ['lint', '--schemas', ''], expected: ['folder'] },
    { given: 'a flag that takes a text', words: ['lint', '--workspace', ''], expected: [] },
    { given: 'an operand that is a file', words: ['lint', 't'], expected: ['two words.yaml'] },
    { given: 'an operand of few words', words: ['completion', ''], expected: [...SHELLS] },
    { given: 'an operand that only a kcp knows', words: ['explain', ''], expected: [] },
    { given: 'the name of a command behind help', words: ['help', 'gr'], expected: ['graph'] },
    { given: 'a command that there is not', words: ['nonsense', '-'], expected: [] },
  ])('given $given in bash, then what fits is offered', ({ words, expected }) => {
    expect(offered(...words)).toEqual(expected);
  });

  it('given files with names like patterns and of several words in bash, then each is offered as it is', () => {
    expect([...offered('lint', '')].toSorted()).toEqual(['*.yaml', 'folder', 'rule.yaml', 'two words.yaml']);
  });

  it.each(SHELLS)('given %s, then its script names every command and every flag', (shell) => {
    const script = completionScript(shell, commands);

    for (const command of commandTree(commands).commands) {
      expect(script).toContain(command.name());
      for (const { long = '' } of command.options) expect(script).toContain(shell === 'fish' ? ` -l ${long.slice(2)} ` : long);
    }
  });
});

describe('dep-ctrl completion', () => {
  it('given a shell, then its script is printed; given none or another, then exit 2 with what to write', async () => {
    const command = completionCommand(() => commands);
    const usage = 'error: give one shell, bash, zsh, fish, such as: dep-ctrl completion bash\n';

    expect(await runCli(command, ['zsh'])).toEqual({ code: 0, stdout: completionScript('zsh', commands), stderr: '' });
    for (const args of [[], ['tcsh'], ['bash', 'zsh']]) expect(await runCli(command, args)).toEqual({ code: 2, stdout: '', stderr: usage });
  });
});
