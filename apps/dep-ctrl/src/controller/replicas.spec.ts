import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Connection } from '@dep-ctrl/kcp-client';
import { GUARD_NAME, GUARDS } from '@dep-ctrl/rule-registry';
import { StaticCaBundle } from '@dep-ctrl/webhook-installer';
import { mintAuthority } from '@dep-ctrl/admission-server';
import { connectTo } from '../testing/embedded-world.js';
import { ControllerRole } from './controller-role.js';
import { ControllerStage, type Place } from './testing/controller-stage.js';
import { conditionOf, entriesIn, eventually, eventuallyIs, statusOf } from './testing/observations.js';
import type { ControllerChange, RunningController } from './testing/running-controller.js';

jest.setTimeout(120_000);
const forbidden = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Forbidden', code: 403, message: 'not for this account' };
const signal = AbortSignal.timeout(600_000);

describe(`${ControllerRole.name}, started, stopped and doubled`, () => {
  let stage: ControllerStage;

  beforeAll(async () => {
    stage = await ControllerStage.start();
  });

  afterAll(() => stage.stop());

  it('given nothing at all, then it waits, says for what, and works once there is something', async () => {
    const controller = stage.run();
    await eventually(
      () => controller.role.state().waitingFor,
      ([first]) => first === 'the first workspace to bind dependencies.opendefense.cloud',
    );

    const [network, compute] = [await stage.provider(), await stage.provider()];
    await eventually(
      () => controller.role.state().waitingFor,
      ([first]) => first === 'the first rule',
    );
    await stage.rule(compute, network);

    await eventuallyIs(() => stage.ruleState(compute), 'True Installed 1/1');
    expect(controller.role.state()).toMatchObject({
      isLeading: true,
      waitingFor: [],
      configurations: { installed: 1, pending: 0, failed: 0, unbound: 0 },
    });
    await controller.stop();
  });

  it('given two replicas, then one leads, the other says that it stands by and for whom, and takes over when that one stops', async () => {
    const [network, compute] = [await stage.provider(), await stage.provider()];
    const one = stage.run(candidate('one'));
    await eventuallyIs(() => one.role.state().isLeading, true);
    const two = stage.run(candidate('two'));
    await stage.rule(compute, network);
    await eventuallyIs(() => stage.ruleState(compute), 'True Installed 1/1');
    await eventuallyIs(() => two.logged.filter((line) => line.startsWith('standing by')).join(), 'standing by leader=one');
    expect(two.role.state()).toMatchObject({ isLeading: false, otherLeader: 'one' });
    expect(writesOf(two)).toEqual([]);

    await one.stop();

    await eventuallyIs(() => two.role.state().isLeading, true);
    expect(two.role.state().otherLeader).toBeUndefined();
    expect(one.logged.filter((line) => line.startsWith('standing by'))).toEqual([]);
    await stage.removeRule(compute);
    await eventuallyIs(() => stage.configuration(network), undefined);
    await two.stop();
  });

  it('given a lease that kcp refuses, then the state says why nobody leads, until kcp takes it', async () => {
    const refused = stage.kcp.faults.onRequest({ path: /\/leases(?:\/|$)/ }, { kind: 'answer', status: 403, body: forbidden });
    const alone = stage.run(candidate('alone'));
    await eventually(
      () => alone.role.state(),
      ({ leaseProblem, isLeading }) => leaseProblem?.includes('not for this account') === true && !isLeading,
    );

    refused();

    await eventuallyIs(() => alone.role.state().isLeading, true);
    expect(alone.role.state().leaseProblem).toBeUndefined();
    await alone.stop();
  });

  it('given a rule status that kcp refuses, then the log says so once, and it is written once kcp takes it', async () => {
    const [network, compute] = [await stage.provider(), await stage.provider()];
    const writing = { method: 'PUT', path: /\/dependencyrules\/[^/]+\/status$/ };
    const refused = stage.kcp.faults.onRequest(writing, { kind: 'answer', status: 403, body: forbidden });
    const before = stage.kcp.requests.count(writing);
    const controller = stage.run();
    await stage.rule(compute, network);
    await eventually(
      () => stage.kcp.requests.count(writing) - before,
      (times) => times > 2,
    );
    expect(controller.logged.filter((line) => line.startsWith('rule status refused'))).toEqual([
      expect.stringMatching(new RegExp(`^rule status refused rule=${compute.cluster}/vms problem=.*403 Forbidden: not for this account$`)),
    ]);

    refused();

    await eventuallyIs(() => stage.ruleState(compute), 'True Installed 1/1');
    await stage.removeRule(compute);
    await controller.stop();
  });

  it('given a replica whose watch of rules lags behind, when it comes to lead, then what a rule in force wants stays', async () => {
    const [network, compute] = [await stage.provider(), await stage.provider()];
    const one = stage.run(candidate('one'));
    await eventuallyIs(() => one.role.state().isLeading, true);
    await eventuallyIs(() => one.registry.completeness().state, 'known');
    const lagging = connectTo(stage.kcp.kubeconfig());
    const catchUp = lagBehind(lagging, 'dependencyrules');
    const two = stage.run({ ...candidate('two'), connection: lagging });
    await eventuallyIs(() => two.registry.completeness().state, 'known');
    await stage.rule(compute, network);
    await eventuallyIs(() => stage.ruleState(compute), 'True Installed 1/1');
    const installed = await stage.configuration(network);

    await one.stop();
    const look = { method: 'GET', path: new RegExp(`/services/apiexport/.*/clusters/${network.cluster}/.*/dependencyguards/`) };
    const looked = stage.kcp.requests.count(look);
    await eventually(
      () => stage.kcp.requests.count(look),
      (count) => count > looked,
    );
    catchUp();

    await eventually(
      () => two.role.state().configurations.installed,
      (count) => count >= 1,
    );
    expect((await stage.configuration(network))?.metadata.uid).toBe(installed?.metadata.uid);
    await two.stop();
    await lagging.close();
  });

  it('given several rules on one workspace, when the controller restarts again and again, then the configuration never shrinks', async () => {
    const network = await stage.provider();
    const authors = [await stage.provider(), await stage.provider(), await stage.provider()];
    let controller = stage.run();
    for (const [at, author] of authors.entries()) await stage.rule(author, network, { resource: ['vpcs', 'subnets', 'routes'][at] ?? '' });
    await eventually(
      async () => entriesIn(await stage.configuration(network)),
      ([bypass]) => bypass === 'bypass: routes subnets vpcs',
    );
    const seen = new Set<string>();

    for (let restart = 0; restart < 3; restart += 1) {
      await controller.stop();
      controller = stage.run();
      await eventually(
        async () => {
          seen.add(entriesIn(await stage.configuration(network)).join(', '));
          return controller.role.state().configurations.installed;
        },
        (installed) => installed >= 1,
      );
    }

    expect([...seen]).toEqual(['bypass: routes subnets vpcs, dependency-controller: routes subnets vpcs']);
    await controller.stop();
  });

  it('given two controllers without leader election that install different CAs, then they stop writing at every turn, and say so', async () => {
    const [network, compute] = [await stage.provider(), await stage.provider()];
    const ours = await Promise.all([mintAuthority(Date.now()), mintAuthority(Date.now())]);
    const both = ours.map(({ certificate }) => stage.run({ caBundle: new StaticCaBundle(certificate) }));
    await stage.rule(compute, network);

    await eventually(
      () =>
        both.flatMap(({ logged }) => logged.filter((line) => line.startsWith('another writer changes the configuration again and again'))),
      (said) => said.length > 0,
    );

    for (const { logged } of both) {
      const saidAt = logged.findIndex((line) => line.startsWith('somebody changes'));
      const [where] = /cluster=\S+/.exec(logged[saidAt] ?? '') ?? [];
      if (saidAt >= 0)
        expect(logged.slice(0, saidAt).filter((line) => line.startsWith(`configuration replaced ${where} `))).toHaveLength(4);
    }
    await Promise.all(both.map((controller) => controller.stop()));
  });

  it('given a controller of the release before without leader election, which has fewer words, then the guard is not written at every turn, and a new rule is named', async () => {
    const [network, compute] = [await stage.provider(), await stage.provider()];
    const controller = stage.run();
    await stage.rule(compute, network);
    const words = async () => statusOf(await stage.guard(network))['enforcement'];
    await eventuallyIs(words, '1 Deny');
    await eventuallyIs(async () => conditionOf(await stage.guard(network), 'Ready'), 'True Written');

    const putBackAtOnce = 2;
    for (let turn = 0; turn < putBackAtOnce; turn += 1) {
      await leaveOutWords(network);
      await eventuallyIs(words, '1 Deny');
    }
    const begunMs = performance.now();
    for (let turn = 0; turn < 3; turn += 1) {
      await leaveOutWords(network);
      await eventuallyIs(words, '1 Deny');
    }
    expect(performance.now() - begunMs).toBeGreaterThan(1_000); // at once, after 1 s, after 2 s

    await leaveOutWords(network);
    await stage.rule(network, network, { name: 'advice', enforcement: 'Warn' });
    await eventuallyIs(words, '1 Deny, 1 Warn');
    await controller.stop();
  });

  /** As the release before writes it; the guard may change in between. */
  async function leaveOutWords({ client }: Place): Promise<void> {
    const body = { status: { enforcement: null, allowed: null } };
    await client.patch(GUARDS, { name: GUARD_NAME, subresource: 'status' }, { kind: 'merge', body }, { signal });
  }

  function candidate(identity: string): ControllerChange {
    const durations = { leaseMs: 3_000, renewDeadlineMs: 2_000, retryMs: 200 };
    return { election: { identity, durations } };
  }

  function writesOf({ logged }: RunningController): readonly string[] {
    return logged.filter((line) => /^(configuration|guard|rule status) /.test(line));
  }
});

/** Holds the watches of one type until the returned function is called; lists are answered. */
function lagBehind(connection: Connection, resource: string): () => void {
  let catchUp = (): void => undefined;
  const caughtUp = new Promise<void>((resolve) => (catchUp = resolve));
  const open = connection.open.bind(connection);
  connection.open = async (watch, options) => {
    if (new URL(watch.url).pathname.endsWith(`/${resource}`)) await caughtUp;
    return open(watch, options);
  };
  return catchUp;
}
