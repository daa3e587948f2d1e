import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '@dep-ctrl/kcp-client';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { RULES } from '@dep-ctrl/rule-registry';
import { VPCS } from '../dev/provider-manifests.js';
import { until } from '../kcp-objects/until.js';
import { LiveRules } from './live-rules.js';
import { RoleStage, type Consumer, type NamedRule } from './testing/role-stage.js';

const { signal } = new AbortController();
const patience = { clock: systemClock, signal, timeoutMs: 30_000 };
const name = 'vm-dependencies';

describe(LiveRules, () => {
  describe('given a rule that warns, behind an endpoint that only the webhook cannot reach any more', () => {
    let stage: RoleStage;
    let consumer: Consumer;

    beforeEach(async () => {
      stage = await RoleStage.start({ shards: 2, computeShard: 'shard-1', maxRuleAgeMs: 0 });
      consumer = await stage.consumer();
      await stage.create(consumer, 'my-vpc', 'my-vm');
      await stage.guard([named(await enforce('Warn'))]);
      const enforcements = (): readonly string[] =>
        stage.registry.guarding(stage.network, VPCS).matches.map(({ rule }) => rule.enforcement);
      await until('the rule', () => Promise.resolve(enforcements()[0] === 'Warn' ? { done: true } : { waitingFor: 'the watch' }), patience);
      await stage.cutOff('shard-1');
    }, 60_000);

    afterEach(() => stage.stop());

    it('when nobody edits it, then it is judged by as before', async () => {
      expect(await stage.review(consumer)).toMatchObject({ allowed: true, warnings: [expect.stringContaining('my-vm')] });
    }, 60_000);

    it('when its guard is of an older controller, which named no generation, then it is judged by as before', async () => {
      await stage.guardNames([{ cluster: stage.compute, rule: name }]);

      expect(await stage.review(consumer)).toMatchObject({ allowed: true, warnings: [expect.stringContaining('my-vm')] });
    }, 60_000);

    it.each<{ what: string; change: () => Promise<KubeObject> }>([
      { what: 'it is edited and denies', change: () => enforce('Deny') },
      { what: 'it is deleted and made again and denies', change: () => remake('Deny') },
    ])(
      'when $what, then its old text is not believed once its guard names the new one: 503',
      async ({ change }) => {
        const rule = await change();

        await stage.guardNames([named(rule)]);

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

    async function enforce(enforcement: string): Promise<KubeObject> {
      const body = { spec: { enforcement } };
      return stage.connection.cluster(stage.compute).patch(RULES, { name }, { kind: 'merge', body }, { signal });
    }

    async function remake(enforcement: string): Promise<KubeObject> {
      const client = stage.connection.cluster(stage.compute);
      const { apiVersion = '', kind = '', spec } = await client.get(RULES, { name }, { signal });
      await client.delete(RULES, { name }, { signal });
      return client.create(RULES, { apiVersion, kind, metadata: { name }, spec: { ...(spec as object), enforcement } }, { signal });
    }

    function named({ metadata: { uid = '', generation = 0 } }: KubeObject): NamedRule {
      return { cluster: stage.compute, rule: name, uid, generation };
    }
  });
});
