import { describe, expect, it } from '@jest/globals';
import { cluster, ruleRef } from '../testing/builders.js';
import { NamedRules } from './named-rules.js';

const [network, storage, compute, batch] = ['network', 'storage', 'compute', 'batch'].map((name) => cluster(name)) as [
  ReturnType<typeof cluster>,
  ReturnType<typeof cluster>,
  ReturnType<typeof cluster>,
  ReturnType<typeof cluster>,
];
const [one, two, other] = [ruleRef('compute', 'one'), ruleRef('compute', 'two'), ruleRef('batch', 'jobs')];

describe(NamedRules, () => {
  it('given what guards name, then it is found by author, by rule and by guard', () => {
    const named = new NamedRules();
    named.set(network, [one, other, two]);
    named.set(storage, [two]);

    expect([named.of(compute, network), named.of(batch, network), named.of(batch, storage)]).toEqual([[one, two], [other], []]);
    expect([...named.ofOthers(new Set([compute]), network)]).toEqual([other]);
    expect([...named.ofOthers(new Set(), network)]).toEqual([one, two, other]);
    expect([...named.ofOthers(new Set([compute, batch]), network)]).toEqual([]);
    expect([named.guardsNaming(one.key), named.guardsNaming(two.key)]).toEqual([[network], [network, storage]]);
    expect([named.guardsNamingOneOf(compute), named.guardsNamingOneOf(batch)]).toEqual([[network, storage], [network]]);
  });

  it('given a guard that names others now, or none, then nothing of what it named is left', () => {
    const named = new NamedRules();
    named.set(network, [one, other]);

    named.set(network, [two]);
    expect([named.of(compute, network), named.of(batch, network), named.guardsNaming(one.key)]).toEqual([[two], [], []]);
    expect([named.guardsNamingOneOf(compute), named.guardsNamingOneOf(batch)]).toEqual([[network], []]);

    named.set(network, []);
    expect([named.of(compute, network), named.guardsNaming(two.key), named.guardsNamingOneOf(compute)]).toEqual([[], [], []]);
    expect([...named.ofOthers(new Set(), network)]).toEqual([]);
  });
});
