import { execFile } from 'node:child_process';

/** What a command printed and how it ended. */
export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command of the program to its end. */
export function runProgram(program: string, args: readonly string[]): Promise<CommandResult> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], { timeout: 120_000 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : 1, stdout, stderr });
    });
  });
}

/** The same for a command that must do what it is told. */
export async function succeed(program: string, args: readonly string[]): Promise<CommandResult> {
  const result = await runProgram(program, args);
  if (result.code !== 0) throw new Error(`dep-ctrl ended with ${result.code}: ${result.stderr || result.stdout}`);
  return result;
}
