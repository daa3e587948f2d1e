import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { systemClock } from '@dep-ctrl/kcp-client';
import { GUARD_NAME } from '@dep-ctrl/rule-registry';
import { FollowedCaBundle, WEBHOOK_CONFIGURATIONS } from '@dep-ctrl/webhook-installer';
import { installedBundles, mintAuthority } from '@dep-ctrl/admission-server';
import { ConfigurationWriter } from './configuration-writer.js';
import { ControllerStage } from '../testing/controller-stage.js';
import { eventuallyIs } from '../testing/observations.js';

jest.setTimeout(120_000);

describe(ConfigurationWriter, () => {
  const stop = new AbortController();
  let stage: ControllerStage;

  beforeAll(async () => {
    stage = await ControllerStage.start();
  });

  afterAll(() => {
    stop.abort();
    return stage.stop();
  });

  it('given somebody who writes a CA into the configuration of their own workspace, then no other workspace comes to trust it', async () => {
    const [theirs, network, compute] = [await stage.provider(), await stage.provider(), await stage.provider()];
    const [foreign, ours] = await Promise.all([mintAuthority(Date.now()), mintAuthority(Date.now())]);
    await theirs.client.create(WEBHOOK_CONFIGURATIONS, configurationWith(foreign.certificate), { signal: stop.signal });
    const caBundle = new FollowedCaBundle({ read: () => Promise.resolve(ours.certificate), clock: systemClock });
    const following = caBundle.run(stop.signal);
    stage.run({ caBundle });
    await stage.rule(theirs, theirs);
    await eventuallyIs(() => stage.ruleState(theirs), 'False Conflict 0/1');

    await stage.rule(compute, network);

    await eventuallyIs(() => stage.ruleState(compute), 'True Installed 1/1');
    const configuration = await stage.configuration(network);
    expect(configuration && installedBundles([configuration])).toEqual([ours.certificate]);
    stop.abort();
    await following;
  });
});

function configurationWith(certificate: string) {
  const clientConfig = { url: 'https://example.com', caBundle: Buffer.from(certificate).toString('base64') };
  const webhook = { name: 'a.example.com', clientConfig, sideEffects: 'None', admissionReviewVersions: ['v1'] };
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: GUARD_NAME },
    webhooks: [webhook],
  };
}
