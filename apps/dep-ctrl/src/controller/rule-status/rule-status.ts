/*
 * The status of a rule: a pure function of the facts about the rule and its targets. Every message is one line, and says what to do if people can do
 * something.
 */
import { printGroupResource, record, type KubeObject } from '@dep-ctrl/kcp-names';
import {
  MOST_NAMED,
  MOST_RULES,
  parseRule,
  type DependencyRuleStatus,
  type RejectedRule,
  type Rule,
  type RuleDependency,
  type RuleTarget,
  type UnreadableTarget,
  type ConditionReason,
  type ConditionType,
} from '@dep-ctrl/rule-registry';
import { printFirst, type Verification } from '@dep-ctrl/exported-types';
import {
  COUNTS_AGAIN,
  conditionsIn,
  IN_FORCE,
  mergeConditions,
  READY,
  saysLookedAfter,
  UNINSTALLED,
  type DecidedCondition,
} from '../../own-objects/conditions.js';
import { grantProblem, type DependentsGrant } from './grant-answer.js';
import { answerFor, INSTALLED, RESOLVED, verificationProblem, type TargetFacts } from './target-answer.js';

/** The facts about one rule. */
export interface RuleFacts {
  readonly dependent: Verification;
  /** Whether the webhook may read the dependents. */
  readonly grant: DependentsGrant;
  readonly targets: readonly TargetFacts[];
  /** Cycles of types that this rule is part of, for people. */
  readonly cycles: readonly string[];
}

/** The status before, and the time. */
export interface StatusContext {
  /** The status as it stands there, of unknown shape. */
  readonly before: unknown;
  /** RFC 3339. */
  readonly now: string;
}

/** Reasons for which nothing new is written, while what was written before stays in force. */
const LEAVES_AS_IT_WAS: ReadonlySet<ConditionReason> = new Set(['Pending', 'ClaimNotAccepted', 'Forbidden', 'Unreachable']);

// A condition must fit into its schema.
const MOST_MESSAGES = 10;

/** The status of a rule that could be read. */
export function ruleStatus(rule: Rule, facts: RuleFacts, context: StatusContext): DependencyRuleStatus {
  const { targets, resolved, installed, others } = answersTo(facts);
  const remarks = rule.remarks.map(({ path, message }) => `; ${path} ${message}`).slice(0, MOST_MESSAGES);
  const accepted: DecidedCondition = { ...yes('Accepted', 'Valid'), message: `the rule is well formed${remarks.join('')}` };
  const wrong = [installed, resolved, grantProblem(facts.grant, rule)].find((each) => each?.status === 'False');
  const said: DecidedCondition = wrong === undefined ? ready(resolved, installed, hintsFor(facts)) : { ...wrong, type: READY };
  return status(rule.generation, targets, [said, accepted, resolved, installed, ...others], context);
}

/** The status of a rule with problems. The targets that can be read are in force, as `facts` say; undefined: none can be read. */
export function rejectedRuleStatus(rule: RejectedRule, facts: RuleFacts | undefined, context: StatusContext): DependencyRuleStatus {
  const { generation, problems, unreadable } = rule;
  const reason = problems.find((problem) => problem.reason !== 'Invalid')?.reason ?? 'Invalid';
  const found = joined(problems.map((problem) => `${problem.path}: ${problem.message}`));
  const message = `${found}; ${facts === undefined ? 'nothing of the rule is in force' : 'the rest is in force'} until it is fixed`;
  const no = (type: ConditionType): DecidedCondition => ({ type, status: 'False', reason, message });
  const lost = unreadable.map((target) => unreadableTarget(target, rule));
  if (facts === undefined) return status(generation, lost, [no(READY), no('Accepted')], context);
  const { targets, resolved, installed, others } = answersTo(facts);
  const all = lost.length === 0 || installed.status === 'False' ? installed : { ...no(INSTALLED), message: joined(lost.map(toldOf)) };
  return status(generation, [...lost, ...targets], [no(READY), no('Accepted'), resolved, all, ...others], context);
}

function unreadableTarget({ place, type, pathText }: UnreadableTarget, { problems }: RejectedRule): RuleTarget {
  const own = problems.filter((problem) => problem.path === place || problem.path.startsWith(`${place}.`));
  const message = `cannot be read: ${joined(own.map((problem) => `${problem.path}: ${problem.message}`))}`;
  return { path: pathText, resource: type === undefined ? '' : printGroupResource(type), state: 'Failed', message };
}

function toldOf({ path, resource, message = '' }: RuleTarget): string {
  return [resource, path === '' ? '' : `of "${path}"`, message].filter((part) => part !== '').join(' ');
}

/** The status of a rule that is beyond what one workspace may have in force. */
export function overQuotaStatus({ generation }: Pick<Rule, 'generation'>, context: StatusContext): DependencyRuleStatus {
  const message = `of one workspace the oldest rules are in force, at most ${MOST_RULES}, that name at most ${MOST_NAMED} workspaces together; this one is beyond: delete others, put more types into one rule, or name fewer workspaces`;
  const no = (type: ConditionType): DecidedCondition => ({ type, status: 'False', reason: 'OverQuota', message });
  return status(generation, [], [no(READY), no('Accepted')], context);
}

/** The status of a rule after uninstall: it is not in force. */
export function abandonedRuleStatus(rule: KubeObject, now: string): DependencyRuleStatus {
  const parsedRule = parseRule(rule);
  const targets = parsedRule.ok ? parsedRule.value.dependencies.map(abandonedTarget) : [];
  const message = `dep-ctrl was uninstalled: this rule is not in force; it ${COUNTS_AGAIN}`;
  const ready: DecidedCondition = { type: READY, status: 'False', reason: UNINSTALLED, message };
  return status(rule.metadata.generation ?? 0, unique(targets), [ready], { before: rule['status'], now });
}

function abandonedTarget(dependency: RuleDependency): RuleTarget {
  return { path: dependency.export.path, resource: printGroupResource(dependency), state: 'Pending', message: 'dep-ctrl was uninstalled' };
}

interface Answers {
  readonly targets: readonly RuleTarget[];
  readonly resolved: DecidedCondition;
  readonly installed: DecidedCondition;
  readonly others: readonly DecidedCondition[];
}

function answersTo({ dependent, targets, cycles }: RuleFacts): Answers {
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
  return { targets: unique(answers.map(({ target }) => target)), resolved, installed, others: cyclic(cycles) };
}

/**
 * Whether the facts suffice to replace a status. They do not if a target was not looked at yet or the endpoint of its workspace was not read: then the
 * status that an earlier process wrote for this generation stays, unless uninstall wrote it.
 */
export function isWorthSaying(rule: Pick<Rule, 'generation'>, { targets }: RuleFacts, before: unknown): boolean {
  const isUnseen = ({ place, consentRefused, installation }: TargetFacts): boolean =>
    place === undefined || (place !== 'not-bound' && consentRefused === undefined && installation === undefined);
  if (targets.some(isUnseen)) return false;
  const isEarlierWord = record(before)?.['observedGeneration'] === rule.generation && saysLookedAfter({ status: before });
  return !isEarlierWord || !targets.some(({ installation }) => installation?.state === 'waiting');
}

/** One condition for all targets: False before Unknown, the reason of the first, and the first messages. */
function worst(type: ConditionType, problems: readonly (DecidedCondition | undefined)[]): DecidedCondition | undefined {
  const found = problems.filter((problem) => problem !== undefined);
  const [first] = [...found.filter(({ status: is }) => is === 'False'), ...found];
  if (first === undefined) return undefined;
  const messages = unique(found.filter(({ status: is }) => is === first.status).map(({ message }) => message));
  return { ...first, type, message: joined(messages) };
}

function ready(resolved: DecidedCondition, installed: DecidedCondition, hint: string): DecidedCondition {
  const caution = resolved.status === 'Unknown' ? `; not verified: ${resolved.message}` : '';
  return { ...yes(READY, 'Installed'), message: `${installed.message}${caution}${hint}` };
}

/** A hint about fields that look like the namespace of a reference and that the rule does not name. */
function unseenNamespaces({ dependent, targets }: RuleFacts): string {
  if (dependent.state !== 'verified' || dependent.isClusterScoped === true) return '';
  const fields = targets.flatMap(({ dependency: { fieldPath, namespacePath }, verification }) => {
    const isClusterScoped = verification.state === 'verified' && verification.isClusterScoped === true;
    return namespacePath !== undefined || isClusterScoped ? [] : (dependent.namespaceBeside?.get(fieldPath.text) ?? []);
  });
  const unseen = unique(fields);
  if (unseen.length === 0) return '';
  const are = unseen.length === 1 ? 'is' : 'are';
  return `; ${printFirst(unseen, { most: MOST_MESSAGES })} ${are} not looked at: set fieldRef.namespacePath to guard across namespaces`;
}

/** What a rule that is ready does not do, or does beside what its author may mean: each a phrase. */
function hintsFor(facts: RuleFacts): string {
  return `${cyclic(facts.cycles)
    .map(({ message }) => `; ${message}`)
    .join('')}${unseenNamespaces(facts)}`;
}

function cyclic(cycles: readonly string[]): readonly DecidedCondition[] {
  if (cycles.length === 0) return [];
  const message = `types refer to each other in a circle: ${cycles.join('; ')}: such objects refuse each other's deletion`;
  return [{ type: 'Cyclic', status: 'True', reason: 'CycleOfTypes', message }];
}

function yes(type: ConditionType, reason: ConditionReason): Omit<DecidedCondition, 'message'> {
  return { type, status: 'True', reason };
}

function status(
  generation: number,
  targets: readonly RuleTarget[],
  conditions: readonly [DecidedCondition, ...DecidedCondition[]],
  { before, now }: StatusContext,
): DependencyRuleStatus {
  const targetsInstalled = `${targets.filter(isInstalled).length}/${targets.length}`;
  const [said, ...others] = conditions;
  const because = others.find(({ type }) => type === INSTALLED) ?? said;
  return {
    observedGeneration: generation,
    targetsInstalled,
    targets,
    conditions: mergeConditions(conditionsIn({ status: before }), [said, inForce(targets, because), ...others], { generation, now }),
  };
}

/**
 * Whether deletes are checked. That is not the same as Ready: a rule with a mistake may refuse deletes, and if a configuration cannot be written, the one
 * before stays in force.
 */
function inForce(targets: readonly RuleTarget[], because: DecidedCondition): DecidedCondition {
  const installed = targets.filter(isInstalled).length;
  if (installed > 0 && installed === targets.length) {
    return { type: IN_FORCE, status: 'True', reason: 'Installed', message: 'deletes are checked for every target' };
  }
  const isOut = !LEAVES_AS_IT_WAS.has(because.reason) || targets.some(({ state }) => state === 'Refused' || state === 'Missing');
  const status = isOut ? 'False' : 'Unknown';
  if (installed === 0) return { ...because, type: IN_FORCE, status };
  const message = `deletes are checked for ${installed} of ${targets.length} targets; ${because.message}`;
  return { type: IN_FORCE, status, reason: 'PartlyInstalled', message };
}

function isInstalled({ state }: RuleTarget): boolean {
  return state === 'Installed';
}

function joined(messages: readonly string[]): string {
  const told = messages.slice(0, MOST_MESSAGES).join('; ');
  return messages.length <= MOST_MESSAGES ? told : `${told}; and ${messages.length - MOST_MESSAGES} more`;
}

function unique<T>(items: readonly T[]): readonly T[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}
