import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { RULES } from '@dep-ctrl/rule-registry';
import { hurriedClock } from '@dep-ctrl/kcp-client/testing';
import { GuardedWorkspaceController } from './workspace/guarded-workspace-controller.js';
import { ControllerStage } from './testing/controller-stage.js';
import { eventually, eventuallyIs } from './testing/observations.js';

jest.setTimeout(120_000);

describe(`${GuardedWorkspaceController.name}, when workspaces leave`, () => {
  let stage: ControllerStage;

  beforeAll(async () => {
    stage = await ControllerStage.start();
  });

  afterEach(() => stage.stopControllers());

  afterAll(() => stage.stop());

  it('given a workspace that unbinds with the claim rejected, then after a minute it may go and the leftover is named aloud', async () => {
    const [network, compute] = [await stage.provider(), await stage.provider()];
    const controller = stage.run({ clock: hurriedClock(20) });
    await stage.rule(compute, network);
    await eventuallyIs(() => stage.ruleState(compute), 'True Installed 1/1');
    await stage.answerClaim(network, 'Rejected');
    await eventuallyIs(() => stage.ruleState(compute), 'False ClaimNotAccepted 0/1');

    await stage.unbind(network);

    await eventuallyIs(() => stage.isUnbound(network), true);
    expect(await stage.configuration(network)).toBeDefined();
    expect(controller.logged.filter((line) => line.startsWith('configuration left behind'))).toEqual([
      expect.stringContaining(`path=${network.path} name=dependency-controller`),
    ]);
  });

  it('given a workspace that takes its time to unbind, then rules about it are not said to be ready meanwhile', async () => {
    const [network, compute] = [await stage.provider(), await stage.provider()];
    stage.run();
    await stage.rule(compute, network);
    await stage.rule(network, compute, { name: 'own' });
    await eventuallyIs(() => stage.ruleState(compute), 'True Installed 1/1');
    const hold = async (finalizers: readonly string[]): Promise<void> => {
      const body = { metadata: { finalizers } };
      await network.client.patch(RULES, { name: 'own' }, { kind: 'merge', body }, { signal: new AbortController().signal });
    };
    await hold(['example.com/slow']);

    await stage.unbind(network);

    await eventuallyIs(() => stage.configuration(network), undefined);
    await eventuallyIs(() => stage.ruleState(compute), 'False NotBound 0/1');
    expect(await stage.isUnbound(network)).toBe(false);
    await hold([]);
    await eventuallyIs(() => stage.isUnbound(network), true);
  });

  it('given no controller while a workspace unbinds, then its guard holds the binding until one cleans up', async () => {
    const [network, compute] = [await stage.provider(), await stage.provider()];
    const controller = stage.run();
    await stage.rule(compute, network);
    await eventuallyIs(() => stage.ruleState(compute), 'True Installed 1/1');
    await controller.stop();
    await stage.unbind(network);
    await eventually(
      () => stage.guard(network),
      (guard) => guard?.metadata.deletionTimestamp !== undefined,
    );
    expect(await stage.isUnbound(network)).toBe(false);

    stage.run();

    await eventuallyIs(() => stage.isUnbound(network), true);
    expect(await stage.configuration(network)).toBeUndefined();
  });

  it('given the author of the rules unbinds, then what it guarded is let go', async () => {
    const [network, compute] = [await stage.provider(), await stage.provider()];
    stage.run();
    await stage.rule(compute, network);
    await eventuallyIs(() => stage.ruleState(compute), 'True Installed 1/1');

    await stage.unbind(compute);

    await eventuallyIs(() => stage.configuration(network), undefined);
    await eventuallyIs(() => stage.guard(network), undefined);
  });

  it('given the author of the rules unbound while nobody ran, then after a minute without a sign of it what it guarded is let go', async () => {
    const [network, compute] = [await stage.provider(), await stage.provider()];
    const controller = stage.run();
    await stage.rule(compute, network);
    await eventuallyIs(() => stage.ruleState(compute), 'True Installed 1/1');
    await controller.stop();
    await stage.unbind(compute);
    await eventuallyIs(() => stage.isUnbound(compute), true);

    stage.run({ clock: hurriedClock(20) });

    await eventuallyIs(() => stage.configuration(network), undefined);
    await eventuallyIs(() => stage.guard(network), undefined);
  });
});
