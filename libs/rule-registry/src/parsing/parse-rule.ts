import type { Parsed } from '@dep-ctrl/kcp-names';
import { ObjectReader, answer, type ObjectProblem } from './object-reader.js';
import { readIdentity, readName } from './read-metadata.js';
import { readRuleSpec, type RuleProblemReason, type SpecReading } from './read-rule-spec.js';
import { ruleKeyOf, type NonEmpty, type Rule, type RuleManifest, type UnreadableTarget } from '../rules/rule.js';

/** Something wrong with a rule, and where. */
export type RuleProblem = ObjectProblem<RuleProblemReason>;

/** What can be read of a DependencyRule: all of it, where there are no problems. */
export interface RuleReading {
  /** Without the targets that cannot be read. Undefined where nothing is left that could guard. */
  readonly rule: Rule | undefined;
  readonly unreadable: readonly UnreadableTarget[];
  /** Every problem, in the order of the fields. */
  readonly problems: readonly RuleProblem[];
}

/** Reads as much of a DependencyRule as can be, as kcp hands it out. Never throws. Unknown fields are ignored, as kcp prunes them. */
export function readRule(object: unknown): RuleReading {
  const problems: RuleProblem[] = [];
  const reader = new ObjectReader<RuleProblemReason>(object, '', problems);
  const identity = readIdentity(reader, KIND);
  const { manifest, unreadable } = readSpec(reader);
  const rule = identity && manifest && { ...identity, ...manifest, key: ruleKeyOf(identity.cluster, identity.name) };
  return { rule, unreadable, problems };
}

/** Reads a DependencyRule as kcp hands it out, whole or not at all. Never throws; gives every problem at once, in the order of the fields. */
export function parseRule(object: unknown): Parsed<Rule, NonEmpty<RuleProblem>> {
  const { rule, problems } = readRule(object);
  return answer(rule, problems);
}

/** Reads a DependencyRule as its author wrote it, not yet in any workspace. Otherwise as `parseRule`. */
export function parseRuleManifest(object: unknown): Parsed<RuleManifest, NonEmpty<RuleProblem>> {
  const problems: RuleProblem[] = [];
  const reader = new ObjectReader<RuleProblemReason>(object, '', problems);
  const name = readName(reader, KIND);
  const { manifest } = readSpec(reader);
  return answer(name === undefined || manifest === undefined ? undefined : { name, ...manifest }, problems);
}

const KIND = 'DependencyRule';

function readSpec(reader: ObjectReader<RuleProblemReason>): SpecReading {
  const spec = reader.object('spec');
  return spec === undefined ? { manifest: undefined, unreadable: [] } : readRuleSpec(spec);
}
