import { describe, expect, it } from '@jest/globals';
import { createRegistry, describeMissing, type MissingKnowledge } from '../index.js';
import { cluster, guard, ruleRef } from '../testing/builders.js';

const network = cluster('network');

describe(describeMissing, () => {
  it.each<{ given: MissingKnowledge; expected: string }>([
    { given: { kind: 'endpoints' }, expected: 'the endpoints of the export have not been read' },
    {
      given: { kind: 'endpoint', endpoint: 's0', lists: ['rules', 'guards'] },
      expected: 'rules, guards of s0 have not been listed',
    },
    { given: { kind: 'rule', rule: ruleRef('far') }, expected: 'rule vm-dependencies of far has not been read' },
  ])('given $given.kind, then one line says what is waited for', ({ given, expected }) => {
    expect(describeMissing(given)).toBe(expected);
  });
});

describe('what is missing everywhere', () => {
  it.each([[['s0', 's1', 's2']], [['s2', 's1', 's0']], [['s1', 's2', 's0']]])(
    'given the endpoints %j, then those that are not listed are named in one order, and no others',
    (endpoints) => {
      const { reader, writer } = createRegistry();
      writer.endpointsRead([...endpoints, 'listed']);
      writer.workspacesListed('listed', []);
      writer.guardsListed('listed', []);
      writer.rulesListed('listed', []);

      const known = reader.completeness();

      const named = known.state === 'syncing' ? known.missing.map((each) => (each.kind === 'endpoint' ? each.endpoint : each.kind)) : [];
      expect(named).toEqual(['s0', 's1', 's2']);
    },
  );

  it('given an endpoint that delivered before the endpoints were read, then it is one that was withdrawn', () => {
    const { reader, writer } = createRegistry();

    writer.guardRemoved('never seen', network);
    writer.workspaceApplied('s0', network);
    writer.endpointsRead([]);

    expect(reader.endpoints()).toEqual(new Map([['s0', { state: 'withdrawn' }]]));
  });
});

describe('what is missing for one workspace', () => {
  it('given a guard that names only some of its rules, when one that it names was never read, then every endpoint being listed is not enough', () => {
    const { reader, writer } = createRegistry();
    writer.endpointsRead(['s0']);
    writer.workspacesListed('s0', [network]);
    writer.guardsListed('s0', [guard({ cluster: network, ruleRefs: [ruleRef('far')], namesEveryRule: false })]);
    writer.rulesListed('s0', []);

    expect(reader.guarded(network)).toMatchObject({ state: 'syncing', missing: [{ kind: 'rule', rule: { name: 'vm-dependencies' } }] });
  });
});
