import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { readFileSync, statSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Connection, isKcpError, systemClock } from '@dep-ctrl/kcp-client';
import { loadKubeconfig } from '@dep-ctrl/kcp-client/kubeconfig';
import { RULES } from '@dep-ctrl/rule-registry';
import { parse } from 'yaml';
import { until } from '@dep-ctrl/kcp-objects';
import { devCommand } from '../commands/dev-command.js';
import { runProgram } from '../command-line/program.js';
import { DEV_PATHS } from './dev-paths.js';
import { vmDependencies } from './provider-manifests.js';

// The story takes 2 to 4 s on an idle machine.
const STORY_MS = 60_000;

/** Runs `dep-ctrl dev` in this process, in a folder of its own. `onText` sees everything that was printed so far. */
async function dev(
  flags: readonly string[],
  {
    onText = () => undefined,
    dir = newFolder(),
  }: { onText?: (text: string, stop: () => void) => void; dir?: string | Promise<string> } = {},
) {
  return runIn(await dir, flags, onText);
}

const newFolder = () => mkdtemp(join(tmpdir(), 'dep-ctrl-dev-'));

async function runIn(dir: string, flags: readonly string[], onText: (text: string, stop: () => void) => void) {
  const stop = new AbortController();
  const printed = { stdout: '', stderr: '' };
  const code = await runProgram([devCommand], ['dev', '--dir', dir, '--port', '0', ...flags], {
    env: {},
    stdout: {
      isTerminal: false,
      write: (text) => {
        printed.stdout += text;
        onText(printed.stdout, () => stop.abort());
      },
    },
    stderr: { isTerminal: false, write: (text) => void (printed.stderr += text) },
    signal: stop.signal,
  });
  return { code, dir, ...printed };
}

describe('dep-ctrl dev', () => {
  it(
    'given --once, then the VPC is refused because of the VM and goes once that is gone, as the README shows, and the exit code is 0',
    async () => {
      const { code, stdout, stderr, dir } = await dev(['--once']);

      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const told = stdout.replaceAll(/^ *(?:\d+\.\d\ds)? +/gm, '');
      expect(told).toContain(
        [
          'team-a$ kubectl delete vpc my-vpc',
          'Error from server (Forbidden): admission webhook "dependency-controller.dependencies.opendefense.cloud" denied the request: ' +
            'cannot delete vpcs/my-vpc: still referenced by VirtualMachine/my-vm, says rule root:providers:compute/vm-dependencies; first change its reference or delete it: kubectl delete virtualmachines.compute.example.com my-vm -n default',
          'team-a$ kubectl delete virtualmachine my-vm',
          'virtualmachine.compute.example.com "my-vm" deleted',
          'team-a$ kubectl delete vpc my-vpc',
          'vpc.network.example.com "my-vpc" deleted',
        ].join('\n'),
      );
      for (const line of await linesOfReadme()) expect(told).toContain(`${line}\n`);
      expect(await readdir(dir)).toEqual([]);
      await rm(dir, { recursive: true });
    },
    STORY_MS,
  );

  it(
    'given --empty and two shards, then it serves until it is told to stop, with a context per workspace in a private file',
    async () => {
      const dir = await newFolder();
      const file = join(dir, 'admin.kubeconfig');
      const seen = { text: '', mode: 0 };
      const { code, stdout } = await dev(['--empty', '--shards', '2'], {
        dir,
        onText: (text, stop) => {
          if (!text.includes('Ctrl-C ends it')) return;
          Object.assign(seen, { text: readFileSync(file, 'utf8'), mode: statSync(file).mode });
          stop();
        },
      });

      expect(code).toBe(0);
      expect(stdout).toContain('root:dep-ctrl exports dependencies.opendefense.cloud');
      const { contexts } = parse(seen.text) as { contexts: { name: string }[] };
      expect(contexts.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['root', 'dep-ctrl', 'network', 'compute', 'team-a', 'team-b', 'base', 'system:admin']),
      );
      expect(seen.mode & 0o777).toBe(0o600);
      expect(await readdir(dir)).toEqual([]);
      await rm(dir, { recursive: true });
    },
    STORY_MS,
  );

  it(
    'given the story told, then the console is served at the address that is printed last, and shows the rule and the decisions',
    async () => {
      const dir = await newFolder();
      let pages: Promise<readonly string[]> | undefined;

      const { code } = await dev([], {
        dir,
        onText: (text, stop) => {
          const [address] = /http:\/\/127\.0\.0\.1:\d+\/[\w-]+\/(?=\n)/.exec(text) ?? [];
          if (address === undefined) return;
          const read = async (path: string) => (await fetch(`${address}${path}`)).text();
          pages ??= Promise.all([read('rules'), read('decisions')]).finally(stop);
        },
      });

      const [rules, decisions] = (await pages) ?? [];
      expect(rules).toContain('1 rule, all ready and in force.');
      expect(decisions).toContain('3 deletes decided lately, 2 of them refused.');
      expect(code).toBe(0);
      await rm(dir, { recursive: true });
    },
    STORY_MS,
  );

  it(
    'given the story told, then a broken rule is refused as it is written, and the text names the problem',
    async () => {
      const dir = await newFolder();
      let refused: Promise<string> | undefined;

      const { code } = await dev([], {
        dir,
        onText: (text, stop) => {
          if (text.includes('Ctrl-C ends it')) refused ??= refusalOfBrokenRule(join(dir, 'admin.kubeconfig')).finally(stop);
        },
      });

      expect(await refused).toContain(
        'admission webhook "admission.dependencies.opendefense.cloud" denied the request: DependencyRule broken: .spec.dependencies[1]',
      );
      expect(code).toBe(0);
      await rm(dir, { recursive: true });
    },
    STORY_MS,
  );

  it(
    'given --once beside a demo that runs, then the kubeconfig of that one is left alone',
    async () => {
      const dir = await newFolder();
      await writeFile(join(dir, 'admin.kubeconfig'), 'of the demo');

      await dev(['--once'], { dir });

      expect(await readFile(join(dir, 'admin.kubeconfig'), 'utf8')).toBe('of the demo');
      await rm(dir, { recursive: true });
    },
    STORY_MS,
  );

  it(
    'given --once that is stopped before the story ends, then that is told, and the exit code is 1',
    async () => {
      const dir = await newFolder();
      const { code, stderr } = await runIn(dir, ['--once'], (text, stop) => {
        if (text.includes('run in this process')) stop();
      });

      expect({ code, stderr }).toEqual({ code: 1, stderr: 'error: interrupted\n' });
      await rm(dir, { recursive: true });
    },
    STORY_MS,
  );

  it(
    'given the folder of a demo that runs, then the second is told so, and the first keeps its kubeconfig',
    async () => {
      const dir = await newFolder();
      const file = join(dir, 'admin.kubeconfig');
      const seen = { second: {}, before: '', after: '' };
      let asked: Promise<void> | undefined;
      const askSecond = async (stop: () => void) => {
        seen.before = await readFile(file, 'utf8');
        const { code, stderr } = await runIn(dir, ['--empty'], () => undefined);
        Object.assign(seen, { second: { code, stderr }, after: await readFile(file, 'utf8') });
        stop();
      };
      await runIn(dir, ['--empty'], (text, stop) => {
        if (text.includes('Ctrl-C ends it')) asked ??= askSecond(stop);
      });
      await asked;

      const server = /https:\/\/127\.0\.0\.1:\d+/.exec(seen.before)?.[0];
      expect(seen.second).toEqual({
        code: 2,
        stderr: `error: --dir must be another folder than ${JSON.stringify(dir)}: its admin.kubeconfig is of another dep-ctrl dev, which runs at ${server}\n`,
      });
      expect(seen.after).toBe(seen.before);
      // The address that is not served any more was left by a demo that was killed.
      await writeFile(file, seen.before);
      const { code } = await runIn(dir, ['--empty'], (text, stop) => {
        if (text.includes('Ctrl-C ends it')) stop();
      });
      expect(code).toBe(0);
      expect(await readdir(dir)).toEqual([]);
      await rm(dir, { recursive: true });
    },
    STORY_MS,
  );

  it.each(['', 'kind: Config\ncontexts: 1', 'contexts:\n- name: root\n'])(
    'given a folder with a file of that name and text %j, then it stays, and one line says so',
    async (text) => {
      const dir = await newFolder();
      await writeFile(join(dir, 'admin.kubeconfig'), text);

      const { code, stderr } = await dev(['--empty'], { dir });

      const line = `error: --dir must be another folder than ${JSON.stringify(dir)}: its admin.kubeconfig was not written by dep-ctrl dev\n`;
      expect({ code, stderr }).toEqual({ code: 2, stderr: line });
      expect(await readFile(join(dir, 'admin.kubeconfig'), 'utf8')).toBe(text);
      await rm(dir, { recursive: true });
    },
  );

  it('given a folder that cannot be, then one line names the flag and the exit code is 2', async () => {
    const { code, stderr, dir } = await dev(['--empty', '--dir', '/dev/null/here']);

    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/^error: --dir must be a folder that can be written to, not "\/dev\/null\/here": .*\n$/),
    });
    await rm(dir, { recursive: true });
  });

  it('given a port that is taken, then one line names flag and port and the exit code is 1', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;

    const { code, stderr, dir } = await dev(['--once', '--port', String(port)]);

    taken.close();
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `error: --port: cannot listen on 127.0.0.1:${String(port)}: the port is taken, give another one (port 0 picks a free one)\n`,
    });
    await rm(dir, { recursive: true });
  });
});

/** What kcp says to a rule that names one target twice, once it asks about rules. */
async function refusalOfBrokenRule(kubeconfig: string): Promise<string> {
  const loaded = loadKubeconfig({ file: kubeconfig });
  if (!loaded.ok) throw new Error(loaded.problem);
  const connection = new Connection(loaded.value);
  const { spec, ...rule } = vmDependencies(DEV_PATHS.network) as ReturnType<typeof vmDependencies> & { spec: { dependencies: object[] } };
  const broken = { ...rule, metadata: { name: 'broken' }, spec: { ...spec, dependencies: [...spec.dependencies, ...spec.dependencies] } };
  try {
    return await until(
      'the refusal of a broken rule',
      async ({ signal }) => {
        try {
          await connection.cluster(DEV_PATHS.compute).create(RULES, broken, { signal, dryRun: true });
          return { waitingFor: 'kcp to ask the webhook' };
        } catch (error) {
          if (!isKcpError(error)) throw error;
          return { done: error.message };
        }
      },
      { clock: systemClock, signal: AbortSignal.timeout(STORY_MS), timeoutMs: 10_000 },
    );
  } finally {
    await connection.close();
  }
}

/** The story as the README shows it. */
async function linesOfReadme(): Promise<readonly string[]> {
  const readme = await readFile(new URL('../../../../README.md', import.meta.url), 'utf8');
  const [, story = ''] = /^The story .*\n\n```\n([\s\S]*?)^```/m.exec(readme) ?? [];
  const lines = story.split('\n').filter((line) => line !== '');
  expect(lines.length).toBeGreaterThan(5);
  return lines;
}
