import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { edgesHere } from './edges-here.js';
import { registryOf, ruleOf, textOf, typeOf, type Told } from './spec-support/types.js';

const PATHS = { 'root:net': 'net', 'root:comp': 'comp' };
const HERE = ['net/vpcs', 'comp/vms'];

interface Row {
  readonly given: string;
  readonly here?: readonly string[];
  readonly rules: readonly string[];
  readonly paths?: Told['paths'];
  readonly consents?: Told['consents'];
  readonly expected: readonly string[];
}

const rows: readonly Row[] = [
  { given: 'no rule', rules: [], expected: [] },
  { given: 'a rule between two types here', rules: ['comp/vms > root:net/vpcs'], expected: ['comp/vms > net/vpcs'] },
  {
    given: 'two rules that say the same',
    rules: Array<string>(2).fill('comp/vms > root:net/vpcs'),
    expected: Array<string>(2).fill('comp/vms > net/vpcs'),
  },
  { given: 'a type that refers to itself', rules: ['comp/vms > root:comp/vms'], expected: ['comp/vms > comp/vms'] },
  { given: 'a dependent that is not bound here', here: ['net/vpcs'], rules: ['comp/vms > root:net/vpcs'], expected: [] },
  { given: 'a dependency that is not bound here', here: ['comp/vms'], rules: ['comp/vms > root:net/vpcs'], expected: [] },
  {
    given: 'a dependent that is bound here from another workspace than that of the rule',
    here: [...HERE, 'evil/other'],
    rules: ['evil/vms > root:net/vpcs'],
    expected: [],
  },
  { given: 'a provider that is not bound here', rules: ['evil/vms > root:net/vpcs'], expected: [] },
  {
    given: 'a dependency that is bound here from another workspace than the path leads to',
    here: ['comp/vms', 'other/vpcs'],
    rules: ['comp/vms > root:net/vpcs'],
    expected: [],
  },
  { given: 'a path that is not resolved', rules: ['comp/vms > root:net/vpcs'], paths: {}, expected: [] },
  {
    given: 'a path that leads to a workspace whose name is that of the exporter elsewhere',
    rules: ['comp/vms > root:evil/vpcs'],
    paths: { ...PATHS, 'root:evil': 'evil' },
    expected: [],
  },
  {
    given: 'a guard that admits the author',
    rules: ['comp/vms > root:net/vpcs'],
    consents: { net: ['root:comp'] },
    expected: ['comp/vms > net/vpcs'],
  },
  { given: 'a guard that does not admit the author', rules: ['comp/vms > root:net/vpcs'], consents: { net: [] }, expected: [] },
];

describe(edgesHere, () => {
  it.each(rows)('given $given', ({ here = HERE, rules, paths = PATHS, consents, expected }) => {
    const registry = registryOf({ rules: rules.map(ruleOf), paths, ...(consents && { consents }) });

    const { edges } = edgesHere(here.map(typeOf), registry);

    expect(edges.map(({ from, to }) => `${textOf(from)} > ${textOf(to)}`)).toEqual(expected);
  });

  it.each<Partial<Told> & { readonly given: string; readonly rule?: string; readonly expected: boolean }>([
    { given: 'an endpoint that has not listed', listed: false, expected: false },
    { given: 'everything listed', expected: true },
    { given: 'a rule whose path is not resolved', rule: 'comp/vms > root:net/vpcs', paths: {}, consents: {}, expected: false },
    {
      given: 'a rule whose path leads nowhere',
      rule: 'comp/vms > root:none/vpcs',
      paths: { ...PATHS, 'root:none': 'missing' },
      expected: true,
    },
    {
      given: 'such a rule of a provider that is not bound here',
      rule: 'evil/vms > root:net/vpcs',
      paths: {},
      consents: {},
      expected: true,
    },
    {
      given: 'such a rule about a type that is not bound here',
      rule: 'comp/hosts > root:net/vpcs',
      paths: {},
      consents: {},
      expected: true,
    },
    {
      given: 'such a rule that the guard does not admit',
      rule: 'comp/vms > root:net/vpcs',
      paths: {},
      consents: { net: [] },
      expected: true,
    },
  ])('given $given, then it says whether there may be more', ({ rule, paths = PATHS, expected, ...told }) => {
    const registry = registryOf({
      rules: rule === undefined ? [] : [ruleOf(rule)],
      paths,
      consents: { net: ['root:comp'], comp: [] },
      ...told,
    });

    expect(edgesHere(HERE.map(typeOf), registry).isComplete).toBe(expected);
  });

  it('law: rules of providers that are not bound here change nothing, whatever they name', () => {
    const hostile = fc.tuple(fc.constantFrom('vms', 'vpcs'), fc.constantFrom('root:net/vpcs', 'root:comp/vms', 'root:nowhere/vpcs'));
    const usual = 'comp/vms > root:net/vpcs';
    const without = edgesHere(HERE.map(typeOf), registryOf({ rules: [ruleOf(usual)], paths: PATHS }));
    fc.assert(
      fc.property(fc.array(hostile, { maxLength: 20 }), (pairs) => {
        const rules = [usual, ...pairs.map(([from, to]) => `evil/${from} > ${to}`)];

        const { edges, isComplete } = edgesHere(HERE.map(typeOf), registryOf({ rules: rules.map(ruleOf), paths: PATHS }));

        expect([edges.length, isComplete]).toEqual([without.edges.length, true]);
      }),
    );
  });
});
