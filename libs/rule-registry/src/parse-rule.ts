import type { Parsed } from '@dep-ctrl/kcp-names';
import { ObjectReader, answer, type ObjectProblem } from './object-reader.js';
import { readIdentity, readName } from './read-metadata.js';
import { readRuleSpec, type RuleProblemReason } from './read-rule-spec.js';
import { ruleKeyOf, type NonEmpty, type Rule, type RuleManifest } from './rule.js';

/** Something wrong with a rule, and where. */
export type RuleProblem = ObjectProblem<RuleProblemReason>;

/**
 * Reads a DependencyRule as kcp hands it out. Never throws; gives every problem at once, in the order of the fields.
 * Unknown fields are ignored, as kcp prunes them.
 */
export function parseRule(object: unknown): Parsed<Rule, NonEmpty<RuleProblem>> {
  const problems: RuleProblem[] = [];
  const reader = new ObjectReader<RuleProblemReason>(object, '', problems);
  const identity = readIdentity(reader, KIND);
  const spec = readSpec(reader);
  return answer(identity && spec && { ...identity, ...spec, key: ruleKeyOf(identity.cluster, identity.name) }, problems);
}

/** Reads a DependencyRule as its author wrote it, not yet in any workspace. Otherwise as `parseRule`. */
export function parseRuleManifest(object: unknown): Parsed<RuleManifest, NonEmpty<RuleProblem>> {
  const problems: RuleProblem[] = [];
  const reader = new ObjectReader<RuleProblemReason>(object, '', problems);
  const name = readName(reader, KIND);
  const spec = readSpec(reader);
  return answer(name === undefined || spec === undefined ? undefined : { name, ...spec }, problems);
}

const KIND = 'DependencyRule';

function readSpec(reader: ObjectReader<RuleProblemReason>): Omit<RuleManifest, 'name'> | undefined {
  const spec = reader.object('spec');
  return spec && readRuleSpec(spec);
}
