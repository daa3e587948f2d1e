import { expect, it } from '@jest/globals';
import { WebhookInstaller, type DesiredConfiguration } from '@dep-ctrl/webhook-installer';
import { startBoundWorld } from '../src/spec-support/bound-workspace.js';

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

it('installs, does nothing twice, and removes', async () => {
  const world = await startBoundWorld();
  const signal = AbortSignal.timeout(30_000);
  const { behind: workspace } = await world.workspace('network');
  const ownership = { label: 'guards.example.com/owner', value: world.boundExport.cluster, adopt: () => false };

  const installer = new WebhookInstaller({ name: 'guard', ownership, boundExport: world.boundExport });

  expect(await installer.ensure(workspace, desired, { signal })).toEqual({ state: 'installed', change: 'created' });
  expect(await installer.ensure(workspace, desired, { signal })).toEqual({ state: 'unchanged' });
  expect(await installer.remove(workspace, { signal })).toEqual({ state: 'removed' });
  await world.stop();
}, 60_000);
