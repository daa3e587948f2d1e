/*
 * Conditions about the paths that a guard admits. Information only: a path without a workspace admits no rules; if a workspace is made there later, its
 * rules are admitted. Pure.
 */
import { quote, type KubeObject, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { printFirst } from '@dep-ctrl/exported-types';
import { MOST_CONSENTS, type Guard, isConditionReason } from '@dep-ctrl/rule-registry';
import { conditionsIn, type DecidedCondition } from '../../own-objects/conditions.js';

/** The condition that is False if an admitted path leads to no workspace that binds dep-ctrl. Absent: all of them do. */
export const CONSENT_RESOLVED = 'ConsentResolved';

// A condition must fit into its schema, however many paths a guard admits.
const MOST_PATHS = 10;
const MOST_RULES_NAMED = 10;

/** The condition that says which rules a guard turns away. Absent: none. */
export const RULES_TURNED_AWAY = 'RulesTurnedAway';

/** Whether a path leads to a workspace that binds dep-ctrl; undefined: kcp has not been asked yet. */
export type IsBoundAt = (path: WorkspacePath) => boolean | undefined;

/**
 * The condition about admitted paths. A workspace that does not bind dep-ctrl and one that does not exist give the same text: the author of a guard learns
 * nothing that kcp would not tell. Until kcp was asked for all paths, the previous condition of this spec stays.
 */
export function consentRemarks(object: KubeObject, guard: Guard | undefined, isBoundAt: IsBoundAt): readonly DecidedCondition[] {
  if (guard === undefined || guard.allowRulesFrom === 'everyone') return [];
  if (guard.ignoredConsents > 0) return [tooMany(guard)];
  const answers = guard.allowRulesFrom.map((path) => ({ path, isBound: isBoundAt(path) }));
  if (answers.some(({ isBound }) => isBound === undefined)) return saidBefore(object);
  const nowhere = answers.filter(({ isBound }) => isBound === false);
  if (nowhere.length === 0) return [];
  const paths = nowhere.map(({ path }) => quote(path));
  const message = `allowRulesFrom names ${printFirst(paths, { most: MOST_PATHS })}, where no workspace binds dep-ctrl: that admits no rules yet; correct the path if it is a mistake`;
  return [{ type: CONSENT_RESOLVED, status: 'False', reason: 'NotBound', message }];
}

/** A rule that a guard does not admit. */
export interface TurnedAway {
  /** The path of its workspace, or the logical cluster where that is not known. */
  readonly author: string;
  readonly rule: string;
}

/** The condition that names the rules that a guard does not admit: after a typo in a path, the provider sees whose rules are not in force. */
export function turnedAwayRemarks(rules: readonly TurnedAway[]): readonly DecidedCondition[] {
  if (rules.length === 0) return [];
  const names = [...new Set(rules.map(({ author, rule }) => `${author}/${rule}`))].sort();
  const more = names.length > MOST_RULES_NAMED ? ' and others' : '';
  const message = `allowRulesFrom does not name the workspaces of the rules ${names.slice(0, MOST_RULES_NAMED).join(', ')}${more}: they are not in force here; add the paths of those workspaces to admit them`;
  return [{ type: RULES_TURNED_AWAY, status: 'True', reason: 'ConsentRefused', message }];
}

function tooMany({ ignoredConsents }: Guard): DecidedCondition {
  const message = `allowRulesFrom names ${MOST_CONSENTS + ignoredConsents} workspaces: the first ${MOST_CONSENTS} are admitted, remove those that are not needed`;
  return { type: CONSENT_RESOLVED, status: 'False', reason: 'OverBound', message };
}

function saidBefore(object: KubeObject): readonly DecidedCondition[] {
  return conditionsIn(object).flatMap(({ type, status, reason, message, observedGeneration }) => {
    const isOfThisSpec = type === CONSENT_RESOLVED && observedGeneration === object.metadata.generation;
    return isOfThisSpec && isConditionReason(reason) ? [{ type, status, reason, message }] : [];
  });
}
