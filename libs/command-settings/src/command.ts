import type { Parsed } from '@dep-ctrl/kcp-names';
import { readSettings, type Settings, type ValuesOf } from './setting.js';

/** The process as commands see it. Nothing below main.ts reads `process` for these. */
export interface World {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Results. */
  readonly stdout: Output;
  /** Logs and the one line that says what went wrong. */
  readonly stderr: Output;
  /** What is piped in; absent: nothing. */
  readonly stdin?: AsyncIterable<Uint8Array>;
  /** Aborted by the first SIGTERM or SIGINT. */
  readonly signal: AbortSignal;
}

/** A stream that commands write to. */
export interface Output {
  readonly isTerminal: boolean;
  write(text: string): void;
}

/** What the command line says after the command's name. */
export interface Invocation {
  readonly given: ReadonlyMap<string, readonly string[]>;
  readonly operands: readonly string[];
}

/** A command, ready to be listed, explained and run. */
export interface Command {
  readonly name: string;
  /** Other names that do the same. */
  readonly aliases?: readonly string[];
  readonly about: string;
  /** What follows the flags, as the help shows it: `PATH...`. */
  readonly operands?: string;
  /** What the exit codes mean, where they mean more than done, failed and wrong usage. */
  readonly exits?: string;
  /** It writes, and if it is stopped half-way, running it again finishes the work. */
  readonly isSafeToRepeat?: boolean;
  readonly settings: Settings;
  /** Command lines worth copying. */
  readonly examples: readonly string[];
  /** Typed values, or what is wrong with the usage; then the work itself. */
  readonly prepare: (invocation: Invocation, env: World['env']) => Parsed<(world: World) => Promise<void>>;
}

/** The usage is wrong: exit 2. The message names the flag and what it should be. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** What a command is made of. */
export interface Definition<S extends Settings, T> {
  readonly name: string;
  /** Other names that do the same. */
  readonly aliases?: readonly string[];
  readonly about: string;
  readonly operands?: string;
  readonly exits?: string;
  readonly isSafeToRepeat?: boolean;
  readonly settings: S;
  readonly examples: readonly string[];
  /** Pure: refuses flags that do not go together. */
  readonly check: (values: ValuesOf<S>, operands: readonly string[]) => Parsed<T>;
  readonly run: (checked: T, world: World) => Promise<void>;
}

/** Defines a command whose variables begin with the prefix; its types stay inside. */
export function defineCommandOf<S extends Settings, T>(prefix: string, { check, run, ...command }: Definition<S, T>): Command {
  return {
    ...command,
    prepare: ({ given, operands }, env) => {
      const values = readSettings(command.settings, given, { env, prefix });
      if (!values.ok) return values;
      const checked = check(values.value, operands);
      return checked.ok ? { ok: true, value: (world) => run(checked.value, world) } : checked;
    },
  };
}
