// What the statuses of one author's rules say about other workspaces, and what too many rules of one author come to.
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { MOST_RULES, RULES } from '@dep-ctrl/rule-registry';
import { pathOf } from '../testing/path-of.js';
import { ControllerStage, type Place } from './testing/controller-stage.js';
import { entriesIn, eventuallyIs, statusOf } from './testing/observations.js';

jest.setTimeout(240_000);
const signal = AbortSignal.timeout(900_000);
const INSTALLED = 'True Installed 1/1';

describe('an author of rules', () => {
  let stage: ControllerStage;

  beforeAll(async () => {
    stage = await ControllerStage.start();
  });

  afterEach(() => stage.stopControllers());

  afterAll(() => stage.stop());

  it('given a target in a workspace that does not bind dep-ctrl and one in none, then the statuses differ in the path alone', async () => {
    const [unbound, author] = [await stage.provider({ bound: false }), await stage.provider()];
    const nowhere = pathOf('root:nowhere');
    stage.run();

    await stage.rule(author, unbound, { name: 'unbound' });
    await stage.rule(author, nowhere, { name: 'nowhere' });
    await eventuallyIs(() => stage.ruleState(author, 'unbound'), 'False NotBound 0/1');
    await eventuallyIs(() => stage.ruleState(author, 'nowhere'), 'False NotBound 0/1');

    const said = withoutTimes(await ruleIn(author, 'unbound'));
    expect(said.replaceAll(unbound.path, nowhere)).toBe(withoutTimes(await ruleIn(author, 'nowhere')));
    expect(said).not.toContain(unbound.cluster);
  });

  it('given a target that is installed, then no status names a logical cluster', async () => {
    const [network, author] = [await stage.provider(), await stage.provider()];
    stage.run();

    await stage.rule(author, network);
    await eventuallyIs(() => stage.ruleState(author), INSTALLED);

    expect(JSON.stringify(statusOf(await ruleIn(author, 'vms')))).not.toContain(network.cluster);
  });

  it('given a target with a typo in another workspace, then the status does not say what there is instead; given one in its own, then it does', async () => {
    const [network, author] = [await stage.provider(), await stage.provider()];
    stage.run();

    await stage.rule(author, network, { name: 'theirs', resource: 'vpcz' });
    await stage.rule(author, author, { name: 'own', resource: 'vpcz' });
    await eventuallyIs(() => stage.ruleState(author, 'theirs'), 'False ResourceNotExported 0/1');
    await eventuallyIs(() => stage.ruleState(author, 'own'), 'False ResourceNotExported 0/1');

    expect(withoutTimes(await ruleIn(author, 'theirs'))).not.toContain('it exports');
    expect(withoutTimes(await ruleIn(author, 'own'))).toContain('it exports vpcs.network.example.com');
  });

  it('given one rule more than an author may have, then the newest says so and takes its turn once another goes; nobody else notices', async () => {
    const [network, author, honest] = [await stage.provider(), await stage.provider(), await stage.provider()];
    const names = Array.from({ length: MOST_RULES }, (_, at) => `r${String(at).padStart(3, '0')}`);
    for (const name of names) await stage.rule(author, network, { name });
    await stage.rule(author, network, { name: 'z-last', resource: 'subnets' });
    stage.run();
    await stage.rule(honest, network);

    await eventuallyIs(() => stage.ruleState(author, 'z-last'), 'False OverQuota 0/0');
    await eventuallyIs(() => stage.ruleState(author, 'r000'), INSTALLED);
    await eventuallyIs(() => stage.ruleState(honest), INSTALLED);
    expect(await entries(network)).toBe('bypass: vpcs, dependency-controller: vpcs');

    await stage.removeRule(author, 'r050');

    await eventuallyIs(() => entries(network), 'bypass: subnets vpcs, dependency-controller: subnets vpcs');
    await eventuallyIs(() => stage.ruleState(author, 'z-last'), 'False ResourceNotExported 0/1');
  });

  it('given a rule that its author deletes and a finalizer of theirs holds, then its status stays true, whatever they write into it', async () => {
    const [network, author] = [await stage.provider(), await stage.provider()];
    stage.run();
    await stage.rule(author, network);
    await eventuallyIs(() => stage.ruleState(author), INSTALLED);
    const { metadata, ...held } = await ruleIn(author, 'vms');
    await author.client.replace(RULES, { ...held, metadata: { ...metadata, finalizers: ['example.com/held'] } }, { signal });
    await author.client.delete(RULES, { name: 'vms' }, { signal });

    const dying = await ruleIn(author, 'vms');
    const { conditions = [] } = statusOf(dying) as { readonly conditions?: readonly object[] };
    const forged = conditions.map((each) => ({ ...each, status: 'False', reason: 'Forged' }));
    await author.client.replaceStatus(RULES, { ...dying, status: { conditions: forged } }, { signal });

    await eventuallyIs(() => stage.ruleState(author), INSTALLED);
    expect(statusOf(await ruleIn(author, 'vms'))).toMatchObject({ observedGeneration: dying.metadata.generation });
  });

  async function entries(place: Place): Promise<string> {
    return entriesIn(await stage.configuration(place)).join(', ');
  }

  function ruleIn({ client }: Place, name: string): Promise<KubeObject> {
    return client.get(RULES, { name }, { signal });
  }
});

/** The status of a rule as text, but for when its conditions became so. */
function withoutTimes(rule: KubeObject): string {
  return JSON.stringify(statusOf(rule), (key, value: unknown) => (key === 'lastTransitionTime' ? undefined : value));
}
