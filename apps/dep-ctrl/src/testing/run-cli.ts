import { Readable } from 'node:stream';
import type { Command } from '@dep-ctrl/command-settings';
import { runProgram, type ExitCode } from '../command-line/program.js';

/** What a command line did. */
export interface CliRun {
  readonly code: ExitCode;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command line in this process, without its environment. */
export async function runCli(
  command: Command,
  argv: readonly string[],
  { signal = new AbortController().signal, stdin = '' }: { readonly signal?: AbortSignal; readonly stdin?: string } = {},
): Promise<CliRun> {
  const printed = { stdout: '', stderr: '' };
  const code = await runProgram([command], [command.name, ...argv], {
    env: {},
    stdout: { isTerminal: false, write: (text) => void (printed.stdout += text) },
    stderr: { isTerminal: false, write: (text) => void (printed.stderr += text) },
    stdin: Readable.from([Buffer.from(stdin)]),
    signal,
  });
  return { code, ...printed };
}
