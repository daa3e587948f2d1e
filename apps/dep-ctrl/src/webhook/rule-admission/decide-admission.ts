// Decides about a rule or guard as it is written. Pure; the whole policy is this file, its texts and their tables of tests. A rule that cannot be in force
// is refused with all its problems; a doubtful one is admitted with warnings.
import { printGroupResource, type KubeObject, type WorkspacePath } from '@dep-ctrl/kcp-names';
import {
  MOST_CONSENTS,
  MOST_NAMED,
  MOST_RULES,
  isRejected,
  parseGuard,
  ruleInForce,
  type QuotaExcess,
  type Rule,
  type RuleDependency,
  type RuleProblemReason,
  type RuleReport,
} from '@dep-ctrl/rule-registry';
import type { RuleReadings } from './rule-readings.js';
import { warningsOf } from './rule-warnings.js';
import type { WrittenObject } from './written-object.js';

/** A problem that its author must fix, and its place. */
export interface AdmissionProblem {
  /** Where in the object: `.spec.dependencies[0].fieldRef.path`. */
  readonly path: string;
  /** A phrase that reads on from the path, one line. */
  readonly message: string;
  /** For programs. */
  readonly reason: RuleProblemReason | 'DuplicateDependency' | 'MeaninglessNamespace' | 'OverQuota';
}

/** The decision. */
export type AdmissionDecision =
  | { readonly verdict: 'refuse'; readonly problems: readonly [AdmissionProblem, ...AdmissionProblem[]] }
  | { readonly verdict: 'admit'; readonly warnings: readonly string[] };

/** The facts for a decision about a rule. */
export interface RuleAdmissionInput {
  readonly report: RuleReport;
  /** What its workspace would have too much of. */
  readonly excess: QuotaExcess | undefined;
  readonly readings: RuleReadings;
}

/** Decides about a rule. */
export function decideRule(input: RuleAdmissionInput): AdmissionDecision {
  const rule = ruleInForce(input.report);
  return decisionOf(ruleProblems(input), () => (rule === undefined ? [] : warningsOf(rule, input.readings)));
}

/** Everything for which a rule is refused, in the order of its dependencies. */
export function ruleProblems({ report, excess, readings }: RuleAdmissionInput): readonly AdmissionProblem[] {
  const rule = ruleInForce(report);
  const problems: AdmissionProblem[] = [
    ...(isRejected(report) ? report.problems : []),
    ...(rule === undefined ? [] : [...duplicates(rule), ...meaninglessNamespaces(rule, readings)]),
    ...(excess === undefined ? [] : [overQuota(excess)]),
  ];
  return problems.toSorted((a, b) => placeIn(a) - placeIn(b));
}

/** Decides about a guard. `unbound`: paths at which no workspace binds dep-ctrl. */
export function decideGuard({ object }: Pick<WrittenObject, 'object'>, unbound: readonly WorkspacePath[]): AdmissionDecision {
  return decisionOf(guardProblems(object), () => unbound.map((path) => `.spec.allowRulesFrom: ${nobodyAdmitted(path)}`));
}

/** What is wrong with a path in a list of consents: with a typo in it the rules of the author that was meant protect nothing. */
export function nobodyAdmitted(path: WorkspacePath): string {
  return `no workspace at ${path} binds dep-ctrl, so nobody is admitted by it: correct the path, or have its owner bind dep-ctrl`;
}

/** The paths that a guard admits rules from, as its author wrote them. */
export function admittedPaths(object: KubeObject): readonly WorkspacePath[] {
  const guard = parseGuard(object);
  return !guard.ok || guard.value.allowRulesFrom === 'everyone' ? [] : guard.value.allowRulesFrom;
}

/** Everything for which a guard is refused. */
export function guardProblems(object: KubeObject): readonly AdmissionProblem[] {
  const guard = parseGuard(object);
  if (!guard.ok) return guard.problem;
  const { ignoredConsents } = guard.value;
  const message = `has ${MOST_CONSENTS + ignoredConsents} entries, at most ${MOST_CONSENTS} are allowed`;
  return ignoredConsents === 0 ? [] : [{ path: '.spec.allowRulesFrom', message, reason: 'OverBound' }];
}

function decisionOf(problems: readonly AdmissionProblem[], warnings: () => readonly string[]): AdmissionDecision {
  const [first, ...others] = problems;
  return first === undefined ? { verdict: 'admit', warnings: warnings() } : { verdict: 'refuse', problems: [first, ...others] };
}

/** Which dependency a problem is about; those about none come first. */
function placeIn({ path }: AdmissionProblem): number {
  return Number(/^\.spec\.dependencies\[(\d+)\]/.exec(path)?.[1] ?? -1);
}

/** In a stored rule such a target counts once. While a rule is written, it is a mistake of its author. */
function duplicates({ remarks }: Rule): readonly AdmissionProblem[] {
  return remarks.map(({ path, message }) => ({ path, message: `${message}: remove it or correct it`, reason: 'DuplicateDependency' }));
}

function meaninglessNamespaces({ dependencies }: Rule, { targets }: RuleReadings): readonly AdmissionProblem[] {
  return dependencies.flatMap((dependency) =>
    dependency.namespacePath !== undefined && targets.get(dependency.index)?.isClusterScoped === true ? [noNamespace(dependency)] : [],
  );
}

function noNamespace(dependency: RuleDependency): AdmissionProblem {
  const path = `.spec.dependencies[${dependency.index}].fieldRef.namespacePath`;
  return {
    path,
    message: `remove this field, as ${printGroupResource(dependency)} are cluster-scoped`,
    reason: 'MeaninglessNamespace',
  };
}

function overQuota({ of, count }: QuotaExcess): AdmissionProblem {
  const rules = `this workspace has ${count} rules, and at most ${MOST_RULES} of them are in force: delete one, or add dependencies to one that is there`;
  const workspaces = `with this one the rules of this workspace name ${count} workspaces together, and at most ${MOST_NAMED} may be named: name fewer`;
  return { path: '', message: of === 'rules' ? rules : workspaces, reason: 'OverQuota' };
}
