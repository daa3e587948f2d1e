// Rules and reference paths of any shape: read or refused with at least one problem, never thrown at; what is read prints and parses to
// itself, and reads any object.

import { couldHold, parseFieldPath, printFieldPath, readFieldPath } from '@dep-ctrl/fieldpath';
import { createRegistry, parseRule, reportRule } from '@dep-ctrl/rule-registry';
import { logicalCluster } from '@dep-ctrl/kcp-names';
import { FULL_RULE, VM_RULE } from '../example-objects.js';
import type { Chance } from './chance.js';
import { mutate, mutateText, type Json } from './mutate.js';

/** One rule. Throws when a promise is broken. */
export function fuzzRule(chance: Chance): void {
  const good = chance.pick([VM_RULE, FULL_RULE]);
  const { metadata, ...rest } = good;
  const withIdentity = { ...rest, metadata: { ...metadata, uid: 'u', generation: 1, annotations: { 'kcp.io/cluster': 'compute' } } };
  const object = mutate(withIdentity as unknown as Json, chance);
  const rule = parseRule(object);
  if (!rule.ok) {
    const { length } = rule.problem as readonly unknown[];
    if (length === 0) throw new Error(`refused without a problem: ${JSON.stringify(object)}`);
    return;
  }
  const { writer, reader } = createRegistry();
  writer.ruleApplied('endpoint', rule.value);
  for (const dependency of rule.value.dependencies) {
    const named = reader.paths.clusterOf(dependency.export.path);
    // A path that is not resolved counts everywhere.
    const where = named === 'missing' || named === 'unknown' ? rule.value.cluster : named;
    const { matches } = reader.guarding(where, dependency, new Set([rule.value.cluster]));
    const isFound = matches.some((match) => match.dependency.index === dependency.index);
    if (!isFound) throw new Error(`a rule does not guard what it names: ${JSON.stringify(object)}`);
  }
}

/** One object that claims to be a rule of a workspace: the registry takes anything. */
export function fuzzReport(chance: Chance): void {
  const cluster = logicalCluster('compute');
  const object = { metadata: { name: 'x' }, spec: mutate(VM_RULE.spec as unknown as Json, chance) };
  createRegistry().writer.rulesListed('endpoint', [reportRule(cluster, object)]);
}

/** One reference path on one object. */
export function fuzzPath(chance: Chance): void {
  const text = mutateText(chance.pick(['.spec.vpcRef.name', ".metadata.labels['a.b/c']", '.spec.nics[*].net.name']), chance);
  const path = parseFieldPath(text);
  if (!path.ok) return;
  const again = parseFieldPath(printFieldPath(path.value));
  if (!again.ok || again.value.text !== path.value.text) throw new Error(`a path does not print itself: ${JSON.stringify(text)}`);
  const object = mutate(
    { spec: { vpcRef: { name: 'my-vpc' }, nics: [{ net: { name: 'my-vpc' } }] }, metadata: { labels: { 'a.b/c': 'my-vpc' } } },
    chance,
  );
  const bytes = Buffer.from(JSON.stringify(object));
  for (const name of readFieldPath(JSON.parse(bytes.toString()), path.value)) {
    if (!couldHold(bytes, name)) throw new Error(`the scan misses ${JSON.stringify(name)} in ${bytes.toString()}`);
  }
}
