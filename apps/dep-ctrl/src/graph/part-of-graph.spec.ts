import { describe, expect, it } from '@jest/globals';
import { partOfGraph, typeName, type GraphQuestion } from './part-of-graph.js';
import type { GraphReference, GraphType, TypeGraph } from './type-graph.js';

const type = (id: string, workspace: string, resource: string, group = `${workspace}.io`): GraphType => ({
  id,
  workspace: `root:${workspace}`,
  group,
  resource,
  inCycle: false,
});

const reference = (from: string, to: string): GraphReference => ({
  from,
  to,
  rule: { workspace: 'root:a', name: 'r' },
  fieldPath: '.spec.a',
  enforcement: 'Deny',
  inCycle: false,
});

// t0 → t1 → t2 → t3 → t4, t2 → t1 as well, and t5 alone.
const GRAPH: TypeGraph = {
  types: [
    type('t0', 'apps', 'Machines'),
    type('t1', 'net', 'vpcs'),
    type('t2', 'net', 'subnets'),
    type('t3', 'dns', 'zones'),
    type('t4', 'dns', 'records'),
    type('t5', 'alone', 'pods', ''),
  ],
  references: [reference('t0', 't1'), reference('t1', 't2'), reference('t2', 't1'), reference('t2', 't3'), reference('t3', 't4')],
  cycles: [['t1', 't2']],
};

function partFor(question: Partial<GraphQuestion>) {
  const { found, graph, chosen } = partOfGraph(GRAPH, { of: '', hops: 1, search: '', ...question });
  const arrows = graph.references.map(({ from, to }) => `${from} ${to}`);
  return { found: found.map(({ id }) => id), types: graph.types.map(({ id }) => id), arrows, cycles: graph.cycles, chosen: chosen?.id };
}

const CIRCLE = [['t1', 't2']];
const ALL = ['t0', 't1', 't2', 't3', 't4', 't5'];
const ALL_ARROWS = ['t0 t1', 't1 t2', 't2 t1', 't2 t3', 't3 t4'];

describe(partOfGraph, () => {
  it.each([
    { given: 'no hop', of: 'root:net/vpcs.net.io', hops: 0, types: ['t1'], arrows: [], cycles: [], chosen: 't1' },
    {
      given: 'one hop',
      of: 'root:net/vpcs.net.io',
      hops: 1,
      types: ['t0', 't1', 't2'],
      arrows: ['t0 t1', 't1 t2', 't2 t1'],
      cycles: CIRCLE,
      chosen: 't1',
    },
    {
      given: 'two hops',
      of: 'root:apps/Machines.apps.io',
      hops: 2,
      types: ['t0', 't1', 't2'],
      arrows: ['t0 t1', 't1 t2', 't2 t1'],
      cycles: CIRCLE,
      chosen: 't0',
    },
    {
      given: 'one hop against the arrow',
      of: 'root:dns/records.dns.io',
      hops: 1,
      types: ['t3', 't4'],
      arrows: ['t3 t4'],
      cycles: [],
      chosen: 't4',
    },
    {
      given: 'more hops than there are arrows',
      of: 'root:dns/records.dns.io',
      hops: Infinity,
      types: ALL.slice(0, 5),
      arrows: ALL_ARROWS,
      cycles: CIRCLE,
      chosen: 't4',
    },
    { given: 'a type of no group', of: 'root:alone/pods', hops: 5, types: ['t5'], arrows: [], cycles: [], chosen: 't5' },
    { given: 'a type that is not there', of: 'root:net/vpcs', hops: 5, types: [], arrows: [], cycles: [], chosen: undefined },
  ])(
    'given $given from a type, then the types that near, the arrows among them, and whole circles',
    ({ given: _given, of, hops, ...expected }) => {
      expect(partFor({ of, hops, search: 'zones' })).toEqual({ found: expected.types, ...expected });
    },
  );

  it.each([
    {
      given: 'a part of a workspace and a group',
      search: 'NET',
      found: ['t1', 't2'],
      types: ['t0', 't1', 't2', 't3'],
      arrows: ALL_ARROWS.slice(0, 4),
      cycles: CIRCLE,
    },
    { given: 'a part of a resource', search: 'machine', found: ['t0'], types: ['t0', 't1'], arrows: ['t0 t1'], cycles: [] },
    { given: 'a word that no type has', search: 'x', found: [], types: [], arrows: [], cycles: [] },
    { given: 'nothing', search: '', found: ALL, types: ALL, arrows: ALL_ARROWS, cycles: CIRCLE },
  ])('given $given, then the types that it names, and one arrow around them', ({ given: _given, search, ...expected }) => {
    expect(partFor({ search, hops: 5 })).toEqual({ ...expected, chosen: undefined });
  });
});

describe(typeName, () => {
  it('given a type, then its workspace and its name', () => {
    expect(typeName({ workspace: 'root:a', group: 'g.io', resource: 'things' })).toBe('root:a/things.g.io');
  });
});
