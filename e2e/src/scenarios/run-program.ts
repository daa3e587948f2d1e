import { execFile } from 'node:child_process';

/** What a command printed and how it ended. */
export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that runs. */
export interface BegunCommand {
  /** What it has printed to stderr so far. */
  readonly told: () => string;
  readonly ended: Promise<CommandResult>;
}

/** Begins a command of the program. */
export function beginProgram(program: string, args: readonly string[]): BegunCommand {
  let told = '';
  const ended = new Promise<CommandResult>((resolve) => {
    const child = execFile(process.execPath, [program, ...args], { timeout: 120_000 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : 1, stdout, stderr });
    });
    child.stderr?.on('data', (chunk) => (told += String(chunk)));
  });
  return { told: () => told, ended };
}

/** Runs a command of the program to its end. */
export function runProgram(program: string, args: readonly string[]): Promise<CommandResult> {
  return beginProgram(program, args).ended;
}

/** The same for a command that must do what it is told. */
export async function succeed(program: string, args: readonly string[]): Promise<CommandResult> {
  const result = await runProgram(program, args);
  if (result.code !== 0) throw new Error(`dep-ctrl ended with ${result.code}: ${result.stderr || result.stdout}`);
  return result;
}
