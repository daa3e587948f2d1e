// What slow workspaces cost the others, on real sockets: a kcp that does not answer about some of them.
import { afterEach, describe, expect, it } from '@jest/globals';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { deleteReview, wire } from './testing/reviews.js';
import { RoleStage, type Consumer, type RoleStageOptions } from './testing/role-stage.js';

const stages: RoleStage[] = [];

afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.stop();
});

// Each may ask four times at once: together they could take all 32 places and more.
const HANGING = 12;
// The deletions in the other workspaces have 30 s.
const WITHIN_S = 20;

describe('workspaces whose lists hang', () => {
  it.each([
    { what: 'dependents', path: /virtualmachines$/ },
    { what: 'bindings', path: /apibindings$/ },
  ])(
    'given dozens of deletions in a dozen workspaces about whose $what kcp says nothing, then another workspace is answered at once',
    async ({ path }) => {
      const stage = await start({ computeSchema: withoutColumns, limits: { asks: 32, asksOfOne: 4 } });
      const honest = await stage.consumer();
      await stage.create(honest, 'my-vpc', 'my-vm');
      const slow: Consumer[] = [];
      for (let index = 0; index < HANGING; index += 1) slow.push(await stage.consumer());
      const lifts = slow.map(({ cluster }) =>
        stage.kcp.faults.onRequest({ path: new RegExp(`/clusters/${cluster}/.*${path.source}`) }, { kind: 'hold' }),
      );
      const hanging = slow.flatMap((consumer) =>
        Array.from({ length: 8 }, () => stage.review(consumer, { path: `/validate/${stage.network}?timeout=30s` })),
      );
      await stage.asked(new RegExp(`/clusters/${slow.at(-1)?.cluster ?? ''}/.*${path.source}`));

      // A review that waits for one of them has no time left when it ends: 503.
      expect(await stage.review(honest, { path: `/validate/${stage.network}?timeout=${WITHIN_S}s` })).toMatchObject({
        allowed: false,
        status: { code: 403 },
      });
      for (const lift of lifts) lift();
      for (const each of await Promise.all(hanging)) expect(each).toMatchObject({ allowed: true });
    },
    120_000,
  );
});

describe('a workspace whose objects are large', () => {
  it('given sixty deletions at once of objects of 1.4 MB that are dear to parse, then all are answered, and another workspace at once', async () => {
    const stage = await start({ computeSchema: withoutColumns });
    const [honest, busy] = [await stage.consumer(), await stage.consumer()];
    await stage.create(honest, 'my-vpc', 'my-vm');
    const object = deleteReview({ metadata: { annotations: { 'kcp.io/cluster': busy.cluster } } });
    const body = Buffer.from(
      wire(object)
        .toString()
        .replace('"spec":', `"status":[${'[],'.repeat(466_000)}[]],"spec":`),
    );
    let answered = 0;
    const large = Array.from({ length: 60 }, async () => {
      const reply = await stage.post(`/validate/${stage.network}?timeout=60s`, body);
      answered += 1;
      return reply;
    });

    const answer = await stage.review(honest, { path: `/validate/${stage.network}?timeout=${WITHIN_S}s` });
    const answeredBefore = answered;

    expect(body.length).toBeGreaterThan(1_398_000);
    expect(answer).toMatchObject({ allowed: false, status: { code: 403 } });
    // About the half of them were there first; an answer in turn would come last.
    expect(answeredBefore).toBeLessThan(50);
    for (const each of await Promise.all(large)) expect(JSON.parse(each.body)).toMatchObject({ response: { allowed: true } });
  }, 120_000);
});

async function start(options: RoleStageOptions): Promise<RoleStage> {
  const stage = await RoleStage.start(options);
  stages.push(stage);
  return stage;
}

/** References that no printer column shows: whole objects have to be read. */
function withoutColumns(schema: KubeObject): KubeObject {
  const { versions, ...spec } = schema['spec'] as { readonly versions: readonly object[] };
  return { ...schema, spec: { ...spec, versions: versions.map((version) => ({ ...version, additionalPrinterColumns: [] })) } };
}
