import type { Removed } from './remove-in-order.js';
import type { Staying } from './what-stays.js';

/** What `uninstall` prints. */
export interface UninstallResult {
  readonly removals: readonly Removed[];
  /** Places that could not be looked at. */
  readonly problems: readonly string[];
  /** What is not ours to remove, or of no harm, with the command that removes it. */
  readonly stays: readonly Staying[];
}

const OBJECTS = {
  'delete-configuration': 'configuration',
  'delete-guard': 'guard',
  'release-guard': "provider's guard",
} as const;

/** The result for people: a line each. */
export function asText({ removals, problems, stays }: UninstallResult): string {
  const lines = removals.map(({ cluster, path, action, name, place, state, problem }) => {
    const where = action === 'delete-right' ? `${name}, ${place}` : path === undefined ? cluster : `${path} (${cluster})`;
    const done = action === 'release-guard' ? 'released' : 'removed';
    const outcome = { planned: `would be ${done}`, done, failed: `not ${done}: ${problem ?? ''}` }[state];
    return action === 'delete-right' ? `${where}: ${outcome}\n` : `${where}: ${OBJECTS[action]} ${outcome}\n`;
  });
  const isClean = problems.length === 0 && removals.every(({ state }) => state === 'done');
  return [
    ...lines,
    ...problems.map((problem) => `cannot look at ${problem}\n`),
    ...(isClean ? ['no configuration and no guard of dep-ctrl is left\n'] : []),
    ...stays.map(({ what, removedBy }) => `stays: ${what}: ${removedBy}\n`),
  ].join('');
}
