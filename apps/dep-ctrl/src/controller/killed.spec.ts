// The controller is killed after each single write that it makes, whatever it is in the middle of, and started again.
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Reflector, systemClock } from '@dep-ctrl/kcp-client';
import { GUARD_NAME, GUARDS } from '@dep-ctrl/rule-registry';
import { WEBHOOK_CONFIGURATIONS } from '@dep-ctrl/webhook-installer';
import { ControllerProcess } from './testing/controller-process.js';
import { ControllerStage, type Place } from './testing/controller-stage.js';
import { conditionOf, entriesIn, eventually, eventuallyIs, statusOf } from './testing/observations.js';
import { WriteGate } from './testing/write-gate.js';

jest.setTimeout(300_000);
const signal = AbortSignal.timeout(900_000);
const BOTH = 'bypass: subnets vpcs, dependency-controller: subnets vpcs';
const VPCS_ONLY = 'bypass: vpcs, dependency-controller: vpcs';
/** More writes than any of these takes. */
const MANY = 30;

interface Providers {
  readonly network: Place;
  readonly compute: Place;
}

interface Change {
  readonly given: string;
  /** The user's change while the controller runs. */
  readonly act: (stage: ControllerStage, providers: Providers) => Promise<void>;
  readonly hasConverged: (stage: ControllerStage, providers: Providers) => Promise<boolean>;
  /** Whether a process that dies may take the consent of the provider with it. */
  readonly mayForgetConsent?: true;
  /** The fewest writes that it takes; fewer would mean that nothing was tried. */
  readonly leastWrites: number;
}

const consentOf = ({ compute }: Providers) => ({ allowRulesFrom: [compute.path] });

const changes: readonly Change[] = [
  {
    given: 'a rule that is added',
    act: (stage, { network, compute }) => stage.rule(compute, network, { name: 'more', resource: 'subnets' }),
    hasConverged: async (stage, { network }) =>
      (await entries(stage, network)) === BOTH && conditionOf(await stage.guard(network), 'Ready') === 'True Written',
    leastWrites: 3,
  },
  {
    given: 'a rule that is deleted',
    act: (stage, { compute }) => stage.removeRule(compute, 'second'),
    hasConverged: async (stage, { network }) => {
      return (await entries(stage, network)) === VPCS_ONLY && statusOf(await stage.guard(network))['ruleCount'] === 1;
    },
    leastWrites: 2,
  },
  {
    given: 'a guard with consent that is deleted by hand',
    act: (_stage, { network }) => network.client.delete(GUARDS, { name: GUARD_NAME }, { signal }),
    hasConverged: async (stage, { network }) => {
      const guard = await stage.guard(network);
      const isMade = guard !== undefined && guard.metadata.deletionTimestamp === undefined;
      return isMade && conditionOf(guard, 'Ready') === 'True Written' && statusOf(guard)['ruleCount'] === 1;
    },
    // Between the old guard and the new one only the process has it.
    mayForgetConsent: true,
    leastWrites: 3,
  },
];

describe('a controller that is killed', () => {
  let stage: ControllerStage;
  let controller: ControllerProcess;

  beforeAll(async () => {
    stage = await ControllerStage.start();
    await stage.withoutChecks();
    controller = await ControllerProcess.on(stage.kcp.kubeconfig({ workspace: 'root:dep-ctrl' }));
    controller.launch();
  });

  afterAll(async () => {
    await controller.end();
    await stage.stop();
  });

  it.each(changes)(
    'given $given, when it dies after any one of its writes, then nothing is unguarded meanwhile, and the next one finishes',
    async (change) => {
      let writes = 0;
      for (let killAfter = 1; killAfter <= MANY; killAfter += 1) {
        const providers = await prepare(change);
        const recording = record(providers.network);
        const wasKilled = await killAfterWrite(change, providers, killAfter);
        await eventuallyIs(() => change.hasConverged(stage, providers), true);
        const versions = await recording.stop();

        expect({ killAfter, unguarded: versions.filter((version) => !/dependency-controller: .*vpcs/.test(version)) }).toEqual({
          killAfter,
          unguarded: [],
        });
        const consent = consentOf(providers);
        expect(wasKilled && change.mayForgetConsent ? [consent, undefined] : [consent]).toContainEqual(
          (await stage.guard(providers.network))?.['spec'],
        );
        if (!wasKilled) break;
        writes = killAfter;
      }

      expect(writes).toBeGreaterThanOrEqual(change.leastWrites);
      expect(writes).toBeLessThan(MANY);
    },
  );

  /** VPCs are guarded, by a rule that the guard's consent admits; where a rule is to be deleted, subnets by a second one. */
  async function prepare({ given }: Change): Promise<Providers> {
    const providers = { network: await stage.provider(), compute: await stage.provider() };
    const { network, compute } = providers;
    await stage.rule(compute, network);
    if (given.includes('rule that is deleted')) await stage.rule(compute, network, { name: 'second', resource: 'subnets' });
    const wanted = given.includes('rule that is deleted') ? BOTH : VPCS_ONLY;
    await eventuallyIs(async () => entriesIn(await stage.configuration(network)).join(', '), wanted);
    await network.client.patch(GUARDS, { name: GUARD_NAME }, { kind: 'merge', body: { spec: consentOf(providers) } }, { signal });
    await eventuallyIs(async () => {
      const guard = await stage.guard(network);
      const { observedGeneration } = (guard?.['status'] ?? {}) as { readonly observedGeneration?: number };
      return conditionOf(guard, 'Ready') === 'True Written' && observedGeneration === guard?.metadata.generation;
    }, true);
    return providers;
  }

  /** Whether there was such a write; if not, the controller has done all that it had to do. */
  async function killAfterWrite(change: Change, providers: Providers, killAfter: number): Promise<boolean> {
    const gate = new WriteGate(stage.kcp, [providers.network.cluster, providers.compute.cluster]);
    try {
      await change.act(stage, providers);
      for (let write = 1; ; write += 1) {
        const is = await eventually(
          async () => {
            // Asked for first and looked at last: the write that completes it is one to die after, too.
            const hasConverged = await change.hasConverged(stage, providers);
            if (gate.isHolding()) return 'held';
            return hasConverged ? 'converged' : 'neither';
          },
          (answer) => answer !== 'neither',
        );
        if (is === 'converged') return false;
        if (write === killAfter) break;
        gate.step();
      }
      await controller.kill();
    } finally {
      gate.open();
    }
    controller.launch();
    return true;
  }

  /** Every version of the configuration that there is from now on; `gone` where it was deleted. */
  function record({ client }: Place): { readonly stop: () => Promise<readonly string[]> } {
    const versions: string[] = [];
    const stopping = new AbortController();
    const reflector = new Reflector({
      client,
      type: WEBHOOK_CONFIGURATIONS,
      clock: systemClock,
      onEvent: (event) => {
        if (event.kind === 'deleted') versions.push('gone');
        if (event.kind === 'applied') versions.push(entriesIn(event.object.object).join(', '));
        if (event.kind === 'replaced') versions.push(...event.objects.map(({ object }) => entriesIn(object).join(', ')));
      },
    });
    const running = reflector.run(stopping.signal);
    return {
      stop: async () => {
        stopping.abort();
        await running;
        return versions;
      },
    };
  }
});

async function entries(stage: ControllerStage, place: Place): Promise<string> {
  return entriesIn(await stage.configuration(place)).join(', ');
}
