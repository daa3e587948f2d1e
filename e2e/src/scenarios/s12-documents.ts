import { spawn } from 'node:child_process';
import { deepEqual } from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { once } from 'node:events';
import { documentSteps, type DocumentStep } from '../documents/document-steps.js';
import { firstDifference } from '../documents/shown-lines.js';
import { resultFiles, walkScript } from '../documents/walk-script.js';
import { freePorts } from '../backends/free-ports.js';
import type { Scenario } from './scenario.js';
import type { World } from './world.js';

// On a busy machine; without anything else running the walk takes a quarter of it.
const WALK_MS = 240_000;

/** S12: what documents tell people to type. */
export const documents: readonly Scenario[] = [
  {
    id: 'S12.1',
    title: 'every command of getting-started.md, run as written on this kcp, does and prints what the page says',
    needs: ['kubectl', 'one-shard'],
    since: '0.31.0',
    // It ends with uninstall, which also removes rights of installations that other scenarios have just lost.
    exclusive: () => 'everything',
    slow: true,
    run: async (world) => {
      const document = process.env['DEP_CTRL_GETTING_STARTED'];
      if (document === undefined) throw new Error('DEP_CTRL_GETTING_STARTED is not set: run e2e/run.mjs');
      const ports = await freePorts('webhook', 'health', 'metrics');
      // What a reader has to put in too: where the kcp is, and a port that is free.
      const steps = documentSteps(readFileSync(document, 'utf8')).map((step) => ({
        ...step,
        commands: filledIn(step.commands, {
          'PATH_TO_KCP/.kcp/admin.kubeconfig': `'${world.kcp.backend.shards[0].adminKubeconfig}'`,
          'https://127.0.0.1:6443': world.kcp.backend.shards[0].url,
          'http://127.0.0.1:8081': `http://127.0.0.1:${String(ports.health)}`,
        }),
      }));

      const folder = cloneLike(world, dirname(dirname(document)));
      await walk(steps, folder, {
        DEP_CTRL_WEBHOOK_PORT: String(ports.webhook),
        DEP_CTRL_HEALTH_PROBE_BIND_ADDRESS: `127.0.0.1:${String(ports.health)}`,
        DEP_CTRL_METRICS_BIND_ADDRESS: `127.0.0.1:${String(ports.metrics)}`,
      });

      deepEqual(
        steps.flatMap((step, at) => problemOf(step, resultFiles(folder, at))),
        [],
      );
    },
  },
];

function filledIn(commands: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce((text, [placeholder, value]) => text.replaceAll(placeholder, value), commands);
}

/** A folder that looks like a clone in which `npm ci` has run, and in which the commands may leave what they write. */
function cloneLike({ kcp }: World, root: string): string {
  const folder = mkdtempSync(join(kcp.backend.workDir, 'clone-'));
  symlinkSync(join(root, 'deploy'), join(folder, 'deploy'));
  mkdirSync(join(folder, 'tools'));
  const start = JSON.stringify(join(root, 'tools/start.mjs'));
  writeFileSync(join(folder, 'tools/start.mjs'), `process.argv[1] = ${start};\nawait import(${start});\n`);
  return folder;
}

async function walk(steps: readonly DocumentStep[], folder: string, env: Readonly<Record<string, string>>): Promise<void> {
  const { KUBECONFIG: _, ...own } = process.env;
  const script = join(folder, 'walk.sh');
  writeFileSync(script, walkScript(steps, folder));
  const shell = spawn('bash', ['--noprofile', '--norc', script], { cwd: folder, env: { ...own, HOME: folder, ...env }, stdio: 'ignore' });
  const late = setTimeout(() => shell.kill('SIGTERM'), WALK_MS);
  await once(shell, 'exit');
  clearTimeout(late);
}

function problemOf(step: DocumentStep, { printed, code }: ReturnType<typeof resultFiles>): readonly string[] {
  const what = `${step.part}: ${step.commands.split('\n').at(-1) ?? ''}`;
  if (!existsSync(code)) return [`${what}: the walk did not come to its end`];
  // Other scenarios leave installations behind, on a kcp that has only one in the document.
  const text = existsSync(printed)
    ? readFileSync(printed, 'utf8').replace('guard of this installation is left', 'guard of dep-ctrl is left')
    : '';
  const failed = readFileSync(code, 'utf8').trim() !== '0';
  if (step.shows === undefined) return failed ? [`${what}: failed: ${text.slice(-500)}`] : [];
  const difference = firstDifference(step.shows, text);
  return difference === undefined ? [] : [`${what}: ${difference}`];
}
