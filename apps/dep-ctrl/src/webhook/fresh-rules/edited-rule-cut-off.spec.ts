import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '@dep-ctrl/kcp-client';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { RULES } from '@dep-ctrl/rule-registry';
import { until } from '@dep-ctrl/kcp-objects';
import { vmDependencies, VPCS } from '../../dev/provider-manifests.js';
import { GuardingRules } from './guarding-rules.js';
import { LiveRules } from './live-rules.js';
import { letGuardName, makeGuard, type NamedRule } from '../testing/guard-on-stage.js';
import { PATHS, RoleStage, type Consumer } from '../testing/role-stage.js';

const { signal } = new AbortController();
const patience = { clock: systemClock, signal, timeoutMs: 30_000 };
const name = 'vm-dependencies';

describe('given a rule that warns, behind an endpoint that only the webhook cannot reach any more', () => {
  let stage: RoleStage;
  let consumer: Consumer;

  afterEach(() => stage.stop());

  describe(GuardingRules, () => {
    beforeEach(() => cutOff({ maxRuleAgeMs: 600_000 }), 60_000);

    it.each<{ what: string; change: () => Promise<KubeObject> }>([
      { what: 'it is edited and denies', change: () => enforce('Deny') },
      { what: 'it is deleted and made again and denies', change: () => remake('Deny') },
      { what: 'another one beside it denies', change: () => addRule('Deny') },
    ])(
      'when $what, then watches that are believed for long are not believed once the guard names what they do not show: 503',
      async ({ change }) => {
        const rule = named(await change());

        await letGuardName(stage, [rule]);

        const isSeen = (): boolean => stage.registry.guard(stage.network)?.ruleRefs[0]?.version?.uid === rule.uid;
        const isAsIs = (): boolean => stage.registry.guard(stage.network)?.ruleRefs[0]?.version?.generation === rule.generation;
        await until(
          'the guard',
          () => Promise.resolve(isSeen() && isAsIs() ? { done: true } : { waitingFor: 'the watch of guards' }),
          patience,
        );
        expect(await stage.review(consumer)).toMatchObject({ allowed: false, status: { code: 503 } });
      },
      60_000,
    );
  });

  describe(LiveRules, () => {
    beforeEach(() => cutOff({ maxRuleAgeMs: 0 }), 60_000);

    it('when nobody edits it, then it is judged by as before', async () => {
      expect(await stage.review(consumer)).toMatchObject({ allowed: true, warnings: [expect.stringContaining('my-vm')] });
    }, 60_000);

    it('when its guard is of an older controller, which named no generation, then it is judged by as before', async () => {
      await letGuardName(stage, [{ cluster: stage.compute, rule: name }]);

      expect(await stage.review(consumer)).toMatchObject({ allowed: true, warnings: [expect.stringContaining('my-vm')] });
    }, 60_000);

    it.each<{ what: string; change: () => Promise<KubeObject> }>([
      { what: 'it is edited and denies', change: () => enforce('Deny') },
      { what: 'it is deleted and made again and denies', change: () => remake('Deny') },
    ])(
      'when $what, then its old text is not believed once its guard names the new one: 503',
      async ({ change }) => {
        const rule = await change();

        await letGuardName(stage, [named(rule)]);

        expect(await stage.review(consumer)).toMatchObject({ allowed: false, status: { code: 503 } });
        stage.kcp.faults.clear();
        await until(
          'the endpoint',
          async () => {
            const { allowed, status } = await stage.review(consumer);
            expect(allowed).toBe(false);
            return status?.code === 403 ? { done: true } : { waitingFor: 'the endpoint being asked again' };
          },
          patience,
        );
      },
      60_000,
    );

    it('when it is deleted and made again, and the endpoint is back before its guard names the new one, then the new one counts', async () => {
      await remake('Deny');
      await stage.review(consumer);

      stage.kcp.faults.clear();

      await until(
        'the endpoint',
        async () => {
          const { status } = await stage.review(consumer);
          return status?.code === 403 ? { done: true } : { waitingFor: 'the endpoint being asked again' };
        },
        patience,
      );
    }, 60_000);
  });

  async function cutOff({ maxRuleAgeMs }: { readonly maxRuleAgeMs: number }): Promise<void> {
    stage = await RoleStage.start({ shards: 2, computeShard: 'shard-1', maxRuleAgeMs });
    consumer = await stage.consumer();
    await stage.create(consumer, 'my-vpc', 'my-vm');
    await makeGuard(stage, [named(await enforce('Warn'))]);
    const enforcements = (): readonly string[] =>
      stage.registry.guarding(stage.network, VPCS, new Set([stage.compute])).matches.map(({ rule }) => rule.enforcement);
    await until('the rule', () => Promise.resolve(enforcements()[0] === 'Warn' ? { done: true } : { waitingFor: 'the watch' }), patience);
    await stage.cutOff('shard-1');
  }

  async function enforce(enforcement: string): Promise<KubeObject> {
    const body = { spec: { enforcement } };
    return stage.connection.cluster(stage.compute).patch(RULES, { name }, { kind: 'merge', body }, { signal });
  }

  async function remake(enforcement: string): Promise<KubeObject> {
    await stage.connection.cluster(stage.compute).delete(RULES, { name }, { signal });
    return addRule(enforcement, name);
  }

  async function addRule(enforcement: string, ruleName = 'another'): Promise<KubeObject> {
    const { metadata, spec, ...rule } = vmDependencies(PATHS.network);
    const made = { ...rule, metadata: { ...metadata, name: ruleName }, spec: { ...(spec as object), enforcement } };
    return stage.connection.cluster(stage.compute).create(RULES, made, { signal });
  }

  function named({ metadata: { name: ruleName = '', uid = '', generation = 0 } }: KubeObject): NamedRule {
    return { cluster: stage.compute, rule: ruleName, uid, generation };
  }
});
