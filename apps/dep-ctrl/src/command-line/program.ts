// The command line: commander reads the arguments and prints the help, our code does the rest. Exit codes: 0 done, 1 failed, 2 wrong usage.
import { isKcpError } from '@dep-ctrl/kcp-client';
import { CommanderError, Command as Commander, Option } from 'commander';
import { type Command, describeFailure, type Setting, UsageError, type World } from '@dep-ctrl/command-settings';
import { variableOf } from './define-command.js';
import { VERSION } from './version.js';

/** What a process of ours exits with. */
export type ExitCode = 0 | 1 | 2;

/** What the exit codes mean, unless a command says more. */
export const EXITS = '0 done, 1 failed, 2 wrong usage';

/** Runs one command line to its end. Never throws; a failure is printed to stderr, on one line. */
export async function runProgram(commands: readonly Command[], argv: readonly string[], world: World): Promise<ExitCode> {
  const { plain, spelledOut } = takeSpelledOut(commands, argv);
  const program = build(commands, spelledOut, world);
  try {
    if (argv.length === 0) throw new UsageError(`a command is missing: expected one of ${namesOf(commands)}`);
    await program.parseAsync([...helpOfNone(commands, plain)], { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) {
      const problem = misreading(error, argv, commands);
      if (problem !== undefined) world.stderr.write(`${problem}\n`);
      return error.exitCode === 0 ? 0 : 2;
    }
    const told = interruption(error, commandNamed(commands, plain[0]), world.signal) ?? describeFailure(error);
    world.stderr.write(`error: ${told}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

/** What to say if the command failed because it was told to stop; undefined where that is not why. */
function interruption(error: unknown, command: Command | undefined, signal: AbortSignal): string | undefined {
  if (!signal.aborted) return undefined;
  // One that writes gathers its failures, and the reason is among them.
  if (command?.isSafeToRepeat === true) return 'interrupted; what was written stays; run it again, it is safe to repeat';
  return isOfAbort(error, signal) ? 'interrupted' : undefined;
}

function isOfAbort(error: unknown, signal: AbortSignal): boolean {
  if (error === signal.reason || isKcpError(error, 'aborted')) return true;
  const { cause } = (error ?? {}) as { readonly cause?: unknown };
  return cause !== undefined && isOfAbort(cause, signal);
}

/** For an unknown command commander prints the help of all commands and no reason, so `help al` is read as `al`. */
function helpOfNone(commands: readonly Command[], argv: readonly string[]): readonly string[] {
  const [first, asked] = argv;
  if (first !== 'help' || asked === undefined || asked.startsWith('-')) return argv;
  return commandNamed(commands, asked) === undefined ? [asked] : argv;
}

function commandNamed(commands: readonly Command[], word: string | undefined): Command | undefined {
  return commands.find(({ name, aliases = [] }) => word !== undefined && [name, ...aliases].includes(word));
}

/** What commander could not read, on one line; undefined where it has printed a help or the version. */
function misreading(
  { code, exitCode, message }: CommanderError,
  [first = '']: readonly string[],
  commands: readonly Command[],
): string | undefined {
  if (exitCode === 0 || code === 'commander.help') return undefined;
  // With its suggestion commander takes two lines.
  const line = message.trim().replaceAll(/\s*\n\s*/g, ' ');
  const names = namesOf(commands);
  if (code === 'commander.unknownCommand') {
    const [, name = '', suggestion] = /unknown command '(.*?)'(?: (\(Did you mean .*\)))?$/.exec(line) ?? [];
    return [`error: there is no command ${JSON.stringify(name)}: expected one of ${names}`, suggestion ?? []].flat().join(' ');
  }
  const [leading = ''] = first.split('=');
  if (takers(commands, leading).length > 0) return `${line}: flags come after the command, which is one of ${names}`;
  const [, flag = ''] = code === 'commander.unknownOption' ? (/'(-[^'=]*)/.exec(line) ?? []) : [];
  const others = takers(commands, flag);
  const asked = commandNamed(commands, first)?.name;
  return asked === undefined || others.length === 0
    ? line
    : `error: unknown option '${flag}': ${asked} does not take it, ${namesOf(others)} ${others.length === 1 ? 'does' : 'do'}`;
}

/** The commands that take a flag. */
function takers(commands: readonly Command[], flag: string): readonly Command[] {
  return commands.filter(({ settings }) => Object.values(settings).some((each) => flag === each.flag || flag === each.short));
}

function namesOf(commands: readonly Command[]): string {
  return commands.map(({ name }) => name).join(', ');
}

/** What the command line gave, by flag. */
type Given = ReadonlyMap<string, readonly string[]>;

/** Switches that are spelled out, `--leader-elect=false`: that is how manifests set them, and how a variable is overruled. commander has no such thing. */
function takeSpelledOut(
  commands: readonly Command[],
  argv: readonly string[],
): { readonly plain: readonly string[]; readonly spelledOut: Given } {
  const settings = Object.values(commandNamed(commands, argv[0])?.settings ?? {});
  const switches = new Set(settings.filter(({ value }) => value === undefined).map(({ flag }) => flag));
  const spelledOut = new Map<string, readonly string[]>();
  const plain = argv.filter((argument) => {
    const [, flag = '', text = ''] = /^(--[^=]+)=(.*)$/s.exec(argument) ?? [];
    if (!switches.has(flag)) return true;
    spelledOut.set(flag, [text]);
    return false;
  });
  return { plain, spelledOut };
}

/** The commands and their flags as commander knows them, to be looked at and not to be run. */
export function commandTree(commands: readonly Command[]): Commander {
  const nobody = { isTerminal: false, write: () => undefined };
  return build(commands, new Map(), { env: {}, stdout: nobody, stderr: nobody, signal: AbortSignal.abort() });
}

function build(commands: readonly Command[], spelledOut: Given, world: World): Commander {
  const program = new Commander('dep-ctrl')
    .description('Foreign keys for kcp: a delete of what is still referenced is refused.')
    .version(VERSION, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .usage('[options] [command]')
    .addHelpText(
      'after',
      '\nThe help of a command names the environment variables of its flags: --webhook-url = DEP_CTRL_WEBHOOK_URL.\nStart with: dep-ctrl dev',
    );
  settle(program, world);
  for (const command of commands) program.addCommand(settle(toCommander(command, spelledOut, world), world));
  return program;
}

// The same in a terminal, a pipe and a file.
const HELP_WIDTH = 120;

function settle(commander: Commander, world: World): Commander {
  return (
    commander
      .exitOverride()
      .allowExcessArguments()
      // What a flag takes stands in its description already.
      .configureHelp({ optionDescription: ({ description }) => description })
      .configureOutput({
        writeOut: (text) => world.stdout.write(text),
        writeErr: (text) => world.stderr.write(text),
        getOutHelpWidth: () => HELP_WIDTH,
        getErrHelpWidth: () => HELP_WIDTH,
        // It comes with the CommanderError, and is told from there.
        outputError: () => undefined,
      })
  );
}

function toCommander(command: Command, spelledOut: Given, world: World): Commander {
  const commander = new Commander(command.name).description(command.about).helpOption('-h, --help', 'print this help');
  if (command.aliases !== undefined) commander.aliases(command.aliases);
  if (command.operands !== undefined) commander.argument(`[${command.operands}]`);
  const given = new Map(spelledOut);
  for (const setting of Object.values(command.settings)) commander.addOption(toOption(setting, given));
  if (command.examples.length > 0) commander.addHelpText('after', `\nExamples:\n${command.examples.map((line) => `  ${line}\n`).join('')}`);
  commander.addHelpText('after', `Exit: ${command.exits ?? EXITS}`);
  commander.action(async () => {
    const [surplus] = command.operands === undefined ? commander.args : [];
    if (surplus !== undefined) throw new UsageError(`${command.name} takes flags only: leave out ${JSON.stringify(surplus)}`);
    const prepared = command.prepare({ given, operands: commander.args }, world.env);
    if (!prepared.ok) throw new UsageError(prepared.problem);
    await prepared.value(world);
  });
  return commander;
}

function toOption(setting: Setting<unknown>, given: Map<string, readonly string[]>): Option {
  const dashes = setting.short === undefined ? setting.flag : `${setting.short}, ${setting.flag}`;
  const variable = variableOf(setting) ?? 'no variable';
  const fallback = setting.fallback === undefined ? '' : `, default ${setting.fallback}`;
  const option = new Option(
    setting.value === undefined ? dashes : `${dashes} <${setting.value}>`,
    `${setting.about} (${variable}${fallback})`,
  );
  if (setting.choices !== undefined) option.choices(setting.choices);
  // A switch comes without a text; the last of a flag's values counts unless it may be repeated.
  return option.argParser((text: string | undefined) => {
    const before = setting.repeatable === true ? (given.get(setting.flag) ?? []) : [];
    given.set(setting.flag, [...before, text ?? 'true']);
    return text;
  });
}
