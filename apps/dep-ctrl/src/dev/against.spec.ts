import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { listAll, systemClock, type ClusterClient } from '@dep-ctrl/kcp-client';
import type { GroupVersionResource, WorkspacePath } from '@dep-ctrl/kcp-names';
import { WEBHOOK_CONFIGURATIONS } from '@dep-ctrl/webhook-installer';
import { stringify } from 'yaml';
import { API_EXPORTS, API_RESOURCE_SCHEMAS, ensureWorkspace, getIfExists, WORKSPACES } from '@dep-ctrl/kcp-objects';
import { HOME_NAMESPACE } from '../bootstrap/manifests.js';
import { bootstrapCommand } from '../commands/bootstrap-command.js';
import { devCommand } from '../commands/dev-command.js';
import { runProgram } from '../command-line/program.js';
import { SECRETS } from '../certificate/shared-secrets.js';
import { onEmbeddedKcp, type EmbeddedWorld } from '../testing/embedded-world.js';
import { runCli } from '../testing/run-cli.js';
import { DEV_CONTEXTS, DEV_PARENTS, DEV_PATHS } from './dev-paths.js';
import { networkProvider } from './provider-manifests.js';

const options = () => ({ signal: AbortSignal.timeout(20_000), clock: systemClock });
const root = ({ admin }: EmbeddedWorld) => admin.cluster(DEV_CONTEXTS.get('root')!);
const against = ({ adminKubeconfig, dir }: EmbeddedWorld, ...flags: readonly string[]) =>
  runCli(devCommand, ['--against', adminKubeconfig, '--once', '--dir', join(dir, 'dev'), ...flags]);

async function namesIn(client: ClusterClient, type: GroupVersionResource): Promise<readonly (string | undefined)[]> {
  const { objects } = await listAll(client, type, {}, options());
  return objects.map(({ metadata }) => metadata.name).sort();
}

describe('dep-ctrl dev --against', () => {
  it('given a kcp, then the story is told there as its admin, and afterwards nothing of it is left', () =>
    onEmbeddedKcp(async (world) => {
      const { code, stdout, stderr } = await against(world);

      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain('still referenced by VirtualMachine/my-vm');
      expect(stdout).toContain('everything that was made is gone again');
      expect((await listAll(root(world), WORKSPACES, {}, options())).objects).toEqual([]);
    }));

  it('given --once or a refusal, then no kubeconfig of that kcp is left anywhere', () =>
    onEmbeddedKcp(async (world) => {
      await against(world);
      await ensureWorkspace(world.admin, DEV_PATHS.depCtrl, options());
      await against(world);

      expect(await readdir(world.dir)).toEqual(['admin.kubeconfig']);
    }));

  it('given no --once, then the kubeconfig is in a folder of its own and goes with it', () =>
    onEmbeddedKcp(async (world) => {
      const stop = new AbortController();
      const flags = ['--against', world.adminKubeconfig, '--empty', '--dir', join(world.dir, 'dev')];
      const printed: string[] = [];

      const code = await runProgram([devCommand], ['dev', ...flags], {
        env: {},
        stdout: {
          isTerminal: false,
          write: (text) => {
            printed.push(text);
            if (text.includes('Ctrl-C ends it')) stop.abort();
          },
        },
        stderr: { isTerminal: false, write: () => undefined },
        signal: stop.signal,
      });

      expect(code).toBe(0);
      const file = /export KUBECONFIG=(.*)/.exec(printed.join(''))?.[1] ?? '';
      expect(file.startsWith(tmpdir())).toBe(true);
      expect(existsSync(dirname(file))).toBe(false);
      expect(await readdir(world.dir)).toEqual(['admin.kubeconfig']);
    }));

  it('given somebody who may not make workspaces, then that is told, not that nothing could be cleaned up', () =>
    onEmbeddedKcp(async (world) => {
      const kubeconfig = join(world.dir, 'nobody.kubeconfig');
      await writeFile(kubeconfig, world.kcp.kubeconfig({ user: 'nobody' }));

      const { code, stdout, stderr } = await runCli(devCommand, ['--against', kubeconfig, '--once']);

      expect(code).toBe(1);
      expect(stderr).toMatch(/cannot create|create/);
      expect(stderr).not.toContain('delete');
      expect(stdout).not.toMatch(/taking back|gone again|could be removed/);
    }));

  it('given a workspace of the same name, then it is not touched', () =>
    onEmbeddedKcp(async (world) => {
      await ensureWorkspace(world.admin, DEV_PATHS.depCtrl, options());

      const { code, stderr } = await against(world);

      expect({ code, stderr }).toEqual({
        code: 1,
        stderr:
          'error: the story needs workspaces of its own, and "root:dep-ctrl" exists already: give it another kcp, or --adopt to use what is there and leave it in the end\n',
      });
      expect(await getIfExists(root(world), WORKSPACES, { name: 'dep-ctrl' }, options())).toBeDefined();
    }));

  it('given --adopt, then what was there stays with all that is in it, and what was made goes', () =>
    onEmbeddedKcp(async (world) => {
      for (const path of [DEV_PATHS.depCtrl, ...DEV_PARENTS, DEV_PATHS.network]) await ensureWorkspace(world.admin, path, options());
      const network = world.admin.cluster(DEV_PATHS.network);
      const { schema } = networkProvider();
      await network.create(API_RESOURCE_SCHEMAS, schema, options());

      const { code, stderr } = await against(world, '--adopt');

      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const workspaces = async (path: WorkspacePath) => namesIn(world.admin.cluster(path), WORKSPACES);
      expect(await workspaces(DEV_CONTEXTS.get('root')!)).toEqual(['dep-ctrl', 'providers', 'teams']);
      expect(await Promise.all(DEV_PARENTS.map(workspaces))).toEqual([['network'], []]);
      expect(await namesIn(network, API_RESOURCE_SCHEMAS)).toEqual([schema.metadata.name]);
      expect(await namesIn(network, API_EXPORTS)).toEqual([]);
      const home = world.admin.cluster(DEV_PATHS.depCtrl);
      for (const type of [API_EXPORTS, API_RESOURCE_SCHEMAS, WEBHOOK_CONFIGURATIONS]) expect(await namesIn(home, type)).toEqual([]);
      // kcp keeps the identity of the export in a namespace of its own.
      expect((await listAll(home, SECRETS, { namespace: HOME_NAMESPACE }, options())).objects).toEqual([]);
    }));

  it('given an installation in the workspace of dep-ctrl, then it is left alone and nobody is told to remove it, with --adopt too', () =>
    onEmbeddedKcp(async (world) => {
      await runCli(bootstrapCommand, ['--kubeconfig', world.adminKubeconfig]);

      for (const flags of [[], ['--adopt']]) {
        expect(await against(world, ...flags)).toMatchObject({
          code: 1,
          stderr: expect.stringMatching(/^error: dep-ctrl is installed on this kcp, in workspace "root:dep-ctrl": leave that as it is, /),
        });
      }
    }));

  it.each([
    { given: 'a file that is not there', write: undefined, says: 'kubeconfig FILE cannot be read: there is no such file' },
    { given: 'a folder', write: (file: string) => mkdir(file), says: 'kubeconfig FILE cannot be read: it is a folder' },
    { given: 'an empty file', write: (file: string) => writeFile(file, ''), says: 'kubeconfig FILE is empty' },
    { given: 'a text', write: (file: string) => writeFile(file, 'hello'), says: 'kubeconfig FILE is not a kubeconfig: expected a mapping' },
    {
      given: 'half a file',
      write: (file: string) => writeFile(file, 'clusters:\n- name: "a'),
      says: 'kubeconfig FILE is not valid YAML: ',
    },
    { given: 'another manifest', write: (file: string) => writeFile(file, 'kind: Secret'), says: 'kubeconfig FILE has no current-context' },
    {
      given: 'contexts that are no list',
      write: (file: string) => writeFile(file, 'contexts: 1'),
      says: 'kubeconfig FILE contexts should be a list',
    },
    {
      given: 'a CA that is not there',
      write: (file: string) => writeFile(file, stringify(kubeconfigOf({ server: 'https://127.0.0.1:1', 'certificate-authority': 'none' }))),
      says: 'kubeconfig FILE: the certificate authority ',
    },
    {
      given: 'a server that is no URL',
      write: (file: string) => writeFile(file, stringify(kubeconfigOf({ server: 'kcp' }))),
      says: 'kubeconfig FILE cluster "kcp": "kcp" is not a server address',
    },
    {
      given: 'a workspace that can be none',
      write: (file: string) => writeFile(file, stringify(kubeconfigOf({ server: 'https://127.0.0.1:1/clusters/root::x' }))),
      says: 'kubeconfig FILE cluster "kcp": ',
    },
  ])('given $given, then one line says which file, which flag and what to give instead', async ({ write, says }) => {
    const dir = await mkdtemp(join(tmpdir(), 'against-'));
    const file = join(dir, 'given');
    await write?.(file);

    const { code, stdout, stderr } = await runCli(devCommand, ['--against', file]);

    await rm(dir, { recursive: true });
    const start = "error: --against must be the kubeconfig of a kcp's admin, such as the admin.kubeconfig that kcp writes: ";
    expect({ code, stdout, line: stderr.slice(0, start.length) }).toEqual({ code: 2, stdout: '', line: start });
    expect(stderr.slice(start.length)).toMatch(/^[^\n]+\n$/);
    expect(stderr.slice(start.length).replaceAll(JSON.stringify(file), 'FILE').slice(0, says.length)).toBe(says);
  });

  it('given a kubeconfig of a workspace that is not there, then only where its kcp is counts', () =>
    onEmbeddedKcp(async (world) => {
      const kubeconfig = join(world.dir, 'elsewhere.kubeconfig');
      await writeFile(kubeconfig, world.kcp.kubeconfig().replaceAll('/clusters/root', '/clusters/root:not-there'));
      await ensureWorkspace(world.admin, DEV_PATHS.depCtrl, options());

      const { stderr } = await runCli(devCommand, ['--against', kubeconfig, '--once']);

      expect(stderr).toMatch(/^error: the story needs workspaces of its own, and "root:dep-ctrl" exists already: /);
    }));
});

function kubeconfigOf(cluster: object): object {
  return {
    clusters: [{ name: 'kcp', cluster }],
    contexts: [{ name: 'kcp', context: { cluster: 'kcp' } }],
    'current-context': 'kcp',
  };
}
