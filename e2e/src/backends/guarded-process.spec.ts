import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { GuardedProcess, guardArguments } from './guarded-process.js';

const dir = mkdtempSync(join(tmpdir(), 'dep-ctrl-guarded-'));
const logFile = join(dir, 'out.log');
const LONG = ['-c', 'echo $$; exec sleep 600'];

afterEach(() => rmSync(logFile, { force: true }));

/** Waits, turn by turn, until something is so; jest ends a test that never sees it. */
async function until<T>(look: () => T | undefined): Promise<T> {
  for (;;) {
    const found = look();
    if (found !== undefined) return found;
    await new Promise(setImmediate);
  }
}

function loggedPid(): number | undefined {
  const text = readFileSync(logFile, { encoding: 'utf8', flag: 'a+' });
  return text.endsWith('\n') ? Number(text) : undefined;
}

function isGone(pid: number): true | undefined {
  try {
    process.kill(pid, 0);
    return undefined;
  } catch {
    return true;
  }
}

describe(GuardedProcess, () => {
  it('given a running program, when it is stopped, then it is gone', async () => {
    const guarded = new GuardedProcess({ command: '/bin/sh', args: LONG, cwd: dir, logFile });
    const pid = await until(loggedPid);

    await guarded.stop();

    expect(guarded.running).toBe(false);
    await expect(until(() => isGone(pid))).resolves.toBe(true);
  });

  it('given a program that ends on SIGTERM, when it is stopped with a grace period, then it has ended by itself', async () => {
    const args = ['-c', 'trap "echo asked; exit" TERM; while :; do sleep 0.01; done'];
    const guarded = new GuardedProcess({ command: '/bin/sh', args: ['-c', `echo $$; exec /bin/sh "$0" "$1"`, ...args], cwd: dir, logFile });
    await until(loggedPid);

    await guarded.stop(5_000);

    expect(guarded.running).toBe(false);
  });

  it('given a program that has ended, when it is stopped, then nothing happens', async () => {
    const guarded = new GuardedProcess({ command: '/bin/true', args: [], cwd: dir, logFile });
    await until(() => (guarded.running ? undefined : true));

    await expect(guarded.stop()).resolves.toBeUndefined();
  });

  it('given a program that cleans up after itself, when its pipe ends, then it is asked to end', async () => {
    const cleaning = ['-c', 'trap "echo cleaned; exit" TERM; echo $$; while :; do sleep 0.01; done'];
    const shell = spawn('/bin/sh', guardArguments('/bin/sh', cleaning, 'TERM'), { stdio: ['pipe', openSync(logFile, 'a'), 'ignore'] });
    await until(loggedPid);

    shell.stdin?.end();
    await once(shell, 'exit');

    expect(readFileSync(logFile, 'utf8')).toMatch(/cleaned\n$/);
  });

  it('given whoever started the program, when that is killed with SIGKILL, then the program is gone too', async () => {
    const shell = JSON.stringify(guardArguments('/bin/sh', LONG));
    const options = `{ detached: true, stdio: ['pipe', require('node:fs').openSync(${JSON.stringify(logFile)}, 'a'), 'ignore'] }`;
    const starter = spawn(process.execPath, ['-e', `require('node:child_process').spawn('/bin/sh', ${shell}, ${options})`]);
    const pid = await until(loggedPid);
    expect(isGone(pid)).toBeUndefined();

    starter.kill('SIGKILL');
    await once(starter, 'exit');

    await expect(until(() => isGone(pid))).resolves.toBe(true);
  });
});
