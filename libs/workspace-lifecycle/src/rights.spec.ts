import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { LifecycleController } from './index.js';
import { Calls, KcpWorld, until } from './spec-support/kcp-world.js';

const CONFIG_MAPS = { group: '', version: 'v1', resource: 'configmaps' };
const TERMINATOR = { terminator: true, extend: { with: [{ name: 'universal', path: 'root' }] } };
const reads = (world: KcpWorld): object => ({
  apiGroups: ['tenancy.kcp.io'],
  resources: ['workspacetypes'],
  resourceNames: [world.named('ordered')],
  verbs: ['list', 'watch'],
});
const terminates = (world: KcpWorld): object => ({ ...reads(world), verbs: ['terminate'] });

jest.setTimeout(60_000);

describe(LifecycleController, () => {
  let world: KcpWorld;

  beforeAll(async () => {
    world = await KcpWorld.start();
  });

  beforeEach(async () => {
    await world.next();
  });

  afterAll(() => world.stop());

  it('given nothing but list, watch and terminate on the type, then a workspace is handled with the rights that the type names', async () => {
    await world.type('ordered', {
      ...TERMINATOR,
      terminatorPermissions: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }],
    });
    await world.workspace('team');
    await world.grant('worker', [reads(world), terminates(world)]);
    const calls = new Calls(async ({ client }, signal) => {
      for await (const page of client.list(CONFIG_MAPS, {}, { signal })) page.objects();
    });
    const { said } = world.run(calls.handle, { as: world.connectAs(world.named('worker')) });

    await world.remove('team');
    await world.gone('team');

    expect(said.of('warn')).toEqual([]);
  });

  it('given no permissions in the type, then the content is that of the creator', async () => {
    await world.type('ordered', TERMINATOR);
    await world.workspace('team');
    await world.grant('worker', [reads(world), terminates(world)]);
    const listed: number[] = [];
    world.run(
      async ({ client }, { signal }) => {
        for await (const page of client.list({ group: '', version: 'v1', resource: 'secrets' }, {}, { signal }))
          listed.push(page.objects().length);
      },
      { as: world.connectAs(world.named('worker')) },
    );

    await world.remove('team');
    await world.gone('team');

    expect(listed).toHaveLength(1);
  });

  it('given a user who may not read the type, then one line says what to grant', async () => {
    await world.type('ordered', TERMINATOR);
    const { said } = world.run(new Calls().handle, { as: world.connectAs('stranger') });

    const [line] = await until(() => (said.of('warn').length > 0 ? said.of('warn') : undefined));

    expect(line).toContain(
      `grant \\"list\\" and \\"watch\\" on workspacetypes.tenancy.kcp.io \\"${world.named('ordered')}\\" and \\"access\\" on \\"/\\"`,
    );
  });

  it('given a user who may not terminate, then one line says what to grant, and once it is granted the workspace goes', async () => {
    await world.type('ordered', TERMINATOR);
    await world.workspace('team');
    await world.grant('worker', [reads(world)]);
    const calls = new Calls();
    const { said } = world.run(calls.handle, { as: world.connectAs(world.named('worker')) });
    await world.remove('team');
    await until(() => said.of('warn', `grant \\"terminate\\" on workspacetypes.tenancy.kcp.io \\"${world.named('ordered')}\\"`)[0]);

    await world.home.patch(
      { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterroles' },
      { name: world.named('worker') },
      { kind: 'json', body: [{ op: 'add', path: '/rules/-', value: terminates(world) }] },
      { signal: new AbortController().signal },
    );
    await world.gone('team');

    expect(calls.clusters).toHaveLength(1);
    expect(said.of('warn')).toHaveLength(1);
  });

  it('given content that no rule of the type admits, then the line names the field, and the workspace waits', async () => {
    await world.type('ordered', { ...TERMINATOR, terminatorPermissions: [{ apiGroups: ['x'], resources: ['y'], verbs: ['get'] }] });
    const cluster = await world.workspace('team');
    const { said } = world.run(async ({ client }, { signal }) => {
      await client.get(CONFIG_MAPS, { namespace: 'default', name: 'x' }, { signal });
    });

    await world.remove('team');
    const line = await until(() => said.of('warn')[0]);

    expect(line).toContain(`"grant":"add a rule for this to spec.terminatorPermissions of WorkspaceType \\"${world.named('ordered')}\\""`);
    expect(await world.listed(cluster)).toHaveLength(1);
  });
});
