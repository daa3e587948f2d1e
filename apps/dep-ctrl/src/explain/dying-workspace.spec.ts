// What `explain --workspace` says about a workspace that dies and waits for the terminator of the ordered teardown.
import { describe, expect, it } from '@jest/globals';
import { systemClock } from '@dep-ctrl/kcp-client';
import { bindExport } from '@dep-ctrl/exported-types';
import { ensureObject, ensureWorkspace, LOGICAL_CLUSTERS, patiently, until, WORKSPACE_TYPES, WORKSPACES } from '@dep-ctrl/kcp-objects';
import { workspacePath } from '@dep-ctrl/kcp-names';
import { bootstrapCommand } from '../commands/bootstrap-command.js';
import { explainCommand } from '../commands/explain-command.js';
import { DEV_CONTEXTS, DEV_PARENTS, DEV_PATHS } from '../dev/dev-paths.js';
import { networkProvider, vpc, VPCS } from '../dev/provider-manifests.js';
import { TEARDOWN_TYPE } from '../teardown-type/teardown-type.js';
import { onEmbeddedKcp } from '../testing/embedded-world.js';
import { exportType } from '../testing/export-type.js';
import { runCli } from '../testing/run-cli.js';

const options = () => ({ signal: AbortSignal.timeout(60_000), clock: systemClock, timeoutMs: 60_000 });
const MINE = workspacePath('root:mine');

describe('dep-ctrl explain --workspace', () => {
  it('given a dying workspace with the terminators of dep-ctrl and of another, then it says whose they are, what is left, and what its namespace waits for', () =>
    onEmbeddedKcp(async ({ admin, adminKubeconfig }) => {
      const root = admin.cluster(DEV_CONTEXTS.get('root')!);
      const users = ['--controller-user', 'c', '--webhook-user', 'w'];
      await runCli(bootstrapCommand, ['--kubeconfig', adminKubeconfig, ...users, '--ordered-teardown']);
      for (const path of [...DEV_PARENTS, DEV_PATHS.network]) await ensureWorkspace(admin, path, options());
      await exportType(admin.cluster(DEV_PATHS.network), networkProvider(), options());
      const extend = { with: [{ name: TEARDOWN_TYPE, path: DEV_PATHS.depCtrl }] };
      const type = {
        apiVersion: 'tenancy.kcp.io/v1alpha1',
        kind: 'WorkspaceType',
        metadata: { name: 'tenant' },
        spec: { terminator: true, extend },
      };
      await root.create(WORKSPACE_TYPES, type, options());
      const spec = { type: { name: 'tenant', path: 'root' } };
      await root.create(
        WORKSPACES,
        { apiVersion: 'tenancy.kcp.io/v1alpha1', kind: 'Workspace', metadata: { name: 'mine' }, spec },
        options(),
      );
      const mine = admin.cluster(MINE);
      const bind = () => bindExport(mine, { export: { path: DEV_PATHS.network, name: VPCS.group }, claims: [] }, options());
      await patiently('the binding', bind, options());
      const held = { ...vpc('my-vpc'), metadata: { ...vpc('my-vpc').metadata, finalizers: ['example.com/held'] } };
      await patiently('the VPC', () => ensureObject(mine, VPCS, held, options()), options());
      await root.delete(WORKSPACES, { name: 'mine' }, options());
      await until(
        'kcp has begun',
        async (each) => {
          const { metadata } = await mine.get(VPCS, { name: 'my-vpc', namespace: 'default' }, each);
          return metadata.deletionTimestamp === undefined ? { waitingFor: 'the delete' } : { done: true };
        },
        options(),
      );
      const { metadata } = await admin.cluster(DEV_PATHS.depCtrl).get(LOGICAL_CLUSTERS, { name: 'cluster' }, options());
      const home = metadata.annotations?.['kcp.io/cluster'] ?? '';

      const { code, stdout } = await runCli(explainCommand, ['--kubeconfig', adminKubeconfig, '--workspace', MINE]);

      expect(code).toBe(0);
      const lines = stdout.split('\n');
      expect(lines[0]).toMatch(/^root:mine is being deleted \(since .*\) and waits for$/);
      expect(lines).toContain('  terminator root:tenant (not of dep-ctrl: the owner of that type must remove it)');
      expect(lines).toContain(
        `  terminator ${home}:${TEARDOWN_TYPE} (of dep-ctrl: its controller deletes dependents first, then removes this terminator; if nothing changes, see dep-ctrl doctor)`,
      );
      expect(lines).toContain('  vpcs/my-vpc in namespace default: is being deleted and waits for its finalizer example.com/held');
      expect(lines).toContain('  left: vpcs.network.example.com 1');
      expect(stdout).toMatch(/^ {2}namespace default is being deleted \(since .*\); kcp says: /m);
    }));
});
