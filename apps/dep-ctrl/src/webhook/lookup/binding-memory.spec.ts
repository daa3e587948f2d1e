import { describe, expect, it } from '@jest/globals';
import { groupResourceKey, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { readApiBinding, type ApiBinding, type SchemaRef } from '@dep-ctrl/exported-types';
import { cluster } from '../testing/builders.js';
import { computeBinding, match } from '../testing/objects.js';
import { BindingMemory, bindingsItStandsOn, isSameBinding } from './binding-memory.js';

const COMPUTE = readApiBinding(computeBinding());
const VPCS = { group: 'network.example.com', resource: 'vpcs' };
const [[TYPE, SCHEMA] = ['', undefined]] = COMPUTE.bound;
const NETWORK = { ...binding('network', 1), bound: new Map([[groupResourceKey(VPCS), undefined]]) };

describe(BindingMemory, () => {
  it('given what was listed, then that is remembered, of each workspace the latest', () => {
    const memory = new BindingMemory();

    memory.note(cluster('a'), [COMPUTE]);
    memory.note(cluster('b'), []);
    memory.note(cluster('a'), [NETWORK]);

    expect(memory.of(cluster('a'))).toEqual([NETWORK]);
    expect(memory.of(cluster('b'))).toEqual([]);
    expect(memory.of(cluster('c'))).toBeUndefined();
  });

  it('given a workspace that has bound more than is remembered of one, then nothing is, of before neither', () => {
    const memory = new BindingMemory();
    memory.note(cluster('a'), [binding('few', 99)]);
    const before = memory.of(cluster('a'));

    memory.note(cluster('a'), [binding('many', 100)]);

    expect(before).toHaveLength(1);
    expect(memory.of(cluster('a'))).toBeUndefined();
  });

  it('given more workspaces than are remembered, then those asked for longest ago are forgotten', () => {
    const memory = new BindingMemory();
    for (let count = 0; count < 200; count += 1) memory.note(cluster(`w${count}`), [binding('all', 99)]);

    memory.of(cluster('w0'));
    memory.note(cluster('new'), [binding('one', 99)]);

    expect(memory.of(cluster('w0'))).toBeDefined();
    expect(memory.of(cluster('w1'))).toBeUndefined();
    expect(memory.of(cluster('w2'))).toBeDefined();
  });
});

describe(bindingsItStandsOn, () => {
  it.each([
    { given: 'no rule', matches: [], bindings: [COMPUTE, NETWORK], expected: ['network'] },
    { given: 'a rule about a type that is bound', matches: [match()], bindings: [COMPUTE, NETWORK], expected: ['network', 'compute'] },
    {
      given: 'a rule about a type that is bound, after another binding of the same exporter',
      matches: [match()],
      bindings: [{ ...COMPUTE, name: 'disks', bound: new Map([['disks.compute.example.com', undefined]]) }, COMPUTE, NETWORK],
      expected: ['network', 'compute'],
    },
    { given: 'a subject that no binding brings', matches: [match()], bindings: [COMPUTE], expected: undefined },
    { given: 'a type that is not bound', matches: [match()], bindings: [NETWORK], expected: undefined },
    {
      given: 'a type that is bound from elsewhere',
      matches: [match()],
      bindings: [NETWORK, readApiBinding(computeBinding({ exporter: 'other' }))],
      expected: undefined,
    },
  ])('given $given, then it stands on: $expected', ({ matches, bindings, expected }) => {
    expect(bindingsItStandsOn(VPCS, matches, bindings)?.map(({ name }) => name)).toEqual(expected);
  });
});

describe(isSameBinding, () => {
  it.each<{ given: string; other: ApiBinding | undefined; expected: boolean }>([
    { given: 'the same', other: readApiBinding(computeBinding()), expected: true },
    { given: 'none', other: undefined, expected: false },
    { given: 'another name', other: { ...COMPUTE, name: 'other' }, expected: false },
    { given: 'another exporter', other: readApiBinding(computeBinding({ exporter: 'other' })), expected: false },
    { given: 'another schema', other: readApiBinding(computeBinding({ schemaUid: 'other' })), expected: false },
    { given: 'another reference', other: { ...COMPUTE, reference: { exportName: 'other' } }, expected: false },
    {
      given: 'another path',
      other: { ...COMPUTE, reference: { ...COMPUTE.reference, path: 'root:other' as WorkspacePath } },
      expected: false,
    },
    { given: 'another export', other: { ...COMPUTE, reference: { ...COMPUTE.reference, exportName: 'other' } }, expected: false },
    { given: 'a schema of another name', other: withSchema({ name: 'other', uid: SCHEMA?.uid ?? '' }), expected: false },
    { given: 'a schema that is not named', other: withSchema(undefined), expected: false },
    { given: 'fewer types', other: { ...COMPUTE, bound: new Map() }, expected: false },
    { given: 'another type', other: { ...COMPUTE, bound: new Map([['others.compute.example.com', undefined]]) }, expected: false },
  ])('given $given, then the same: $expected', ({ other, expected }) => {
    expect(isSameBinding(COMPUTE, other)).toBe(expected);
    expect(isSameBinding(other, COMPUTE)).toBe(expected);
  });
});

describe('two bindings of many types', () => {
  it('are not the same where one schema of several differs', () => {
    const types = (uid: string): ApiBinding => ({ ...NETWORK, bound: new Map([...NETWORK.bound, ['subnets', { name: 's', uid }]]) });

    expect(isSameBinding(types('1'), types('2'))).toBe(false);
    expect(isSameBinding(types('1'), types('1'))).toBe(true);
  });

  it('of which none is there are the same', () => {
    expect(isSameBinding(undefined, undefined)).toBe(true);
  });
});

function withSchema(schema: SchemaRef | undefined): ApiBinding {
  return { ...COMPUTE, bound: new Map([[TYPE, schema]]) };
}

/** A binding that brings so many types. */
function binding(name: string, types: number): ApiBinding {
  const bound = new Map(Array.from({ length: types }, (_, index) => [`type-${index}.example.com`, undefined] as const));
  return { name, reference: {}, exporter: cluster('network'), bound };
}
