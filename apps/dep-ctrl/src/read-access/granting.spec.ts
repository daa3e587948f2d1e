// What the webhook may read, as `bootstrap` and `bind` leave it in system:admin of each shard.
import { describe, expect, it } from '@jest/globals';
import { listAll, systemClock, type ClusterClient } from '@dep-ctrl/kcp-client';
import type { GroupResource, KubeObject, WorkspacePath } from '@dep-ctrl/kcp-names';
import { parseAllDocuments } from 'yaml';
import { API_EXPORTS, ensureWorkspace } from '@dep-ctrl/kcp-objects';
import { bindCommand } from '../commands/bind-command.js';
import { bootstrapCommand } from '../commands/bootstrap-command.js';
import { connectShard } from '../command-line/connect.js';
import { DEV_PARENTS, DEV_PATHS } from '../dev/dev-paths.js';
import { computeProvider, networkProvider, type ProviderManifests } from '../dev/provider-manifests.js';
import { onEmbeddedKcp, shardKubeconfigs, type EmbeddedWorld } from '../testing/embedded-world.js';
import { exportType } from '../testing/export-type.js';
import { runCli, type CliRun } from '../testing/run-cli.js';
import { readAccessIn, type ReadAccess } from './read-rules.js';

const options = () => ({ signal: AbortSignal.timeout(20_000), clock: systemClock });
const CLUSTER_ROLES = { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterroles' };
const VMS = { group: 'compute.example.com', resource: 'virtualmachines' };
const VPCS = { group: 'network.example.com', resource: 'vpcs' };
const LATER = { group: 'compute.example.com', resource: 'disks' };

describe('what the webhook may read', () => {
  it('given providers that are bound with the kubeconfig of a shard, then what they export, and a second time writes nothing', () =>
    onStage(async (stage) => {
      const first = await stage.bind();
      const written = await stage.role();
      const second = await stage.bind();

      expect(first).toEqual({
        code: 0,
        stdout: `${BOUND.join('')}${stage.where}: the webhook may read 2 types (compute.example.com 1, network.example.com 1); added virtualmachines.compute.example.com, vpcs.network.example.com\n`,
        stderr: '',
      });
      expect(readAccessIn(written)).toEqual(listed(VMS, VPCS));
      expect(second.stdout).toContain(`${stage.where}: the webhook may read 2 types (compute.example.com 1, network.example.com 1)\n`);
      expect((await stage.role()).metadata.resourceVersion).toBe(written.metadata.resourceVersion);
    }));

  it('given no kubeconfig of a shard, then bind says which command grants it, and that command does', () =>
    onStage(async (stage) => {
      const { stdout } = await runCli(bindCommand, ['--kubeconfig', stage.adminKubeconfig, DEV_PATHS.network, DEV_PATHS.compute]);
      const before = await stage.access();
      const command = /: dep-ctrl bind (.*)\n$/.exec(stdout)?.[1]?.replace('FILE', stage.adminKubeconfig).split(' ') ?? [];
      await runCli(bindCommand, command);

      expect(stdout).toContain(
        `next: so that the webhook may read what is exported there, an admin of kcp's shards must run, with FILE once per shard (not needed after bootstrap --read-access wildcard): dep-ctrl bind root:providers:network root:providers:compute --workspace root:dep-ctrl --kubeconfig ${stage.adminKubeconfig} --shard-kubeconfig FILE\n`,
      );
      expect(before).toEqual(listed());
      expect(await stage.access()).toEqual(listed(VMS, VPCS));
    }));

  it('given a type that a provider exports later, then the next bind adds it, and bootstrap keeps it', () =>
    onStage(async (stage) => {
      await stage.bind();
      await stage.export(DEV_PATHS.compute, (resources) => [
        ...resources,
        { group: LATER.group, name: LATER.resource, schema: 'v1.disks.compute.example.com', storage: { crd: {} } },
      ]);

      const { stdout } = await stage.bind(DEV_PATHS.compute);
      const again = await stage.bootstrap();

      expect(stdout).toContain('; added disks.compute.example.com\n');
      expect(again.stdout).toContain(`: the webhook may read 3 types (compute.example.com 2, network.example.com 1)\n`);
      expect(await stage.access()).toEqual(listed(LATER, VMS, VPCS));
    }));

  it('given an export that lost a type, then bootstrap takes the right to it away, and leaves that of the others', () =>
    onStage(async (stage) => {
      await stage.bind();
      await stage.export(DEV_PATHS.network, () => []);

      const { code, stdout } = await stage.bootstrap();

      expect({ code, access: await stage.access() }).toEqual({ code: 0, access: listed(VMS) });
      expect(stdout).toContain('; removed vpcs.network.example.com, which no bound provider exports\n');
    }));

  it.each([
    { given: 'a provider that does not answer', path: /\/apis\/apis.kcp.io\/v1alpha2\/apiexports$/, note: 'what logical cluster ' },
    {
      given: 'an endpoint of the export that does not answer',
      path: /\/services\/apiexport\/.*\/apibindings$/,
      note: 'who has bound dep-ctrl behind ',
    },
  ])('given $given, then bootstrap takes nothing away and says so, and does once it answers', ({ path, note }) =>
    onStage(async (stage) => {
      await stage.bind();
      await stage.export(DEV_PATHS.network, () => []);
      const mend = stage.kcp.faults.onRequest({ method: 'GET', path }, { kind: 'answer', status: 503 });

      const meanwhile = await stage.bootstrap();
      const kept = await stage.access();
      mend();
      await stage.bootstrap();

      expect(meanwhile.code).toBe(0);
      expect(meanwhile.stdout).toContain(`note: not read: ${note}`);
      expect(kept).toEqual(listed(VMS, VPCS));
      expect(await stage.access()).toEqual(listed(VMS));
    }),
  );

  it('given an installation of before with the wildcard, then bootstrap makes a list of it, says so aloud, and the flag gives the wildcard back', () =>
    onStage(async (stage) => {
      await stage.bootstrap('--read-access', 'wildcard');
      const bound = await stage.bind();

      const upgraded = await stage.bootstrap();
      const access = await stage.access();
      const back = await stage.bootstrap('--read-access', 'wildcard');

      expect(bound.stdout).toContain(`${stage.where}: the webhook may read everything (--read-access wildcard)\n`);
      expect(upgraded.stdout).toContain(
        `${stage.where}: the webhook may read 2 types (compute.example.com 1, network.example.com 1); it could read everything before, and can again after bootstrap with --read-access wildcard\n`,
      );
      expect(access).toEqual(listed(VMS, VPCS));
      expect(back.stdout).toContain(`${stage.where}: the webhook may read everything (--read-access wildcard)\n`);
      expect(await stage.access()).toEqual({ kind: 'wildcard' });
    }));

  it('given an installation of before with the wildcard, and a provider that does not answer, then the wildcard stays until it does', () =>
    onStage(async (stage) => {
      await stage.bootstrap('--read-access', 'wildcard');
      await stage.bind();
      stage.kcp.faults.onRequest({ method: 'GET', path: /\/apiexports$/ }, { kind: 'answer', status: 503 });

      const { code, stdout } = await stage.bootstrap();

      expect({ code, access: await stage.access() }).toEqual({ code: 0, access: { kind: 'wildcard' } });
      expect(stdout).toContain('note: not read: what logical cluster ');
    }));

  it('given a provider whose exports cannot be read, then bind says so, and grants what the others export', () =>
    onStage(async (stage) => {
      const { cluster: network } = await ensureWorkspace(stage.admin, DEV_PATHS.network, options());
      const isNetwork = new RegExp(`/clusters/(${network}|${DEV_PATHS.network})/.*/apiexports$`);
      stage.kcp.faults.onRequest({ method: 'GET', path: isNetwork }, { kind: 'answer', status: 503 });

      const { code, stderr } = await stage.bind();

      expect({ code, access: await stage.access() }).toEqual({ code: 1, access: listed(VMS) });
      expect(stderr).toMatch(/^error: workspace "root:providers:network" is bound, but what it exports could not be read/);
    }));

  it('given a shard that bootstrap was not told of, then bind names the command that makes the ClusterRole there', () =>
    onStage(
      async (stage) => {
        const [, other = ''] = await shardKubeconfigs(stage);

        const { code, stderr } = await runCli(bindCommand, [
          ...['--kubeconfig', stage.adminKubeconfig, DEV_PATHS.compute],
          ...['--shard-kubeconfig', stage.adminKubeconfig, '--shard-kubeconfig', other],
        ]);

        expect({ code, access: await stage.access() }).toEqual({ code: 1, access: listed(VMS) });
        expect(stderr).toMatch(
          /^error: --shard-kubeconfig ".*": there is no ClusterRole dep-ctrl:read-dependents:\w+ in system:admin of this shard: dep-ctrl bootstrap --shard-kubeconfig .* makes it\n$/,
        );
      },
      { shards: 2 },
    ));

  it('given two providers that are bound at the same time, then neither loses its types', () =>
    onStage(async (stage) => {
      await Promise.all([stage.bind(DEV_PATHS.network), stage.bind(DEV_PATHS.compute)]);

      expect(await stage.access()).toEqual(listed(VMS, VPCS));
    }));

  it('given --dry-run, then the manifests show the list, and nothing is written', () =>
    onStage(async (stage) => {
      await runCli(bindCommand, ['--kubeconfig', stage.adminKubeconfig, DEV_PATHS.compute]);

      const { stdout } = await stage.bootstrap('--dry-run', '-o', 'yaml');

      const roles = parseAllDocuments(stdout).map((document) => document.toJS() as KubeObject);
      const role = roles.find(({ kind, metadata }) => kind === 'ClusterRole' && metadata.name?.startsWith('dep-ctrl:read-dependents:'));
      expect(role && readAccessIn(role)).toEqual(listed(VMS));
      expect(await stage.access()).toEqual(listed());
    }));
});

const BOUND = ['root:providers:network: binding created\n', 'root:providers:compute: binding created\n'];

/** A kcp with dep-ctrl bootstrapped, and two providers that export a type each. */
interface Stage extends EmbeddedWorld {
  /** How results name the shard. */
  readonly where: string;
  bootstrap(...flags: readonly string[]): Promise<CliRun>;
  bind(...paths: readonly WorkspacePath[]): Promise<CliRun>;
  /** Changes what a provider exports. */
  export(path: WorkspacePath, change: (resources: readonly object[]) => readonly object[]): Promise<void>;
  role(): Promise<KubeObject>;
  access(): Promise<ReadAccess>;
}

function onStage(work: (stage: Stage) => Promise<void>, { shards = 1 }: { readonly shards?: number } = {}): Promise<void> {
  return onEmbeddedKcp(
    async (world) => {
      const { admin, adminKubeconfig } = world;
      const shard = connectShard(adminKubeconfig);
      const flags = ['--kubeconfig', adminKubeconfig, '--shard-kubeconfig', adminKubeconfig];
      const bootstrap: Stage['bootstrap'] = (...more) => runCli(bootstrapCommand, [...flags, ...more]);
      const done = await bootstrap();
      if (done.code !== 0) throw new Error(done.stderr);
      for (const path of [...DEV_PARENTS, DEV_PATHS.network, DEV_PATHS.compute]) await ensureWorkspace(admin, path, options());
      await exportFrom(admin.cluster(DEV_PATHS.network), networkProvider());
      await exportFrom(admin.cluster(DEV_PATHS.compute), computeProvider());
      const { cluster: home } = await ensureWorkspace(admin, DEV_PATHS.depCtrl, options());
      const role = () => shard.systemAdmin.get(CLUSTER_ROLES, { name: `dep-ctrl:read-dependents:${home}` }, options());
      try {
        await work({
          ...world,
          where: `system:admin (${adminKubeconfig})`,
          bootstrap,
          bind: (...paths) => runCli(bindCommand, [...flags, ...(paths.length === 0 ? [DEV_PATHS.network, DEV_PATHS.compute] : paths)]),
          export: (path, change) => changeExport(admin.cluster(path), change),
          role,
          access: async () => readAccessIn(await role()),
        });
      } finally {
        await shard.connection.close();
      }
    },
    { shards },
  );
}

function listed(...types: readonly GroupResource[]): ReadAccess {
  return { kind: 'listed', types };
}

function exportFrom(client: ClusterClient, provider: ProviderManifests): Promise<void> {
  return exportType(client, provider, { ...options(), timeoutMs: 20_000 });
}

async function changeExport(client: ClusterClient, change: (resources: readonly object[]) => readonly object[]): Promise<void> {
  const { objects } = await listAll(client, API_EXPORTS, {}, options());
  for (const each of objects) {
    const spec = each['spec'] as { readonly resources: readonly object[] };
    await client.replace(API_EXPORTS, { ...each, spec: { ...spec, resources: change(spec.resources) } }, options());
  }
}
