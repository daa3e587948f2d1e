import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { isKcpError } from '@dep-ctrl/kcp-client';
import { ensureObject, until } from '@dep-ctrl/kcp-objects';
import { RULES } from '@dep-ctrl/rule-registry';
import { runProgram } from '../command-line/program.js';
import { bootstrapCommand } from '../commands/bootstrap-command.js';
import { consoleCommand } from '../commands/console-command.js';
import { DEV_PATHS } from '../dev/dev-paths.js';
import { VIRTUAL_MACHINES, virtualMachine, VPCS } from '../dev/provider-manifests.js';
import { onInstalledWorld, options } from '../doctor/spec-support/installed-world.js';
import { onEmbeddedKcp } from '../testing/embedded-world.js';

const WITHIN_MS = 60_000;

/** Runs the command while `work` reads its pages; answers how it ended. */
async function withConsole(flags: readonly string[], work: (read: (path: string) => Promise<string>) => Promise<void>) {
  const stop = new AbortController();
  const printed = { stdout: '', stderr: '' };
  let address: (url: string) => void = () => undefined;
  const told = new Promise<string>((resolve) => (address = resolve));
  const ended = runProgram([consoleCommand], ['console', '--address', ':0', ...flags], {
    env: {},
    stdout: {
      isTerminal: false,
      write: (text) => {
        printed.stdout += text;
        const [url] = /http:\/\/\S+/.exec(printed.stdout) ?? [];
        if (url !== undefined) address(url);
      },
    },
    stderr: { isTerminal: false, write: (text) => void (printed.stderr += text) },
    signal: stop.signal,
  });
  try {
    const url = await Promise.race([told, ended.then(() => Promise.reject(new Error(printed.stderr)))]);
    await work(async (path) => (await fetch(`${url}${path}`)).text());
  } finally {
    stop.abort();
  }
  return { code: await ended, ...printed };
}

/** The text of a page as a person reads it. */
const textOf = (page: string): string =>
  page
    .slice(page.indexOf('<main'))
    .replaceAll(/<wbr[^>]*>|<title>[^<]*<\/title>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');

/** Reads a page until it says something. */
function readUntil(read: (path: string) => Promise<string>, path: string, says: string): Promise<string> {
  let text = '';
  return until(
    `"${says}" on ${path}`,
    async () => {
      text = textOf(await read(path));
      return text.includes(says) ? { done: true } : { waitingFor: text.slice(0, 500) };
    },
    options(),
  ).then(() => text);
}

describe('dep-ctrl console', () => {
  it(
    'given a whole installation, then status, rules, graph, deletes and teardown are shown as the commands tell them, and each decision of the webhook',
    () =>
      onInstalledWorld(async ({ admin, adminKubeconfig, dir }) => {
        const { teamA, compute, network } = DEV_PATHS;
        const token = ['--url-token-file', join(dir, 'tls', 'token')];
        const asked = `delete?workspace=${teamA}`;

        const { code, stdout, stderr } = await withConsole(['--kubeconfig', adminKubeconfig, ...token], async (read) => {
          expect(textOf(await read(''))).toContain('All is well.');
          expect(textOf(await read('rules'))).toContain(`${compute}/vm-dependencies ready yes Installed`);
          const graph = await readUntil(read, 'graph', '2 types, 1 reference, 0 circles.');
          expect(graph).toContain('virtualmachines.compute.example.com vpcs.network.example.com .spec.vpcRef.name');
          expect(await read('graph')).toContain(`<title>vpcs.network.example.com of ${network}</title>`);

          expect(textOf(await read(asked))).toContain('vpcs.network.example.com guarded by a rule');
          expect(textOf(await read(`${asked}&type=vpcs.network.example.com`))).toContain(
            '1 found among 1 objects. vpcs.network.example.com in root:teams:team-a Object Namespace my-vpc default',
          );
          const refused = textOf(await read(`${asked}&object=vpcs/my-vpc`));
          expect(refused).toContain('a delete would be refused. cannot delete vpcs/my-vpc: still referenced by VirtualMachine/my-vm');
          expect(refused).toContain(`VirtualMachine/default/my-vm refers to it by .spec.vpcRef.name , rule ${compute}/vm-dependencies`);
          const free = textOf(await read(`${asked}&object=virtualmachines/my-vm`));
          expect(free).toContain('would go through: no rule guards its type');
          expect(textOf(await read(`${asked}&object=vpcs/none`))).toContain('there is no vpcs.network.example.com');
          expect(textOf(await read('delete?workspace=root:nowhere&object=vpcs/x'))).toContain('there is no workspace');
          expect(textOf(await read('delete?workspace=A%20B'))).toContain('Workspace must be a path');
          expect(textOf(await read(`teardown?workspace=${teamA}`))).toContain('is not being deleted. If it were, kcp would have to wait');

          expect(textOf(await read('decisions'))).toContain('0 deletes decided lately');
          await admin
            .cluster(teamA)
            .delete(VPCS, { name: 'my-vpc', namespace: 'default' }, options())
            .catch((error: unknown) => expect(isKcpError(error, 'forbidden')).toBe(true));
          const decided = await readUntil(read, 'decisions', '1 deletes decided lately, 1 of them refused');
          expect(decided).toMatch(
            /vpcs\.network\.example\.com\/default\/my-vpc .* refused root:teams:team-a in-use cannot delete vpcs\/my-vpc/,
          );
          expect(textOf(await read('decisions?verdict=allow'))).toContain('No decision is like that.');
        });

        expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
        expect(stdout).toMatch(/^console at http:\/\/127\.0\.0\.1:\d+\/[\w-]{22}\/\n/);
      }),
    WITHIN_MS,
  );

  it(
    'given rules in a circle, then who refers to whom ends where it began',
    () =>
      onInstalledWorld(async ({ admin, adminKubeconfig }) => {
        const { teamA, compute } = DEV_PATHS;
        const dependent = { apiExportName: 'compute.example.com', group: 'compute.example.com', version: 'v1alpha1' };
        const machines = { group: 'compute.example.com', version: 'v1alpha1', resource: 'virtualmachines' };
        const apiExportRef = { path: compute, name: 'compute.example.com' };
        const rule = {
          apiVersion: 'dependencies.opendefense.cloud/v1alpha1',
          kind: 'DependencyRule',
          metadata: { name: 'machine-on-machine' },
          spec: {
            dependent: { ...dependent, kind: 'VirtualMachine', resource: 'virtualmachines' },
            dependencies: [{ apiExportRef, ...machines, fieldRef: { path: '.spec.vpcRef.name' } }],
          },
        };
        await ensureObject(admin.cluster(compute), RULES, rule, options());
        for (const [name, on] of [
          ['a', 'b'],
          ['b', 'a'],
        ] as const) {
          await ensureObject(admin.cluster(teamA), VIRTUAL_MACHINES, virtualMachine(name, on), options());
        }

        await withConsole(['--kubeconfig', adminKubeconfig], async (read) => {
          const text = await readUntil(read, `delete?workspace=${teamA}&object=virtualmachines/a`, 'Who refers to whom');

          expect(text).toMatch(/VirtualMachine\/default\/b refers to it .* VirtualMachine\/default\/a refers to it .* stands here already/);
          expect(text.match(/refers to it/g)).toHaveLength(2);
        });
      }),
    WITHIN_MS,
  );

  it(
    'given somebody without rights, then each page says what is missing, and the command runs on',
    () =>
      onEmbeddedKcp(async ({ kcp, dir, adminKubeconfig }) => {
        const file = join(dir, 'eve.kubeconfig');
        await writeFile(file, kcp.kubeconfig({ user: 'eve' }));
        await runProgram([bootstrapCommand], ['bootstrap', '--kubeconfig', adminKubeconfig], {
          env: {},
          stdout: { isTerminal: false, write: () => undefined },
          stderr: { isTerminal: false, write: () => undefined },
          signal: new AbortController().signal,
        });

        const { code } = await withConsole(['--kubeconfig', file], async (read) => {
          expect(textOf(await read(''))).toMatch(/role missing|is not allowed|may not|credentials/);
          expect(textOf(await read('decisions'))).toContain('The decisions cannot be read:');
        });

        expect(code).toBe(0);
      }),
    WITHIN_MS,
  );
});
