import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { listAll, systemClock } from '@dep-ctrl/kcp-client';
import { EXPORT_NAME } from '@dep-ctrl/rule-registry';
import { ensureWorkspace, until } from '@dep-ctrl/kcp-objects';
import { freePort } from '@dep-ctrl/admission-server/testing';
import { HOME_NAMESPACE, OWN_SECRETS } from '../bootstrap/manifests.js';
import { DEV_PATHS } from '../dev/dev-paths.js';
import { SECRETS } from '../certificate/shared-secrets.js';
import { connectTo, onEmbeddedKcp, type EmbeddedWorld } from '../testing/embedded-world.js';
import { runCli } from '../testing/run-cli.js';
import { allCommand } from '../commands/role-commands.js';
import { awaitedExport } from './awaited-export.js';
import { bootstrapCommand } from '../commands/bootstrap-command.js';

const WITHIN_MS = 60_000;
const options = () => ({ signal: AbortSignal.timeout(WITHIN_MS), clock: systemClock });
const homeOf = ({ admin }: EmbeddedWorld) => ({ exportName: EXPORT_NAME, workspace: admin.cluster(DEV_PATHS.depCtrl) });

describe(awaitedExport, () => {
  it('given a workspace without the export, then it is waited for, with the name of the workspace and what to do; with it, it is not', () =>
    onEmbeddedKcp(async (world) => {
      await ensureWorkspace(world.admin, DEV_PATHS.depCtrl, options());

      expect(await awaitedExport(homeOf(world), options())).toBe(
        'APIExport dependencies.opendefense.cloud in workspace "root:dep-ctrl": "dep-ctrl bootstrap" makes it; if that is not the workspace of dep-ctrl, give --kubeconfig one that points there',
      );
      await runCli(bootstrapCommand, ['--kubeconfig', world.adminKubeconfig]);
      expect(await awaitedExport(homeOf(world), options())).toBeUndefined();
    }));

  it('given somebody who may not look, then nothing is waited for', () =>
    onEmbeddedKcp(async (world) => {
      await ensureWorkspace(world.admin, DEV_PATHS.depCtrl, options());
      const nobody = connectTo(world.kcp.kubeconfig({ user: 'nobody' }));

      const awaited = await awaitedExport({ exportName: EXPORT_NAME, workspace: nobody.cluster(DEV_PATHS.depCtrl) }, options());

      await nobody.close();
      expect(awaited).toBeUndefined();
    }));
});

describe('dep-ctrl all in a workspace without the export', () => {
  it(
    'given a workspace that is not of dep-ctrl, then nothing is written there, and once it exports our kinds the roles get ready',
    () =>
      onEmbeddedKcp(async (world) => {
        await ensureWorkspace(world.admin, DEV_PATHS.depCtrl, options());
        const kubeconfig = join(world.dir, 'all.kubeconfig');
        await writeFile(kubeconfig, world.kcp.kubeconfig({ workspace: DEV_PATHS.depCtrl }));
        const port = await freePort();
        const stop = new AbortController();
        const running = runCli(
          allCommand,
          [
            ...['--kubeconfig', kubeconfig, '--context', DEV_PATHS.depCtrl, '--webhook-port', '0'],
            ...[
              '--health-probe-bind-address',
              `127.0.0.1:${String(port)}`,
              '--metrics-bind-address',
              '127.0.0.1:0',
              '--log-format',
              'json',
            ],
          ],
          { signal: stop.signal },
        );

        const answers = (what: string, isIt: (answer: ReadyAnswer) => boolean) =>
          until(
            what,
            async () => {
              const answer = await readyAnswer(port);
              return isIt(answer) ? { done: answer } : { waitingFor: answer.text };
            },
            { ...options(), timeoutMs: WITHIN_MS },
          );
        await answers('waiting', ({ text }) => text.includes('[-]start it waits for APIExport dependencies.opendefense.cloud'));
        const { objects } = await listAll(homeOf(world).workspace, SECRETS, { namespace: HOME_NAMESPACE }, options());
        expect(objects.filter(({ metadata }) => OWN_SECRETS.some((name) => name === metadata.name))).toEqual([]);

        await runCli(bootstrapCommand, ['--kubeconfig', world.adminKubeconfig]);
        await answers('being ready', ({ status }) => status === 200);
        stop.abort();

        const { code, stderr } = await running;
        expect(code).toBe(0);
        expect(stderr.match(/"for":"APIExport /g)).toHaveLength(1);
      }),
    WITHIN_MS,
  );
});

interface ReadyAnswer {
  readonly status: number;
  readonly text: string;
}

async function readyAnswer(port: number): Promise<ReadyAnswer> {
  try {
    const response = await fetch(`http://127.0.0.1:${String(port)}/readyz?verbose`);
    return { status: response.status, text: await response.text() };
  } catch {
    return { status: 0, text: 'it does not answer' };
  }
}
