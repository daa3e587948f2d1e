// The WorkspaceType of the ordered teardown, as bootstrap leaves it.
import { describe, expect, it } from '@jest/globals';
import { isKcpError, listAll, parseVirtualWorkspaceUrl, systemClock } from '@dep-ctrl/kcp-client';
import { bindExport } from '@dep-ctrl/exported-types';
import { clusterOf, workspacePath, type KubeObject } from '@dep-ctrl/kcp-names';
import {
  API_BINDINGS,
  API_EXPORTS,
  deleteIfExists,
  ensureObject,
  ensureWorkspace,
  getIfExists,
  LOGICAL_CLUSTERS,
  patiently,
  until,
  WORKSPACE_TYPES,
  WORKSPACES,
} from '@dep-ctrl/kcp-objects';
import { EXPORT_NAME } from '@dep-ctrl/rule-registry';
import { parseAllDocuments } from 'yaml';
import { bindDepCtrl } from '../bind/bind-dep-ctrl.js';
import { connectShard } from '../command-line/connect.js';
import { bindCommand } from '../commands/bind-command.js';
import { bootstrapCommand } from '../commands/bootstrap-command.js';
import { DEV_CONTEXTS, DEV_PARENTS, DEV_PATHS } from '../dev/dev-paths.js';
import { SECRETS } from '../certificate/shared-secrets.js';
import { networkProvider, vpc, VPCS as SERVED_VPCS } from '../dev/provider-manifests.js';
import { TEARDOWN_TYPE, teardownAccessIn, teardownPermissions, terminatingUrls } from '../teardown-type/teardown-type.js';
import { connectTo, onEmbeddedKcp, type EmbeddedWorld } from '../testing/embedded-world.js';
import { exportType } from '../testing/export-type.js';
import { runCli } from '../testing/run-cli.js';

const options = () => ({ signal: AbortSignal.timeout(20_000), clock: systemClock, timeoutMs: 20_000 });
const VPCS = { group: 'network.example.com', resource: 'vpcs' };
const home = ({ admin }: EmbeddedWorld) => admin.cluster(DEV_PATHS.depCtrl);
const USERS = ['--controller-user', 'runs-the-controller', '--webhook-user', 'runs-the-webhook'];
const bootstrap = ({ adminKubeconfig }: EmbeddedWorld, ...flags: readonly string[]) =>
  runCli(bootstrapCommand, ['--kubeconfig', adminKubeconfig, ...USERS, ...flags]);
const typeOf = (world: EmbeddedWorld) => getIfExists(home(world), WORKSPACE_TYPES, { name: TEARDOWN_TYPE }, options());

/** A provider of VPCs that has bound dep-ctrl. */
async function boundProvider({ admin }: EmbeddedWorld): Promise<void> {
  for (const path of [...DEV_PARENTS, DEV_PATHS.network]) await ensureWorkspace(admin, path, options());
  const network = admin.cluster(DEV_PATHS.network);
  await bindDepCtrl(network, { path: DEV_PATHS.depCtrl, name: EXPORT_NAME }, options());
  await exportType(network, networkProvider(), options());
}

describe('bootstrap --ordered-teardown', () => {
  it('given no flag, then no type is made; given the flag, then the type and its rights; and a later run without it writes nothing', () =>
    onEmbeddedKcp(async (world) => {
      await bootstrap(world);
      const before = await typeOf(world);

      const first = await bootstrap(world, '--ordered-teardown', '-o', 'json');
      const second = await bootstrap(world);

      expect(before).toBeUndefined();
      const { objects } = JSON.parse(first.stdout) as { readonly objects: readonly { kind: string; name: string; change: string }[] };
      expect(objects.filter(({ change }) => change !== 'unchanged').map(({ kind, name }) => `${kind} ${name}`)).toEqual([
        'ClusterRole dep-ctrl:ordered-teardown',
        'ClusterRoleBinding dep-ctrl:ordered-teardown',
        'ClusterRole dep-ctrl:use-ordered-teardown',
        'ClusterRoleBinding dep-ctrl:use-ordered-teardown',
        'WorkspaceType dependency-ordered',
      ]);
      expect(second.stdout).toContain(`: ${String(objects.length)} objects, all as they should be\n`);
    }));

  it('given a workspace of the type, then it is a universal one that carries the terminator of the type', () =>
    onEmbeddedKcp(async (world) => {
      await bootstrap(world, '--ordered-teardown');
      const { cluster: owner } = await ensureWorkspace(world.admin, DEV_PATHS.depCtrl, options());
      const root = world.admin.cluster(DEV_CONTEXTS.get('root')!);
      const spec = { type: { name: TEARDOWN_TYPE, path: DEV_PATHS.depCtrl } };
      const workspace = { apiVersion: 'tenancy.kcp.io/v1alpha1', kind: 'Workspace', metadata: { name: 'ordered' }, spec };
      await root.create(WORKSPACES, workspace, options());
      const { connection } = connectShard(world.adminKubeconfig);

      const terminators = await until(
        'its logical cluster',
        async (each) => {
          const { objects } = await listAll(connection.wildcard(), LOGICAL_CLUSTERS, {}, each);
          const found = objects.map(({ status }) => ((status ?? {}) as { readonly terminators?: readonly string[] }).terminators ?? []);
          const carrying = found.filter(({ length }) => length > 0);
          return carrying.length > 0 ? { done: carrying } : { waitingFor: 'none yet' };
        },
        options(),
      );

      await connection.close();
      expect(terminators).toEqual([[`${owner}:${TEARDOWN_TYPE}`]]);
    }));

  it('given providers that bind and unbind between the runs, then the type permits what is bound, without the flag', () =>
    onEmbeddedKcp(async (world) => {
      await bootstrap(world, '--ordered-teardown');
      await boundProvider(world);

      const bound = await bootstrap(world);
      const whileBound = await typeOf(world);
      await deleteIfExists(world.admin.cluster(DEV_PATHS.network), API_EXPORTS, { name: networkProvider().exportName }, options());
      await bootstrap(world);

      expect(bound.stdout).toContain('updated WorkspaceType dependency-ordered in root:dep-ctrl\n');
      expect(whileBound?.['spec']).toMatchObject({ terminatorPermissions: teardownPermissions({ kind: 'listed', types: [VPCS] }) });
      expect(teardownAccessIn((await typeOf(world))!)).toEqual({ kind: 'listed', types: [] });
    }));

  it('given a provider that binds, then bind itself adds what it exports, and says so', () =>
    onEmbeddedKcp(async (world) => {
      await bootstrap(world, '--ordered-teardown');
      for (const path of [...DEV_PARENTS, DEV_PATHS.network]) await ensureWorkspace(world.admin, path, options());
      await exportType(world.admin.cluster(DEV_PATHS.network), networkProvider(), options());

      const { code, stdout } = await runCli(bindCommand, ['--kubeconfig', world.adminKubeconfig, DEV_PATHS.network]);

      expect(code).toBe(0);
      expect(stdout).toContain('root:dep-ctrl: the ordered teardown may delete vpcs.network.example.com too\n');
      expect(teardownAccessIn((await typeOf(world))!)).toEqual({ kind: 'listed', types: [VPCS] });
    }));

  it('given --dry-run and --diff, then both show the type with what is bound, and write nothing', () =>
    onEmbeddedKcp(async (world) => {
      await bootstrap(world);
      await boundProvider(world);

      const dry = await bootstrap(world, '--ordered-teardown', '--dry-run');
      const diff = await bootstrap(world, '--ordered-teardown', '--diff');

      const shown = parseAllDocuments(dry.stdout).map((document) => document.toJS() as KubeObject);
      const type = shown.find(({ kind }) => kind === 'WorkspaceType');
      expect(type && teardownAccessIn(type)).toEqual({ kind: 'listed', types: [VPCS] });
      expect(diff.stdout).toContain('WorkspaceType dependency-ordered in root:dep-ctrl would be created\n');
      expect(await typeOf(world)).toBeUndefined();
    }));

  it('given a type of that name that dep-ctrl did not make, then it is left alone, unless it is asked for, and then one line says so', () =>
    onEmbeddedKcp(async (world) => {
      await bootstrap(world);
      const foreign = { apiVersion: 'tenancy.kcp.io/v1alpha1', kind: 'WorkspaceType', metadata: { name: TEARDOWN_TYPE }, spec: {} };
      await home(world).create(WORKSPACE_TYPES, foreign, options());

      const without = await bootstrap(world);
      const asked = await bootstrap(world, '--ordered-teardown');

      expect(without.code).toBe(0);
      expect(asked).toMatchObject({
        code: 1,
        stderr: 'error: WorkspaceType "dependency-ordered" exists and was not made by dep-ctrl: give --adopt to take it over\n',
      });
    }));

  it('given a kcp that is too old, then one line says so, and nothing is written', () =>
    onEmbeddedKcp(async (world) => {
      world.kcp.faults.onRequest(
        { method: 'GET', path: /\/version$/ },
        { kind: 'answer', status: 200, body: { gitVersion: 'v1.35.0+kcp-v0.31.0' } },
      );

      const { code, stdout, stderr } = await bootstrap(world, '--ordered-teardown');

      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toBe(
        'error: --ordered-teardown needs kcp v0.32 or later, and this is v0.31.0: an older one shows a terminator nothing of what is in a dying workspace\n',
      );
      const { objects } = await listAll(world.admin.cluster(DEV_CONTEXTS.get('root')!), WORKSPACES, {}, options());
      expect(objects).toEqual([]);
    }));

  it('given a kcp that does not tell its version and drops the permissions, then one line says so, and no type is left', () =>
    onEmbeddedKcp(async (world) => {
      world.kcp.faults.onRequest({ method: 'GET', path: /\/version$/ }, { kind: 'answer', status: 404 });
      const pruned = { apiVersion: 'tenancy.kcp.io/v1alpha1', kind: 'WorkspaceType', metadata: { name: TEARDOWN_TYPE }, spec: {} };
      world.kcp.faults.onRequest({ method: 'POST', path: /\/workspacetypes/ }, { kind: 'answer', status: 201, body: pruned });

      const { code, stderr } = await bootstrap(world, '--ordered-teardown');

      expect(code).toBe(1);
      expect(stderr).toContain('--ordered-teardown needs kcp v0.32 or later, and this one does not know terminatorPermissions');
      expect(await typeOf(world)).toBeUndefined();
    }));

  it.each([
    { user: 'runs-the-controller', expected: 1 },
    { user: 'runs-the-webhook', expected: 'forbidden' },
  ])('given the user who $user, then following the type is $expected', ({ user, expected }) =>
    onEmbeddedKcp(async (world) => {
      await bootstrap(world, '--ordered-teardown');
      const connection = connectTo(world.kcp.kubeconfig({ user }));

      const query = { fieldSelector: `metadata.name=${TEARDOWN_TYPE}` };
      const listed = await listAll(connection.cluster(DEV_PATHS.depCtrl), WORKSPACE_TYPES, query, options()).then(
        ({ objects }) => objects.length,
        (error: unknown) => (isKcpError(error) ? error.code : error),
      );

      expect(listed).toBe(expected);
      await connection.close();
    }),
  );

  it('given the user who runs the controller, when a workspace of the type dies, then it may delete what is bound there, read the bindings, and let it go, and nothing else', () =>
    onEmbeddedKcp(async (world) => {
      await bootstrap(world, '--ordered-teardown');
      await boundProvider(world);
      await bootstrap(world);
      const root = world.admin.cluster(DEV_CONTEXTS.get('root')!);
      const spec = { type: { name: TEARDOWN_TYPE, path: DEV_PATHS.depCtrl } };
      const workspace = { apiVersion: 'tenancy.kcp.io/v1alpha1', kind: 'Workspace', metadata: { name: 'mine' }, spec };
      await root.create(WORKSPACES, workspace, options());
      const mine = world.admin.cluster(workspacePath('root:mine'));
      const bind = () => bindExport(mine, { export: { path: DEV_PATHS.network, name: VPCS.group }, claims: [] }, options());
      await patiently('the binding', bind, options());
      const held = { ...vpc('my-vpc'), metadata: { ...vpc('my-vpc').metadata, finalizers: ['example.com/held'] } };
      await patiently('the VPC', () => ensureObject(mine, SERVED_VPCS, held, options()), options());
      const [url = ''] = terminatingUrls((await typeOf(world))!);
      const view = parseVirtualWorkspaceUrl(url);
      if (!view.ok) throw new Error(view.problem);
      const controller = connectTo(world.kcp.kubeconfig({ user: 'runs-the-controller' }));
      const seen = controller.virtualWorkspace(view.value);
      await root.delete(WORKSPACES, { name: 'mine' }, options());
      const dying = await until(
        'that it is seen to die',
        async (each) => {
          const { objects } = await listAll(seen.wildcard(), LOGICAL_CLUSTERS, {}, each);
          const cluster = objects[0] && clusterOf(objects[0]);
          const { phase } = (objects[0]?.['status'] ?? {}) as { readonly phase?: string };
          return cluster?.ok === true && phase === 'Terminating' ? { done: cluster.value } : { waitingFor: phase ?? 'nothing' };
        },
        options(),
      );
      const content = seen.cluster(dying);
      const codeOf = (work: Promise<unknown>) =>
        work.then(
          () => 'done',
          (error: unknown) => (isKcpError(error) ? error.code : error),
        );

      const did = {
        bindings: await codeOf(listAll(content, API_BINDINGS, {}, options())),
        list: await codeOf(listAll(content, SERVED_VPCS, {}, options())),
        delete: await codeOf(content.delete(SERVED_VPCS, { name: 'my-vpc', namespace: 'default' }, options())),
        annotate: await codeOf(
          content.patch(
            SERVED_VPCS,
            { name: 'my-vpc', namespace: 'default' },
            { kind: 'merge', body: { metadata: { annotations: { a: 'b' } } } },
            options(),
          ),
        ),
        create: await codeOf(content.create(SERVED_VPCS, vpc('another'), options())),
        status: await codeOf(content.get(SERVED_VPCS, { name: 'my-vpc', namespace: 'default', subresource: 'status' }, options())),
        secrets: await codeOf(listAll(content, SECRETS, {}, options())),
        unbind: await codeOf(content.delete(API_BINDINGS, { name: VPCS.group }, options())),
        letGo: await codeOf(
          content.patch(
            LOGICAL_CLUSTERS,
            { name: 'cluster', subresource: 'status' },
            { kind: 'json', body: [{ op: 'remove', path: '/status/terminators/0' }] },
            options(),
          ),
        ),
      };

      expect(did).toEqual({
        ...{ bindings: 'done', list: 'done', delete: 'done', annotate: 'done', letGo: 'done' },
        ...{ create: 'forbidden', status: 'forbidden', secrets: 'forbidden', unbind: 'forbidden' },
      });
      await controller.close();
    }));
});
