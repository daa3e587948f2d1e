// A child process that cannot outlive us. Between us and the program stands a shell that reads a pipe we hold: when the pipe
// ends, for whatever reason (we stopped, crashed, or were killed with SIGKILL), it kills the program. Signals travel over the
// same pipe, so that only the shell ever needs to know the program's pid, and nothing is ever killed by name.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

// fd 3 is our pipe. `read` ends at EOF; a line is the name of a signal to pass on. $0 is the last signal.
const GUARD = `
exec 3<&0 </dev/null
"$@" 3<&- &
program=$!
{
  while read -r signal; do kill -s "$signal" "$program"; done
  kill -s "$0" "$program"
} <&3 2>/dev/null &
guard=$!
exec 3<&-
wait "$program"
status=$?
kill -s KILL "$guard" 2>/dev/null
exit "$status"
`;

// The kernel needs moments for a killed process, even a large one.
const KILL_MS = 5_000;

/** How to start a program. */
export interface ProgramStart {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Where stdout and stderr are appended. */
  readonly logFile: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What it is sent when we are gone; TERM where it has to clean up after itself. */
  readonly lastSignal?: 'KILL' | 'TERM';
}

/** A program as those see it who only want to know and to end it. */
export interface RunningProgram {
  readonly running: boolean;
  /** Ends it at once, as a crash does; with a time of grace it is asked to end first, where that can be asked. */
  stop(graceMs?: number): Promise<void>;
}

/** The arguments with which `/bin/sh` runs a program until its stdin ends. */
export function guardArguments(command: string, args: readonly string[], lastSignal: 'KILL' | 'TERM' = 'KILL'): string[] {
  return ['-c', GUARD, lastSignal, command, ...args];
}

/** A running program that ends when we do. */
export class GuardedProcess implements RunningProgram {
  readonly #shell: ChildProcess;
  readonly #closed: Promise<unknown>;
  readonly what: string;

  constructor(start: ProgramStart) {
    this.what = start.command;
    const log = openSync(start.logFile, 'a');
    this.#shell = spawn('/bin/sh', guardArguments(start.command, start.args, start.lastSignal), {
      cwd: start.cwd,
      detached: true,
      stdio: ['pipe', log, log],
      env: { ...process.env, ...start.env },
    });
    closeSync(log);
    this.#closed = once(this.#shell, 'exit');
    this.#shell.stdin?.on('error', () => undefined); // the program went first: its end is seen by `running`
  }

  /** Whether the program is still there. */
  get running(): boolean {
    return this.#shell.exitCode === null && this.#shell.signalCode === null;
  }

  /** Sends a signal; the program may be gone already. */
  signal(name: 'TERM' | 'KILL' | 'STOP' | 'CONT'): void {
    this.#shell.stdin?.write(`${name}\n`);
  }

  /** Ends the program: asks, and after the grace period insists. */
  async stop(graceMs = 0): Promise<void> {
    if (graceMs > 0) {
      this.signal('TERM');
      await this.#endedWithin(graceMs);
    }
    this.signal('KILL');
    if (!(await this.#endedWithin(KILL_MS))) this.#killGroup();
    await this.#closed;
    this.#shell.stdin?.end();
  }

  async #endedWithin(ms: number): Promise<boolean> {
    const timer = new AbortController();
    const late = sleep(ms, false, { signal: timer.signal }).catch(() => false);
    const ended = await Promise.race([this.#closed.then(() => true), late]);
    timer.abort();
    return ended;
  }

  // Should the shell's reader be gone: the shell leads a group of its own, and its pid is ours until we have seen its end.
  #killGroup(): void {
    if (this.running && this.#shell.pid !== undefined) process.kill(-this.#shell.pid, 'SIGKILL');
  }
}
