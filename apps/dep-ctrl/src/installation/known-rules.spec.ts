import { describe, expect, it } from '@jest/globals';
import { DEV_PATHS } from '../dev/dev-paths.js';
import { binding, clusterNamed, read, rule, shard } from '../doctor/spec-support/whole-facts.js';
import { allOf, inClusters, knownRules, namedPaths, ownBindings } from './known-rules.js';
import type { Unread } from './reading.js';

const NETWORK = clusterNamed('network');
const COMPUTE = clusterNamed('compute');
const unread: Unread = { state: 'unread', what: 'the rules', because: 'silent', why: 'no answer' };
const foreign = { ...binding(), spec: { reference: { export: { path: 'root:other', name: 'other.example.com' } } } };

describe(knownRules, () => {
  it('given the lists of all shards, then the registry knows who guards what, and that nothing is missing', () => {
    const second = shard({ url: 'https://other.example.com:6443/services/apiexport/home/dependencies.opendefense.cloud', rules: read([]) });

    const registry = knownRules([shard(), second], new Map([[DEV_PATHS.network, NETWORK]]));

    expect(registry.guarded(NETWORK).matches.map((match) => match.rule.name)).toEqual(['vm-dependencies']);
    expect(registry.isBound(COMPUTE)).toBe(true);
    expect(registry.completeness()).toEqual({ state: 'known' });
  });

  it('given rules that were not read, then not everything is known', () => {
    const registry = knownRules([shard({ rules: unread })], new Map());

    expect(registry.ruleCount).toBe(0);
    expect(registry.completeness().state).not.toBe('known');
  });

  it('given a path that leads nowhere, then that is known too', () => {
    const registry = knownRules([shard()], new Map([[DEV_PATHS.network, 'missing']]));

    expect(registry.paths.clusterOf(DEV_PATHS.network)).toBe('missing');
  });
});

it('given rules, then the paths that they name are told, once', () => {
  const again = { ...rule(), metadata: { ...rule().metadata, name: 'again' } };

  expect(namedPaths([shard({ rules: read([rule(), again]) })])).toEqual([DEV_PATHS.network]);
});

it('given an object that does not say where it is, then it is left out', () => {
  expect(inClusters([rule(), { metadata: { name: 'lost' } }]).map(({ cluster }) => cluster)).toStrictEqual([COMPUTE]);
});

it('given the binding to another export, then it is no own one', () => {
  expect(ownBindings([foreign, binding()])).toEqual([{ cluster: COMPUTE, object: binding() }]);
  expect(allOf([shard({ bindings: read([foreign, binding()]) })], 'bindings')).toEqual([{ cluster: COMPUTE, object: binding() }]);
});

it('given shards of which one was not read, then the objects of the others are told', () => {
  expect(allOf([shard({ rules: unread }), shard()], 'rules')).toEqual([{ cluster: COMPUTE, object: rule() }]);
});
