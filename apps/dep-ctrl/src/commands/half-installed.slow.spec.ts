// An installation that lacks one object, or has an object of another owner in its place: what reads says what it can and ends soon, bootstrap makes what is
// missing, and touches nothing that is not its own.
import { describe, expect, it } from '@jest/globals';
import { listAll, systemClock, type ClusterClient } from '@dep-ctrl/kcp-client';
import type { GroupVersionResource, KubeObject } from '@dep-ctrl/kcp-names';
import { deleteIfExists, until } from '@dep-ctrl/kcp-objects';
import { DEV_PATHS } from '../dev/dev-paths.js';
import { connectTo, onEmbeddedKcp, type EmbeddedWorld } from '../testing/embedded-world.js';
import { BOOTSTRAPPED_TYPES, install, stateOf } from '../testing/installation-state.js';
import { operatorCommands } from '../testing/operator-commands.js';
import { runCli } from '../testing/run-cli.js';
import { bootstrapCommand } from './bootstrap-command.js';

const WITHIN_MS = 300_000;
const ENDS_WITHIN_MS = 20_000;
const options = () => ({ signal: AbortSignal.timeout(60_000), clock: systemClock });
const RBAC = 'rbac.authorization.k8s.io';
const OWN = { 'app.kubernetes.io/managed-by': 'dep-ctrl' };
/** An object that bootstrap made. */
interface Made {
  readonly client: ClusterClient;
  readonly type: GroupVersionResource;
  readonly object: KubeObject;
}

/** Gives `work` what bootstrap made: in the workspace of dep-ctrl, and on the shard. */
async function withMade<T>({ kcp, admin }: EmbeddedWorld, work: (made: readonly Made[]) => Promise<T>): Promise<T> {
  const shard = connectTo(kcp.kubeconfig({ user: 'shard-admin' }), { context: 'system:admin' });
  try {
    const made: Made[] = [];
    for (const client of [admin.cluster(DEV_PATHS.depCtrl), shard.ownWorkspace()]) {
      for (const type of BOOTSTRAPPED_TYPES.filter(({ group }) => client.address !== 'system:admin' || group === RBAC)) {
        const { objects } = await listAll(client, type, {}, options());
        const own = objects.filter(({ metadata }) => Object.entries(OWN).every(([key, value]) => metadata.labels?.[key] === value));
        made.push(...own.map((object) => ({ client, type, object })));
      }
    }
    return await work(made);
  } finally {
    await shard.close();
  }
}

const bootstrap = ({ adminKubeconfig }: EmbeddedWorld, ...more: readonly string[]) =>
  runCli(bootstrapCommand, ['--kubeconfig', adminKubeconfig, '--shard-kubeconfig', adminKubeconfig, ...more]);

const nameOf = ({ type, object }: Made): string => `${type.resource}/${object.metadata.name ?? ''}`;

async function remove({ client, type, object }: Made): Promise<void> {
  await deleteIfExists(client, type, object.metadata, options());
  const look = async () => {
    const { objects } = await listAll(client, type, {}, options());
    const isThere = objects.some(({ metadata }) => metadata.uid === object.metadata.uid);
    return isThere ? { waitingFor: 'its end' } : { done: true };
  };
  await until(`the end of ${object.metadata.name ?? ''}`, look, { ...options(), timeoutMs: 30_000 });
}

describe('an installation that lacks one object', () => {
  it(
    'given any one of what bootstrap makes, then bootstrap makes it again, and nothing else is touched',
    () =>
      onEmbeddedKcp(async (world) => {
        await install(world);
        await bootstrap(world);
        const whole = await stateOf(world);
        await withMade(world, async (made) => {
          expect(made.length).toBeGreaterThan(20);
          for (const one of made) {
            await remove(one);

            const { code, stderr } = await bootstrap(world);

            expect({ name: nameOf(one), code, stderr }).toEqual({ name: nameOf(one), code: 0, stderr: '' });
            expect({ name: nameOf(one), state: await stateOf(world) }).toEqual({ name: nameOf(one), state: whole });
          }
        });
      }),
    WITHIN_MS,
  );

  it(
    'given any one of what bootstrap makes is missing, then each command that reads ends with an answer or one line',
    () =>
      onEmbeddedKcp(async (world) => {
        await install(world);
        const lines = (await operatorCommands(world.dir)).filter(
          ({ line }) => !/^(?:bootstrap$|bind|restore|uninstall|console|rotate-token|delete-namespace)/.test(line),
        );
        await withMade(world, async (made) => {
          for (const one of made) {
            await remove(one);

            const runs = await Promise.all(
              lines.map(async ({ line, command, argv }) => {
                const signal = AbortSignal.timeout(ENDS_WITHIN_MS);
                return { line, ...(await runCli(command, [...argv, '--kubeconfig', world.adminKubeconfig], { signal })) };
              }),
            );

            for (const { line, code, stderr } of runs) {
              const at = `${line} without ${nameOf(one)}`;
              expect({ at, lines: stderr.split('\n').length <= 2 }).toEqual({ at, lines: true });
              if (code !== 0)
                expect({ at, stderr }).toEqual({ at, stderr: expect.stringMatching(/^error: (?!.*(?:aborted|interrupted|not happen))/) });
            }
            expect((await bootstrap(world)).code).toBe(0);
          }
        });
      }),
    WITHIN_MS,
  );
});

describe('objects of somebody else that have the names of ours', () => {
  it(
    'given any one of them, then bootstrap leaves it as it is and says whose it is not, and takes it over with --adopt',
    () =>
      onEmbeddedKcp(async (world) => {
        await install(world);
        await bootstrap(world);
        const whole = await stateOf(world);
        await withMade(world, async (made) => {
          // What has the name of a schema has its content, and the Secrets are made empty and filled by others.
          const names = /^(?:apiresourceschemas|secrets\/dep-ctrl-(?:webhook-ca|url-token)$)/;
          for (const one of made.filter((each) => !names.test(nameOf(each)))) {
            const { client, type, object } = one;
            const { labels: _, ...metadata } = (await client.get(type, object.metadata as { readonly name: string }, options())).metadata;
            const theirs = await client.replace(type, { ...object, metadata }, options());

            const { code, stderr } = await bootstrap(world);
            const after = await client.get(type, object.metadata as { readonly name: string }, options());
            const adopted = await bootstrap(world, '--adopt');

            const name = nameOf(one);
            expect({ name, code, stderr }).toEqual({
              name,
              code: 1,
              stderr: expect.stringMatching(/^error: [^\n]*exists and was not made by dep-ctrl: give --adopt to take it over\n$/),
            });
            expect({ name, version: after.metadata.resourceVersion }).toEqual({ name, version: theirs.metadata.resourceVersion });
            expect({ name, code: adopted.code, state: await stateOf(world) }).toEqual({ name, code: 0, state: whole });
          }
        });
      }),
    WITHIN_MS,
  );
});
