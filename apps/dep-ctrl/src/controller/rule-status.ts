/*
 * What a rule's author reads: a pure function of what is known about the rule and its targets. Every message is one line and says
 * what to do where somebody can do something.
 */
import type { DependencyRuleStatus, RejectedRule, Rule, RuleTarget } from '@dep-ctrl/rule-registry';
import { mergeConditions, readConditions, type DecidedCondition } from './conditions.js';
import { answerFor, INSTALLED, RESOLVED, verificationProblem, type TargetFacts } from './target-answer.js';
import type { Verification } from './verify-schema.js';

/** What is known about one rule. */
export interface RuleFacts {
  readonly dependent: Verification;
  readonly targets: readonly TargetFacts[];
  /** Cycles of types that this rule is part of, for people. */
  readonly cycles: readonly string[];
}

/** Where the status is written to. */
export interface StatusContext {
  /** The status as it stands there, of unknown shape. */
  readonly before: unknown;
  /** RFC 3339. */
  readonly now: string;
}

// A status must fit into a request and a condition into its schema, however many targets somebody writes into a rule. What is wrong comes
// first; the count of `targetsInstalled` is always of all.
const MOST_TARGETS = 100;
const MOST_MESSAGES = 10;

/** The status of a rule that could be read. */
export function ruleStatus(rule: Rule, { dependent, targets, cycles }: RuleFacts, context: StatusContext): DependencyRuleStatus {
  const answers = targets.map(answerFor);
  const resolved = worst(RESOLVED, [verificationProblem(dependent), ...answers.map((answer) => answer.resolved)]) ?? {
    ...yes(RESOLVED, 'Resolved'),
    message: 'every export, version and field that the rule names was found',
  };
  const installed = worst(
    INSTALLED,
    answers.map((answer) => answer.installed),
  ) ?? {
    ...yes(INSTALLED, 'Written'),
    message: 'written to kcp: in force about 0.1 s later',
  };
  const accepted: DecidedCondition = { ...yes('Accepted', 'Valid'), message: 'the rule is well formed' };
  const conditions = [ready(resolved, installed), accepted, resolved, installed, ...cyclic(cycles)];
  return status(rule.generation, unique(answers.map(({ target }) => target)), conditions, context);
}

/**
 * Whether the facts say enough to replace a status. A target that nobody has looked at yet says nothing, and neither does a workspace
 * whose endpoint has not been read: what an earlier process said of this generation stands.
 */
export function isWorthSaying(rule: Rule, { targets }: RuleFacts, before: unknown): boolean {
  const isUnseen = ({ resolution, consentRefused, installation }: TargetFacts): boolean =>
    resolution === undefined || (resolution.state === 'found' && consentRefused === undefined && installation === undefined);
  if (targets.some(isUnseen)) return false;
  const observed = typeof before === 'object' && before !== null ? (before as Record<string, unknown>)['observedGeneration'] : undefined;
  return observed !== rule.generation || !targets.some(({ installation }) => installation?.state === 'waiting');
}

/** The status of a rule that could not be read: it guards nothing. */
export function rejectedRuleStatus({ generation, problems }: RejectedRule, context: StatusContext): DependencyRuleStatus {
  const reason = problems.find((problem) => problem.reason !== 'Invalid')?.reason ?? 'Invalid';
  const message = joined(problems.map((problem) => `${problem.path}: ${problem.message}`));
  const no = (type: string): DecidedCondition => ({ type, status: 'False', reason, message });
  return status(generation, [], [no('Ready'), no('Accepted')], context);
}

/** One condition for all targets: a False counts more than an Unknown, the first of each speaks, and the first messages are told. */
function worst(type: string, problems: readonly (DecidedCondition | undefined)[]): DecidedCondition | undefined {
  const found = problems.filter((problem) => problem !== undefined);
  const [first] = [...found.filter(({ status: is }) => is === 'False'), ...found];
  if (first === undefined) return undefined;
  const messages = unique(found.filter(({ status: is }) => is === first.status).map(({ message }) => message));
  return { ...first, type, message: joined(messages) };
}

function ready(resolved: DecidedCondition, installed: DecidedCondition): DecidedCondition {
  const wrong = [installed, resolved].find(({ status: is }) => is === 'False');
  if (wrong !== undefined) return { ...wrong, type: 'Ready' };
  const caution = resolved.status === 'Unknown' ? `; not verified: ${resolved.message}` : '';
  return { ...yes('Ready', 'Installed'), message: `${installed.message}${caution}` };
}

function cyclic(cycles: readonly string[]): readonly DecidedCondition[] {
  if (cycles.length === 0) return [];
  const message = `types refer to each other in a circle: ${cycles.join('; ')}: such objects refuse each other's deletion`;
  return [{ type: 'Cyclic', status: 'True', reason: 'CycleOfTypes', message }];
}

function yes(type: string, reason: string): Omit<DecidedCondition, 'message'> {
  return { type, status: 'True', reason };
}

function status(
  generation: number,
  targets: readonly RuleTarget[],
  conditions: readonly DecidedCondition[],
  { before, now }: StatusContext,
): DependencyRuleStatus {
  const installed = targets.filter(({ state }) => state === 'Installed').length;
  const old = typeof before === 'object' && before !== null ? (before as Record<string, unknown>)['conditions'] : undefined;
  return {
    observedGeneration: generation,
    targetsInstalled: `${installed}/${targets.length}`,
    targets: targets.length <= MOST_TARGETS ? targets : worstFirst(targets).slice(0, MOST_TARGETS),
    conditions: mergeConditions(readConditions(old), conditions, { generation, now }),
  };
}

function worstFirst(targets: readonly RuleTarget[]): readonly RuleTarget[] {
  return [...targets.filter(({ state }) => state !== 'Installed'), ...targets.filter(({ state }) => state === 'Installed')];
}

function joined(messages: readonly string[]): string {
  const told = messages.slice(0, MOST_MESSAGES).join('; ');
  return messages.length <= MOST_MESSAGES ? told : `${told}; and ${messages.length - MOST_MESSAGES} more`;
}

function unique<T>(items: readonly T[]): readonly T[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}
