import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { networkProvider, VIRTUAL_MACHINES, vmDependencies, VPCS } from '../../dev/provider-manifests.js';
import { pathOf } from '../../testing/path-of.js';
import { OrderedTeardown } from './ordered-teardown.js';
import { COMPUTE, refusals, TeardownStage, type RunningRoles } from './spec-support/teardown-stage.js';

jest.setTimeout(120_000);
// A second until kcp itself begins to delete what is in a namespace.
const PACE = 0.2;
const MACHINES = ['virtualmachines/a', 'virtualmachines/b', 'virtualmachines/c'];

describe(OrderedTeardown, () => {
  let stage: TeardownStage;
  let roles: RunningRoles;

  beforeAll(async () => {
    stage = await TeardownStage.start(PACE);
    await stage.makeType();
    roles = await stage.run();
  });

  afterAll(() => stage.stop());

  it('given one VPC and three machines, when their workspace is deleted, then the machines go first, and no review is refused', async () => {
    const workspace = await stage.workspace();
    await stage.stock(workspace, ['a', 'b', 'c']);

    await stage.remove(workspace);
    await stage.gone(workspace);

    expect(stage.deletes(workspace).slice(0, 3).toSorted()).toEqual(MACHINES);
    expect(stage.deletes(workspace).slice(3)).toEqual(['vpcs/net']);
    expect(refusals(roles)).toEqual([]);
    expect(roles.ends.at(-1)).toBe('empty');
  });

  it('given a provider that is not bound there and says that VPCs of its own refer to machines, then its rule orders nothing', async () => {
    const evil = pathOf('root:evil');
    await stage.provider(evil, networkProvider());
    const { spec, ...rule } = vmDependencies(COMPUTE);
    const { dependent, dependencies } = spec as { dependent: object; dependencies: readonly object[] };
    await stage.rule(evil, {
      ...rule,
      spec: {
        dependent: { ...dependent, apiExportName: VPCS.group, group: VPCS.group, kind: 'VPC', resource: VPCS.resource },
        dependencies: dependencies.map((each) => ({
          ...each,
          apiExportRef: { path: COMPUTE, name: VIRTUAL_MACHINES.group },
          group: VIRTUAL_MACHINES.group,
          resource: VIRTUAL_MACHINES.resource,
          fieldRef: { path: '.spec.cidr' },
        })),
      },
    });
    const workspace = await stage.workspace();
    await stage.stock(workspace, ['a', 'b', 'c']);
    await stage.knowsRules(roles, 2);

    await stage.remove(workspace);
    await stage.gone(workspace);

    expect(stage.deletes(workspace).slice(0, 3).toSorted()).toEqual(MACHINES);
    expect(stage.deletes(workspace).slice(3)).toEqual(['vpcs/net']);
    expect(refusals(roles)).toEqual([]);
    expect(stage.patches(workspace)).toEqual([]);
  });

  it('given a workspace that binds nothing that a rule is about, when it is deleted, then nothing in it is touched', async () => {
    const workspace = await stage.workspace([]);

    await stage.remove(workspace);
    await stage.gone(workspace);

    expect(stage.deletes(workspace)).toEqual([]);
    expect(roles.ends.at(-1)).toBe('empty');
  });
});
