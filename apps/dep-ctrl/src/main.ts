// The process: signals in, exit code out. The only place that reads `process` and that exits.
import { writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import type { Output } from '@dep-ctrl/command-settings';
import './small-heap.js';
import { commands } from './commands.js';
import { runProgram } from './command-line/program.js';

// One Ctrl-C in a terminal arrives twice when npm stands in between, which passes it on: within this time it counts once.
const SAME_KEY_PRESS_MS = 250;

async function main(): Promise<void> {
  const stop = new AbortController();
  let first: { readonly signal: NodeJS.Signals; readonly at: number } | undefined;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      const at = performance.now();
      const isSameKeyPress = signal === 'SIGINT' && first?.signal === 'SIGINT' && at - first.at < SAME_KEY_PRESS_MS;
      if (first !== undefined && !isSameKeyPress) process.exit(1);
      first ??= { signal, at };
      stop.abort();
    });
  }
  // A reader that goes away (`dep-ctrl ... | head`) is no failure of ours.
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') process.exit(0);
    writeSync(process.stderr.fd, `error: the output cannot be written: ${message}\n`);
    process.exit(1);
  });
  const code = await runProgram(commands, process.argv.slice(2), {
    env: process.env,
    stdout: toOutput(process.stdout),
    stderr: toOutput(process.stderr),
    // Node opens it when it is first looked at.
    get stdin() {
      return process.stdin;
    },
    signal: stop.signal,
  });
  // Written text first: a pipe may still be full when the work is done.
  await Promise.all([process.stdout, process.stderr].map((stream) => new Promise((resolve) => stream.write('', resolve))));
  process.exit(code);
}

function toOutput(stream: NodeJS.WriteStream & { readonly fd: number }): Output {
  return { isTerminal: isatty(stream.fd), write: (text) => void stream.write(text) };
}

void main();
