import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { EXPORT_NAME, GUARD_NAME } from '@dep-ctrl/rule-registry';
import { ensureWorkspace } from '@dep-ctrl/kcp-objects';
import { WEBHOOK_CONFIGURATIONS } from '@dep-ctrl/webhook-installer';
import { bindDepCtrl } from '../bind/bind-dep-ctrl.js';
import { doctorCommand } from '../commands/doctor-command.js';
import { statusCommand } from '../commands/status-command.js';
import { DEV_PATHS } from '../dev/dev-paths.js';
import { onInstalledWorld, options, type InstalledWorld } from '../doctor/spec-support/installed-world.js';
import { OWNER_LABEL } from '../own-objects/configuration-labels.js';
import { connectTo } from '../testing/embedded-world.js';
import { pathOf } from '../testing/path-of.js';
import { runCli } from '../testing/run-cli.js';

const WITHIN_MS = 60_000;
const RBAC = { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterrolebindings' };
const EVIL = pathOf('root:providers:evil');

/** Has the admin of a workspace that binds dep-ctrl write a configuration of our name with such URLs. */
async function writesItself({ kcp, admin, home }: InstalledWorld, urls: readonly string[]): Promise<void> {
  await ensureWorkspace(admin, EVIL, options());
  await bindDepCtrl(admin.cluster(EVIL), { path: DEV_PATHS.depCtrl, name: EXPORT_NAME }, options());
  const roleRef = { apiGroup: RBAC.group, kind: 'ClusterRole', name: 'cluster-admin' };
  const subjects = [{ kind: 'User', apiGroup: RBAC.group, name: 'eve' }];
  const binding = { apiVersion: `${RBAC.group}/v1`, kind: 'ClusterRoleBinding', metadata: { name: 'eve' }, roleRef, subjects };
  await admin.cluster(EVIL).create(RBAC, binding, options());
  const eve = connectTo(kcp.kubeconfig({ user: 'eve' }));
  const entry = { failurePolicy: 'Fail', sideEffects: 'None', admissionReviewVersions: ['v1'], rules: [] };
  const webhooks = urls.map((url, at) => ({ ...entry, name: `e${String(at)}.example.com`, clientConfig: { url } }));
  const metadata = { name: GUARD_NAME, labels: { [OWNER_LABEL]: home } };
  const object = { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration', metadata, webhooks };
  await eve.cluster(EVIL).create(WEBHOOK_CONFIGURATIONS, object, options());
  await eve.close();
}

describe('a configuration of our name that a tenant wrote itself', () => {
  it(
    'given an address of its own in it, when status and doctor look around, then nobody calls there, and the workspace is named',
    () =>
      onInstalledWorld(async (world) => {
        const callers: number[] = [];
        const listener = createServer((socket) => {
          callers.push(socket.remotePort ?? 0);
          socket.destroy();
        }).listen(0, '127.0.0.1');
        await once(listener, 'listening');
        const { port } = listener.address() as AddressInfo;
        await writesItself(world, [`https://127.0.0.1:${String(port)}/validate/evil/token`]);

        const flags = ['--kubeconfig', world.adminKubeconfig];
        const [status, doctor] = [await runCli(statusCommand, flags), await runCli(doctorCommand, world.flags)];

        listener.close();
        expect(callers).toEqual([]);
        for (const { code, stdout } of [status, doctor]) {
          expect(code).toBe(1);
          expect(stdout).toContain(`configuration in ${EVIL} has kcp call another address than https://127.0.0.1:${String(world.port)}`);
        }
        expect(status.stdout).toMatch(/\nwebhook {5}https:\S+ answers from here, version \S+, named in 2 workspaces/);
      }),
    WITHIN_MS,
  );
});
