/*
 * What a provider should know of the workspaces that its guard admits. Information only: a path that names no workspace admits nobody, and
 * whoever makes one there later is admitted. Pure.
 */
import { quote, type KubeObject } from '@dep-ctrl/kcp-names';
import type { Guard, PathAnswers } from '@dep-ctrl/rule-registry';
import { conditionsIn, type DecidedCondition } from '../../kcp-objects/conditions.js';

/** The condition that says whether every admitted path names a workspace. Absent: it does, as far as anybody can tell. */
export const CONSENT_RESOLVED = 'ConsentResolved';

// A condition must fit into its schema, however many paths a guard admits.
const MOST_PATHS = 10;

/** The conditions that say so. While nobody can tell about one of the paths, what was said before of this spec stands. */
export function consentRemarks(object: KubeObject, guard: Guard | undefined, paths: PathAnswers): readonly DecidedCondition[] {
  if (guard === undefined || guard.allowRulesFrom === 'everyone') return [];
  const nowhere = guard.allowRulesFrom.filter((path) => paths.clustersOf(path)?.length === 0);
  if (nowhere.length === 0 && guard.allowRulesFrom.some((path) => paths.clustersOf(path) === undefined)) return saidBefore(object);
  if (nowhere.length === 0) return [];
  const named = nowhere.slice(0, MOST_PATHS).map((path) => quote(path));
  const more = nowhere.length > MOST_PATHS ? ` and ${nowhere.length - MOST_PATHS} more` : '';
  const message = `allowRulesFrom names ${named.join(', ')}${more}, where there is no workspace: nobody is admitted by that; correct the path if it is a mistake`;
  return [{ type: CONSENT_RESOLVED, status: 'False', reason: 'WorkspaceNotFound', message }];
}

function saidBefore(object: KubeObject): readonly DecidedCondition[] {
  return conditionsIn(object).filter(
    ({ type, observedGeneration }) => type === CONSENT_RESOLVED && observedGeneration === object.metadata.generation,
  );
}
