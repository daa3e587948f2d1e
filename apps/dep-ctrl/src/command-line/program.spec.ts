import { describe, expect, it } from '@jest/globals';
import { notParsed, parsed } from '@dep-ctrl/kcp-names';
import { type Command, parseText, repeated, required, toggle, UsageError } from '@dep-ctrl/command-settings';
import { defineCommand } from './define-command.js';
import { runProgram } from './program.js';

const greet = (run: (text: string) => void = () => undefined): Command =>
  defineCommand({
    name: 'greet',
    aliases: ['hail'],
    about: 'Greets people.',
    operands: 'NAME...',
    settings: {
      word: required({ flag: '--word', short: '-w', value: 'WORD', about: 'what to say', parse: parseText }),
      also: repeated({ flag: '--also', value: 'NAME', about: 'one more', parse: parseText }),
      loud: toggle('--loud', 'in capitals'),
    },
    examples: ['dep-ctrl greet --word hello bob'],
    check: (values, names) => (names.length === 0 ? notParsed('a NAME is missing') : parsed({ ...values, names })),
    run: ({ word, also, loud, names }) => {
      const text = [word, ...names, ...also].join(' ');
      run(loud ? text.toUpperCase() : text);
      return Promise.resolve();
    },
  });

const leave: Command = defineCommand({
  name: 'leave',
  about: 'Leaves.',
  settings: {},
  examples: [],
  check: () => parsed({}),
  run: () => Promise.resolve(),
});

async function run(argv: readonly string[], { command = greet(), env = {} }: { command?: Command; env?: Record<string, string> } = {}) {
  const written = { stdout: '', stderr: '' };
  const code = await runProgram([command, leave], argv, {
    env,
    stdout: { isTerminal: false, write: (text) => void (written.stdout += text) },
    stderr: { isTerminal: false, write: (text) => void (written.stderr += text) },
    signal: new AbortController().signal,
  });
  return { code, ...written };
}

describe(runProgram, () => {
  it('given flags, repeated flags and operands, then the command gets them and the exit code is 0', async () => {
    const said: string[] = [];

    const { code } = await run(['greet', '-w', 'hello', '--also', 'a', '--also', 'b', '--loud', 'bob'], {
      command: greet((text) => said.push(text)),
    });

    expect({ code, said }).toEqual({ code: 0, said: ['HELLO BOB A B'] });
  });

  it('given another name of a command, then the command runs, with its switches spelled out too; help knows the name as well', async () => {
    const said: string[] = [];

    const { code } = await run(['hail', '-w', 'hello', '--loud=true', 'bob'], { command: greet((text) => said.push(text)) });
    const help = await run(['help', 'hail']);

    expect({ code, said }).toEqual({ code: 0, said: ['HELLO BOB'] });
    expect(help.stdout).toContain('greet|hail [options]');
  });

  it('given a variable instead of a flag, then it counts', async () => {
    const said: string[] = [];

    await run(['greet', 'bob'], { command: greet((text) => said.push(text)), env: { DEP_CTRL_WORD: 'moin' } });

    expect(said).toEqual(['moin bob']);
  });

  it.each([
    { given: 'no command', argv: [], line: 'error: a command is missing: expected one of greet, leave\n' },
    {
      given: 'a command with a typo',
      argv: ['greed'],
      line: 'error: there is no command "greed": expected one of greet, leave (Did you mean greet?)\n',
    },
    {
      given: 'a command with a typo behind help',
      argv: ['help', 'greed'],
      line: 'error: there is no command "greed": expected one of greet, leave (Did you mean greet?)\n',
    },
    { given: 'a command like no other', argv: ['xyzzy'], line: 'error: there is no command "xyzzy": expected one of greet, leave\n' },
    {
      given: 'an unknown command with a flag behind it, which is not what is wrong',
      argv: ['great', '--word', 'x'],
      line: 'error: there is no command "great": expected one of greet, leave (Did you mean greet?)\n',
    },
    {
      given: 'a flag of a command before the command',
      argv: ['--word', 'x', 'greet'],
      line: "error: unknown option '--word': flags come after the command, which is one of greet, leave\n",
    },
    { given: 'a flag that no command has, before one', argv: ['--xyzzy', 'greet'], line: "error: unknown option '--xyzzy'\n" },
    { given: 'an unknown flag', argv: ['greet', '--xyzzy', 'x'], line: "error: unknown option '--xyzzy'\n" },
    {
      given: 'a flag that another command takes',
      argv: ['leave', '--word', 'x'],
      line: "error: unknown option '--word': leave does not take it, greet does\n",
    },
    { given: 'a flag with a typo', argv: ['greet', '--wurd', 'x'], line: "error: unknown option '--wurd' (Did you mean --word?)\n" },
    {
      given: 'a switch that is neither on nor off',
      argv: ['greet', '-w', 'hello', '--loud=maybe', 'bob'],
      line: 'error: --loud must be "true" or "false", not "maybe"\n',
    },
    { given: 'an operand that nobody asked for', argv: ['leave', 'now'], line: 'error: leave takes flags only: leave out "now"\n' },
    { given: 'a flag without its value', argv: ['greet', '--word'], line: "error: option '-w, --word <WORD>' argument missing\n" },
    { given: 'a missing flag', argv: ['greet', 'bob'], line: 'error: --word is missing: give it, or set DEP_CTRL_WORD\n' },
    { given: 'an inconsistent usage', argv: ['greet', '-w', 'hello'], line: 'error: a NAME is missing\n' },
  ])('given $given, then one line says what to write and the exit code is 2', async ({ argv, line }) => {
    expect(await run(argv)).toEqual({ code: 2, stdout: '', stderr: line });
  });

  it('given a switch that is spelled out, then it overrules its variable', async () => {
    const said: string[] = [];

    await run(['greet', '-w', 'hello', 'bob', '--loud=false'], {
      command: greet((text) => said.push(text)),
      env: { DEP_CTRL_LOUD: 'true' },
    });

    expect(said).toEqual(['hello bob']);
  });

  it.each([
    {
      given: 'a failure',
      error: new Error('cannot do it', { cause: new Error('disk\n full') }),
      code: 1,
      line: 'error: cannot do it: disk full\n',
    },
    {
      given: 'a usage that only the work could check',
      error: new UsageError('--word must be kind'),
      code: 2,
      line: 'error: --word must be kind\n',
    },
  ])('given $given, then one line tells it and the exit code is $code', async ({ error, code, line }) => {
    const command = greet(() => {
      throw error;
    });

    expect(await run(['greet', '-w', 'hello', 'bob'], { command })).toEqual({ code, stdout: '', stderr: line });
  });

  it.each([
    ['greet', '--help'],
    ['help', 'greet'],
  ])('given %s %s, then flags, variables and examples are explained on stdout', async (...argv) => {
    const { code, stdout } = await run(argv);

    expect(code).toBe(0);
    for (const text of ['Greets people.', '--loud  ', '-w, --word <WORD>', 'DEP_CTRL_WORD', 'dep-ctrl greet --word hello bob'])
      expect(stdout).toContain(text);
  });

  it.each([[['help']], [['help', 'help']]])('given %j, then all commands are listed on stdout', async (argv) => {
    expect(await run(argv)).toEqual({ code: 0, stdout: expect.stringContaining('greet|hail [options]'), stderr: '' });
  });

  it('given the help of the program, then its usage names the command once, and no line of any help is wider than the others may be', async () => {
    const whole = await run(['--help']);
    const one = await run(['greet', '--help']);

    expect(whole.stdout).toContain('Usage: dep-ctrl [options] [command]\n');
    for (const { stdout } of [whole, one]) expect(Math.max(...stdout.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(120);
  });

  it('given --version, then it is printed', async () => {
    expect(await run(['--version'])).toEqual({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+/), stderr: '' });
  });
});
