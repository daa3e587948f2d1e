import { equal } from 'node:assert/strict';
import { eventually } from '../stage/eventually.js';
import { RULES, rule } from './rules.js';
import type { Cloud, World } from './world.js';

/** Waits until the rules of a workspace are checked. */
export async function checksBegin(world: World, cloud: Cloud): Promise<void> {
  const unreadable = rule(cloud, 'probe', 'VM', [{ resource: 'vpcs', path: '.spec.a[*].b', namespacePath: '.spec.c[*].d' }]);
  await eventually('an unreadable rule is refused', async () => {
    const { status, text } = await world.kcp.admin.post(`${cloud.compute.workspace.at}${RULES}?dryRun=All`, unreadable);
    equal(status, 422, text);
  });
}

/** Waits until a rule can be written again: with the configuration about rules left behind, and no webhook, nobody could. */
export async function checksEnd({ kcp }: World, { compute }: Cloud, name = 'vm-dependencies'): Promise<void> {
  const edit = { spec: { enforcement: 'Warn' } };
  await eventually('a rule is written', async () =>
    (await kcp.admin.patch('merge', `${compute.workspace.at}${RULES}/${name}`, edit)).expect(200),
  );
}
