// The facts that a shell needs to complete a command line, read from commander's own tree, so that completion and parsing agree. Pure.
import type { Argument, Command as Commander, Option } from 'commander';

/** What stands after a flag, or as an operand. */
export type Completed =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'text' }
  | { readonly kind: 'files' }
  | { readonly kind: 'folders' }
  | { readonly kind: 'words'; readonly words: readonly string[] };

/** A flag with all its spellings. */
export interface CompletedFlag {
  readonly short?: string;
  readonly long?: string;
  /** One line. */
  readonly about: string;
  /** `nothing`: a switch. */
  readonly value: Completed;
  /** What the help calls the value. */
  readonly valueName: string;
}

/** A command with all its names. */
export interface CompletedCommand {
  readonly names: readonly string[];
  readonly about: string;
  readonly flags: readonly CompletedFlag[];
  readonly operand: Completed;
}

/** The program: its flags, and its commands. */
export interface CompletedProgram {
  readonly flags: readonly CompletedFlag[];
  readonly commands: readonly CompletedCommand[];
}

/** Reads the tree. */
export function completedProgram(program: Commander): CompletedProgram {
  const commands = program.commands.map(completedCommand);
  const words = commands.flatMap(({ names }) => names);
  const help = { names: ['help'], about: 'print the help of a command', flags: [], operand: { kind: 'words', words } as const };
  return { flags: flagsOf(program), commands: [...commands, help] };
}

function completedCommand(command: Commander): CompletedCommand {
  const [operand] = command.registeredArguments;
  return {
    names: [command.name(), ...command.aliases()],
    about: firstClause(command.description()),
    flags: flagsOf(command),
    operand: operand === undefined ? { kind: 'nothing' } : operandOf(operand),
  };
}

/** The help knows of the flag for help, which is no option of the command. */
function flagsOf(command: Commander): readonly CompletedFlag[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .map((option) => ({
      ...(option.short !== undefined && { short: option.short }),
      ...(option.long !== undefined && { long: option.long }),
      about: firstClause(option.description),
      value: valueOf(option),
      valueName: nameOf(option),
    }));
}

function nameOf({ flags }: Option): string {
  return /<(.+)>$/.exec(flags)?.[1] ?? '';
}

function valueOf(option: Option): Completed {
  if (option.argChoices !== undefined) return { kind: 'words', words: option.argChoices };
  const name = nameOf(option);
  return name === '' ? { kind: 'nothing' } : named(name);
}

/** `bash|zsh|fish` are words; FILE is a file. */
function operandOf(argument: Argument): Completed {
  const name = argument.name();
  return name.includes('|') ? { kind: 'words', words: name.split('|') } : named(name);
}

function named(name: string): Completed {
  if (name === 'FILE' || name === 'KUBECONFIG') return { kind: 'files' };
  return name === 'DIR' ? { kind: 'folders' } : { kind: 'text' };
}

function firstClause(text: string): string {
  return (/^.*?(?=[.:;](?:\s|$)|\s\((?:DEP_CTRL_|no variable))/.exec(text)?.[0] ?? text).trim();
}
