// The process itself: signals in, exit code out.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

// Builds the bundle where it is older than the sources, and runs it in the same process.
const START = fileURLToPath(new URL('../../../tools/start.mjs', import.meta.url));
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const WITHIN_MS = 120_000;

describe('the process', () => {
  it.each<{ given: string; signals: readonly NodeJS.Signals[]; expected: number }>([
    { given: 'one SIGTERM', signals: ['SIGTERM'], expected: 0 },
    { given: 'one SIGINT', signals: ['SIGINT'], expected: 0 },
    { given: 'a SIGTERM and a SIGINT, in whichever order they arrive,', signals: ['SIGINT', 'SIGTERM'], expected: 1 },
  ])(
    'given $given while it serves, then it exits $expected',
    async ({ signals, expected }) => {
      const dir = await mkdtemp(join(tmpdir(), 'dep-ctrl-main-'));
      const child = spawn(process.execPath, [START, 'dev', '--empty', '--port', '0', '--dir', dir], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      for await (const text of child.stdout.setEncoding('utf8')) if (String(text).includes('Ctrl-C ends it')) break;

      const exited = once(child, 'exit');
      for (const signal of signals) child.kill(signal);

      expect(await exited).toEqual([expected, null]);
      await rm(dir, { recursive: true });
    },
    WITHIN_MS,
  );

  it.each<NodeJS.Signals>(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'])(
    'given that npm started it where its user stands, then its files are there, and when %s ends npm alone it ends too',
    async (signal) => {
      const dir = await mkdtemp(join(tmpdir(), 'dep-ctrl-npm-'));
      const npm = spawn('npm', ['start', '--silent', '--prefix', ROOT, '--', '--empty', '--port', '0', '--dir', 'mine'], {
        cwd: dir,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      // Its output closes when the last process that can write to it has ended.
      const closed = once(npm, 'close');
      for await (const text of npm.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false }))
        if (String(text).includes('Ctrl-C ends it')) break;
      npm.stdout.resume();
      await access(join(dir, 'mine/admin.kubeconfig'));

      npm.kill(signal);

      await closed;
      await rm(dir, { recursive: true });
    },
    WITHIN_MS,
  );
});
