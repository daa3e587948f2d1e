import { describe, expect, it } from '@jest/globals';
import { createRegistry, reportRule, ruleKeyOf } from '@dep-ctrl/rule-registry';
import { endpoint, name, rule } from '../../rules/spec-support/objects.js';
import { TypeCycles } from './type-cycles.js';

/** A registry of the rules of one workspace, by which a type refers to another one, there or elsewhere. */
function makeWorld() {
  const { reader, writer } = createRegistry();
  const cycles = new TypeCycles({ registry: reader });
  const see = (called: string, target: string, resource: string, from = 'vms'): void => {
    const { cluster, object } = rule({ name: called, target, resource });
    const spec = object['spec'] as { readonly dependent: object; readonly dependencies: readonly object[] };
    const dependent = { ...spec.dependent, resource: from };
    const dependencies = spec.dependencies.map((each) => ({ ...each, group: 'compute.example.com' }));
    writer.ruleApplied(endpoint('a'), reportRule(cluster, { ...object, spec: { ...spec, dependent, dependencies } }));
  };
  writer.pathResolved(rulePath('root:compute'), name('compute1'));
  return { cycles, see, forget: (called: string) => void writer.ruleRemoved(endpoint('a'), keyOf(called)) };
}

const keyOf = (called: string) => ruleKeyOf(name('compute1'), called);
const rulePath = (text: string) => text as Parameters<ReturnType<typeof createRegistry>['writer']['pathResolved']>[0];

describe(TypeCycles, () => {
  it('given a rule that closes a circle, then the next look tells, once, and says which types are in it', () => {
    const { cycles, see } = makeWorld();
    see('vms', 'root:compute', 'vms');
    see('vpcs', 'root:network', 'vpcs');
    expect(cycles.of(keyOf('vms'))).toEqual([]);

    expect(cycles.look()).toEqual([keyOf('vms')]);

    expect([cycles.of(keyOf('vms')), cycles.of(keyOf('vpcs'))]).toEqual([['vms.compute.example.com'], []]);
    expect(cycles.look()).toEqual([]);
  });

  it('given types that refer to each other, then each of their rules is told of both', () => {
    const { cycles, see } = makeWorld();
    see('disks-of-vms', 'root:compute', 'disks');
    see('vms-of-disks', 'root:compute', 'vms', 'disks');

    expect(cycles.look()).toEqual([keyOf('disks-of-vms'), keyOf('vms-of-disks')]);

    expect(cycles.of(keyOf('vms-of-disks'))).toEqual(['disks.compute.example.com and vms.compute.example.com']);
  });

  it('given a rule that is gone, then its circle is too, and the next look tells that', () => {
    const { cycles, see, forget } = makeWorld();
    see('vms', 'root:compute', 'vms');
    cycles.look();

    forget('vms');

    expect(cycles.look()).toEqual([keyOf('vms')]);
    expect(cycles.of(keyOf('vms'))).toEqual([]);
  });
});
