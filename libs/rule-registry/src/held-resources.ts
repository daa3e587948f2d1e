// What a rule held before it was edited into something that cannot be read. The rule does not say any more who refers to it; that it was
// held stands in the status of the guard, which is there after a restart of everything.

import { printGroupResource, type GroupResource, type LogicalClusterName, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { admits } from './effective-rules.js';
import type { Guard, GuardRuleRef } from './guard.js';
import type { RejectedRule } from './rule-report.js';
import type { PathAnswers } from './workspace-map.js';

/** A resource of a guarded workspace that a rule held, and of which the rule cannot be understood any more. */
export interface HeldResource {
  readonly rule: RejectedRule;
  /** What the guard says that the rule held. */
  readonly ref: GuardRuleRef;
}

/** What a guard says that a rule held and that the rule leaves open now. A guard that does not admit the rule holds nothing for it. */
export function heldResources(guard: Guard, rule: RejectedRule, paths: PathAnswers): readonly HeldResource[] {
  if (!admits(guard, rule, paths)) return [];
  return guard.ruleRefs
    .filter(({ key, resource }) => key === rule.key && leavesOpen(rule, guard.cluster, resource, paths))
    .map((ref) => ({ rule, ref }));
}

/**
 * Whether a rule that cannot be read any more may have held a resource of a workspace whose guard does not say so: it is not there, or says
 * nothing yet (while one that was deleted by hand is made again, nobody knows), or its list was cut before it came to this rule. Of a rule
 * that it names, it names everything.
 */
export function mayHaveHeld(
  { guarded, guard }: { readonly guarded: LogicalClusterName; readonly guard: Guard | undefined },
  rule: RejectedRule,
  type: GroupResource,
  paths: PathAnswers,
): boolean {
  if (guard !== undefined && (guard.namesEveryRule || guard.ruleRefs.some(({ key }) => key === rule.key))) return false;
  return admits(guard, rule, paths) && leavesOpen(rule, guarded, printGroupResource(type), paths);
}

/** Whether a rule may say more about a resource than can be read: no target that can be read is about it, or one that cannot may be. */
function leavesOpen({ inForce, unreadable }: RejectedRule, guarded: LogicalClusterName, resource: string, paths: PathAnswers): boolean {
  const isAbout = (type: GroupResource | undefined, path: WorkspacePath | undefined): boolean =>
    (type === undefined || printGroupResource(type) === resource) &&
    (path === undefined || (paths.clustersOf(path)?.includes(guarded) ?? true));
  const isReadable = inForce?.dependencies.some((dependency) => isAbout(dependency, dependency.export.path)) ?? false;
  return !isReadable || unreadable.some(({ type, path }) => isAbout(type, path));
}
