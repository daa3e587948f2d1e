// An export that is made anew, in a kcp of its own: for the others it stays.
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { startBoundWorld, until, type BoundWorld } from './spec-support/bound-workspace.js';
import { WEBHOOK_CONFIGURATIONS, type DesiredConfiguration } from './webhook-configuration.js';
import { WebhookInstaller } from './webhook-installer.js';

const signal = AbortSignal.timeout(300_000);
const NAME = 'guard';
const desired: DesiredConfiguration = {
  labels: {},
  webhooks: [
    {
      name: 'guard.example.com',
      clientConfig: { url: 'https://guard.example.com/validate' },
      rules: [{ operations: ['DELETE'], apiGroups: ['x.io'], apiVersions: ['*'], resources: ['as'] }],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    },
  ],
};

jest.setTimeout(30_000);

describe(`${WebhookInstaller.name}, given an export that was made anew`, () => {
  let world: BoundWorld;

  beforeAll(async () => {
    world = await startBoundWorld();
  }, 60_000);

  afterAll(() => world.stop());

  it('given a configuration of before, then it is there and unseen, until somebody in the workspace writes it', async () => {
    const workspace = await world.workspace('moved');
    const ownership = { label: 'owner', value: 'me', adopt: () => false };
    const installer = new WebhookInstaller({ name: NAME, ownership, boundExport: world.boundExport });
    await installer.ensure(workspace.behind, desired, { signal });

    const behind = await world.makeAnew(workspace);

    // The claim takes a moment to be applied.
    const unseen = await until(async () => {
      const outcome = await installer.ensure(behind, desired, { signal });
      return outcome.state === 'not-bound' || outcome.state === 'unreachable' || outcome.state === 'forbidden' ? undefined : outcome;
    }, signal);
    expect(unseen).toEqual({
      state: 'unseen',
      problem: 'an object of this name is there, and the export does not see it',
      retryable: true,
    });

    const body = { metadata: { labels: { note: 'one' } } };
    await workspace.inside.patch(WEBHOOK_CONFIGURATIONS, { name: NAME }, { kind: 'merge', body }, { signal });
    expect(await installer.ensure(behind, desired, { signal })).toEqual({ state: 'unchanged' });
  });
});
