import { deepEqual, equal } from 'node:assert/strict';
import { parseVirtualWorkspaceUrl, type ClusterClient } from '@dep-ctrl/kcp-client';
import { WebhookInstaller, type DesiredConfiguration, type InstallOutcome } from '@dep-ctrl/webhook-installer';
import { ZONE } from '../stage/example-types.js';
import { endpoints } from '../stage/endpoints.js';
import { eventually } from '../stage/eventually.js';
import { answeredClaim, bind, claimsApplied, makeExport, webhookClaim, type Export } from '../stage/exports.js';
import type { Workspace } from '../stage/stage.js';
import { clusterNamed } from './connect.js';
import type { Library, LibraryCase } from './library-case.js';

const CONFIGURATIONS = { group: 'admissionregistration.k8s.io', version: 'v1', resource: 'validatingwebhookconfigurations' };
const VERBS = ['get', 'list', 'watch', 'create', 'update', 'delete'];
const OWNER = 'e2e.example.com/owner';
const { signal } = new AbortController();

const desired: DesiredConfiguration = {
  labels: {},
  webhooks: [
    {
      name: 'guard.example.com',
      clientConfig: { url: 'https://127.0.0.1:1/validate' },
      rules: [{ operations: ['DELETE'], apiGroups: ['network.example.com'], apiVersions: ['*'], resources: ['none'] }],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    },
  ],
};

/** L4: webhook configurations through a virtual workspace. */
export const installations: readonly LibraryCase[] = [
  {
    id: 'L4.1',
    title: 'a configuration is installed, left alone as long as it is right, repaired, and removed',
    run: async (library) => {
      const { target, workspace } = await bound(library, 'Accepted');
      const installer = installerOf(target);
      const client = await clientOf(library, target, workspace);

      const installed = await eventually('it is installed', async () =>
        expectState(await installer.ensure(client, desired, { signal }), 'installed'),
      );
      deepEqual(installed, { state: 'installed', change: 'created' });
      const written = await client.get(CONFIGURATIONS, { name: 'guard' }, { signal });
      deepEqual(await installer.ensure(client, desired, { signal }), { state: 'unchanged' });
      const left = await client.get(CONFIGURATIONS, { name: 'guard' }, { signal });
      equal(left.metadata.resourceVersion, written.metadata.resourceVersion);

      await client.replace(CONFIGURATIONS, { ...left, webhooks: [] }, { signal });
      deepEqual(await installer.ensure(client, desired, { signal }), { state: 'installed', change: 'replaced' });
      deepEqual((await client.get(CONFIGURATIONS, { name: 'guard' }, { signal }))['webhooks'], written['webhooks']);

      deepEqual(await installer.remove(client, { signal }), { state: 'removed' });
      deepEqual(await installer.remove(client, { signal }), { state: 'absent' });
    },
  },
  {
    id: 'L4.2',
    title: 'a claim that is not accepted and a workspace that does not bind are told apart, and nothing is written',
    run: async (library) => {
      const { target, workspace } = await bound(library, 'Rejected');
      const installer = installerOf(target);
      const stranger = await library.kcp.workspace({ shard: workspace.shard });
      const client = await clientOf(library, target, workspace);
      const elsewhere = await clientOf(library, target, stranger);

      await eventually('the claim is not accepted', async () =>
        expectState(await installer.ensure(client, desired, { signal }), 'claim-not-accepted'),
      );
      await eventually('it is not bound', async () => expectState(await installer.ensure(elsewhere, desired, { signal }), 'not-bound'));
    },
  },
  {
    id: 'L4.3',
    title: 'a configuration of somebody else stays as it is',
    run: async (library) => {
      const { target, workspace } = await bound(library, 'Accepted');
      const client = await clientOf(library, target, workspace);
      const inside = library.connection.cluster(clusterNamed(workspace.cluster));
      const metadata = { name: 'guard', labels: { [OWNER]: 'somebody' } };
      const theirs = await inside.create(
        CONFIGURATIONS,
        { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration', metadata },
        { signal },
      );

      const outcome = await eventually('it is seen', async () =>
        expectState(await installerOf(target).ensure(client, desired, { signal }), 'conflict'),
      );

      deepEqual(outcome, { state: 'conflict', owner: 'somebody' });
      deepEqual(await installerOf(target).remove(client, { signal }), { state: 'absent' });
      equal((await inside.get(CONFIGURATIONS, { name: 'guard' }, { signal })).metadata.resourceVersion, theirs.metadata.resourceVersion);
    },
  },
];

/** An export that claims webhook configurations, and a workspace that answers so. */
async function bound(
  { kcp }: Library,
  state: 'Accepted' | 'Rejected',
): Promise<{ readonly target: Export; readonly workspace: Workspace }> {
  const claim = webhookClaim(VERBS);
  const target = await makeExport(kcp, { workspace: await kcp.workspace({ shard: 0 }), types: [ZONE], claims: [claim] });
  const workspace = await kcp.workspace({ shard: 0 });
  await bind(kcp, workspace, target, { claims: [answeredClaim(claim, { state })] });
  await claimsApplied(kcp, workspace, target.name, state === 'Accepted' ? 1 : 0);
  return { target, workspace };
}

function installerOf(target: Export): WebhookInstaller {
  const ownership = { label: OWNER, value: 'e2e', adopt: (): boolean => false };
  return new WebhookInstaller({
    name: 'guard',
    ownership,
    boundExport: { cluster: clusterNamed(target.workspace.cluster), name: target.name },
  });
}

/** The workspace through the virtual workspace of the only shard where the export is bound. */
async function clientOf({ kcp, connection }: Library, target: Export, workspace: Workspace): Promise<ClusterClient> {
  const url = await eventually('there is an endpoint', async () => {
    const [endpoint = ''] = await endpoints(kcp, target);
    const address = parseVirtualWorkspaceUrl(endpoint);
    if (!address.ok) throw new Error(address.problem);
    return address.value;
  });
  return connection.virtualWorkspace(url).cluster(clusterNamed(workspace.cluster));
}

function expectState(outcome: InstallOutcome, state: InstallOutcome['state']): InstallOutcome {
  equal(outcome.state, state, JSON.stringify(outcome));
  return outcome;
}
