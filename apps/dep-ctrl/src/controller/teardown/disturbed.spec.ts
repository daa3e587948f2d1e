// Dying workspaces that something holds. Each of them goes in the end.
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { virtualMachine, VIRTUAL_MACHINES, vmDependencies, VPCS } from '../../dev/provider-manifests.js';
import { eventually, eventuallyIs } from '../testing/observations.js';
import { OrderedTeardown } from './ordered-teardown.js';
import { COMPUTE, TeardownStage, type DyingWorkspace, type RunningRoles } from './spec-support/teardown-stage.js';

jest.setTimeout(120_000);
const HELD = ['example.com/held'];

describe(OrderedTeardown, () => {
  let stage: TeardownStage;

  beforeEach(async () => {
    // Half a second until kcp itself deletes what is in a namespace: before that, the objects are ours to delete.
    stage = await TeardownStage.start(0.1);
  });

  afterEach(() => stage.stop());

  it('given a finalizer of somebody else, then it is waited for and named, and the VPC stays until then', async () => {
    await stage.makeType();
    const roles = await stage.run();
    const workspace = await stage.workspace();
    await stage.stock(workspace, ['a'], HELD);

    await stage.remove(workspace);
    await says(roles, 'info teardown waits', 'virtualmachines.compute.example.com default/a is held by example.com/held');

    expect(roles.controller.state().teardown).toEqual({ workspaces: 1, held: 1 });
    expect(stage.deletes(workspace)).toEqual(['virtualmachines/a']);
    await stage.release(workspace, VIRTUAL_MACHINES, 'a');
    await stage.gone(workspace);
    expect(roles.ends).toEqual(['empty']);
  });

  it('given machines that refer to each other, then these are annotated, and the workspace goes', async () => {
    await stage.makeType();
    const { spec, ...rule } = vmDependencies(COMPUTE);
    const { dependent, dependencies } = spec as { dependent: object; dependencies: readonly object[] };
    const { group, resource } = VIRTUAL_MACHINES;
    const peers = dependencies.map((each) => ({ ...each, apiExportRef: { path: COMPUTE, name: group }, group, resource }));
    await stage.rule(COMPUTE, { ...rule, metadata: { name: 'peers' }, spec: { dependent, dependencies: peers } });
    const roles = await stage.run();
    await eventuallyIs(() => roles.controller.state().configurations.installed, 2);
    const workspace = await stage.workspace();
    await stage.create(workspace, VIRTUAL_MACHINES, virtualMachine('a', 'b'));
    await stage.create(workspace, VIRTUAL_MACHINES, virtualMachine('b', 'a'));
    await stage.create(workspace, VIRTUAL_MACHINES, virtualMachine('leaf', 'a'));

    await stage.remove(workspace);
    await stage.gone(workspace);

    expect(stage.patches(workspace).toSorted()).toEqual(['virtualmachines/a', 'virtualmachines/b']);
    expect(roles.ends).toEqual(['empty']);
  });

  it('given a finalizer that nobody takes off, when the time is up, then the workspace is let go, loudly', async () => {
    await stage.makeType();
    const roles = await stage.run({ teardownTimeoutMs: 1 });
    const workspace = await stage.workspace();
    await stage.stock(workspace, ['a'], HELD);

    await stage.remove(workspace);
    await says(roles, 'error teardown timed out', 'held by example.com/held');

    await eventuallyIs(async () => (await stage.terminators(workspace)).length, 0);
    expect(roles.ends).toEqual(['timed-out']);
    await stage.release(workspace, VIRTUAL_MACHINES, 'a');
    await stage.gone(workspace);
  });

  it('given roles that end in the middle, when others start, then they go on where these were', async () => {
    await stage.makeType();
    const first = await stage.run();
    const workspace = await stage.workspace();
    await stage.stock(workspace, ['a', 'b'], HELD);
    await stage.remove(workspace);
    await says(first, 'info teardown waits', 'default/b is held');
    await first.stop();

    const second = await stage.run();
    await says(second, 'info teardown waits', 'default/b is held');
    expect(stage.deletes(workspace).toSorted()).toEqual(['virtualmachines/a', 'virtualmachines/b']);
    for (const name of ['a', 'b']) await stage.release(workspace, VIRTUAL_MACHINES, name);
    await stage.gone(workspace);

    expect([first.ends, second.ends]).toEqual([[], ['empty']]);
  });

  it('given no type when the roles start, then nobody is told, and when it comes its workspaces are torn down', async () => {
    const roles = await stage.run();
    await says(roles, 'debug workspace type not found', 'dependency-ordered');
    expect(roles.logged.filter((line) => line.includes('workspace type') && !line.startsWith('debug'))).toEqual([]);

    await stage.makeType();
    const workspace = await stage.workspace();
    await stage.stock(workspace, ['a'], HELD);
    await stage.remove(workspace);

    await says(roles, 'info teardown waits', 'held by example.com/held');
    await stage.release(workspace, VIRTUAL_MACHINES, 'a');
    await stage.gone(workspace);
    expect(roles.ends).toEqual(['empty']);
  });

  it('given a type that is deleted while a workspace dies, then the workspace is let go at once, with a warning', async () => {
    await stage.makeType();
    const roles = await stage.run();
    const workspace = await stage.workspace();
    await stage.stock(workspace, ['a'], HELD);
    await stage.remove(workspace);
    await says(roles, 'info teardown waits', 'held by example.com/held');

    await stage.removeType();

    await says(roles, 'warn the workspace type is gone', workspace.cluster);
    await eventuallyIs(async () => (await stage.terminators(workspace)).length, 0);
    await stage.release(workspace, VIRTUAL_MACHINES, 'a');
    await stage.gone(workspace);
    expect(roles.ends).toEqual(['type-gone']);
  });

  it('given a type that does not allow to delete machines, then these are left to kcp, and a line says which right is missing', async () => {
    await stage.makeType({ groups: [VPCS.group] });
    const roles = await stage.run();
    const workspace = await stage.workspace();
    await stage.stock(workspace, ['a']);

    await stage.remove(workspace);
    await stage.gone(workspace);

    await says(roles, 'warn type left to kcp', `"list\\" is not allowed: add it to spec.terminatorPermissions`);
    expect(deletedTypes(stage, workspace)).not.toContain('virtualmachines');
    expect(roles.ends).toEqual(['partly-left']);
  });
});

function deletedTypes(stage: TeardownStage, workspace: DyingWorkspace): readonly string[] {
  return stage.deletes(workspace).map((path) => path.split('/')[0] ?? '');
}

/** Waits for a line that begins and goes on so. */
async function says({ logged }: RunningRoles, begin: string, rest: string): Promise<void> {
  await eventually(
    () => logged.filter((line) => line.startsWith(begin)),
    (lines) => lines.some((line) => line.includes(rest)),
  );
}
