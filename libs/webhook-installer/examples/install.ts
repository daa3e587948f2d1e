/* eslint-disable no-console -- a program that says what it found */
// Needs KUBECONFIG, a workspace root:owner whose APIExport guards.example.com claims validatingwebhookconfigurations, and a workspace
// root:network that binds it and accepts the claim.
import { clusterOf, Connection, parseVirtualWorkspaceUrl, workspacePath } from '@dep-ctrl/kcp-client';
import { loadKubeconfig } from '@dep-ctrl/kcp-client/kubeconfig';
import { WebhookInstaller, type DesiredConfiguration } from '@dep-ctrl/webhook-installer';

const SLICES = { group: 'apis.kcp.io', version: 'v1alpha1', resource: 'apiexportendpointslices' };
const LOGICAL_CLUSTERS = { group: 'core.kcp.io', version: 'v1alpha1', resource: 'logicalclusters' };
const options = { signal: AbortSignal.timeout(30_000) };

const loaded = loadKubeconfig();
if (!loaded.ok) throw new Error(loaded.problem);
const connection = new Connection(loaded.value);

// Where the export's owner reaches the workspaces that bind it, and which two workspaces these are.
const slice = await connection.cluster(workspacePath('root:owner')).get(SLICES, { name: 'guards.example.com' }, options);
const { endpoints } = slice['status'] as { readonly endpoints: readonly [{ readonly url: string }] };
const url = parseVirtualWorkspaceUrl(endpoints[0].url);
const owner = clusterOf(slice);
const network = clusterOf(await connection.cluster(workspacePath('root:network')).get(LOGICAL_CLUSTERS, { name: 'cluster' }, options));
if (!url.ok || !owner.ok || !network.ok) throw new Error('kcp named no endpoint or no logical cluster');

const workspace = connection.virtualWorkspace(url.value).cluster(network.value);
const installer = new WebhookInstaller({
  name: 'guard',
  ownership: { label: 'guards.example.com/owner', value: owner.value, adopt: () => false },
  boundExport: { cluster: owner.value, name: 'guards.example.com' },
});
const desired: DesiredConfiguration = {
  labels: {},
  webhooks: [
    {
      name: 'guard.example.com',
      clientConfig: { url: 'https://guard.example.com/validate' },
      rules: [{ operations: ['DELETE'], apiGroups: ['network.example.com'], apiVersions: ['*'], resources: ['vpcs'] }],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    },
  ],
};

console.log(await installer.ensure(workspace, desired, options)); // { state: 'installed', change: 'created' }
console.log(await installer.ensure(workspace, desired, options)); // { state: 'unchanged' }: one read, no write
console.log(await installer.remove(workspace, options)); // { state: 'removed' }
await connection.close();
