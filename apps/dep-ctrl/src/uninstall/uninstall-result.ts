import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { HeldWorkspace } from '../teardown-type/held-workspaces.js';
import type { OtherInstallation } from './other-installations.js';
import type { Removed } from './remove-in-order.js';
import type { Staying } from './what-stays.js';

/** What `uninstall` prints. */
export interface UninstallResult {
  /** The logical cluster that what was looked for names as its owner, where its workspace is gone. */
  readonly goneOwner?: LogicalClusterName;
  readonly removals: readonly Removed[];
  /** Places that could not be looked at. */
  readonly problems: readonly string[];
  /** Installations that have configurations on the shards that were looked at, too. */
  readonly others: readonly OtherInstallation[];
  /** What is not ours to remove, or of no harm, with the command that removes it; none after a removal that left something. */
  readonly stays: readonly Staying[];
  /** Workspaces that carry the terminator of the ordered teardown, on the shards that were looked at. */
  readonly held: readonly HeldWorkspace[];
  /** WorkspaceTypes there that extend the one of the ordered teardown: kcp makes no workspace of them once it is gone. */
  readonly extending: readonly string[];
  /** With --dry-run: why it would stop before it removes anything. */
  readonly stop?: string;
}

const DONE = {
  'delete-admission': 'removed',
  'delete-configuration': 'removed',
  'delete-guard': 'removed',
  'release-guard': 'released',
  'mark-rule': 'marked as Uninstalled',
  'delete-right': 'removed',
  'delete-protection': 'removed',
  'delete-type': 'removed',
} as const;

/** The result for people: a line each. */
export function asText({ goneOwner, removals, problems, others, stays, stop }: UninstallResult): string {
  const lines = removals.map(({ cluster, path, action, name, place, state, problem }) => {
    const done = DONE[action];
    const outcome = { planned: `would be ${done}`, done, failed: `not ${done}: ${problem ?? ''}` }[state];
    if (action === 'delete-right') return `${name}, ${place}: ${outcome}\n`;
    return `${path === undefined ? cluster : `${path} (${cluster})`}: ${objectOf(action, name)} ${outcome}\n`;
  });
  const isClean = problems.length === 0 && removals.every(({ state }) => state === 'done') && !stays.some(({ refuses }) => refuses);
  return [
    ...lines,
    ...problems.map((problem) => `cannot look at ${problem}\n`),
    ...(isClean ? [`no configuration and no guard of ${whose(goneOwner, others)} is left\n`] : []),
    ...stays.map(({ what, removedBy }) => `stays: ${what}: ${removedBy}\n`),
    ...(stop === undefined ? [] : [`it would stop, and remove nothing: ${stop}\n`]),
  ].join('');
}

/** The name of the installation in the last line. */
function whose(goneOwner: UninstallResult['goneOwner'], others: UninstallResult['others']): string {
  if (goneOwner !== undefined) return `the installation "${goneOwner}"`;
  return others.length > 0 ? 'this installation' : 'dep-ctrl';
}

function objectOf(action: Exclude<Removed['action'], 'delete-right'>, name: string): string {
  switch (action) {
    case 'delete-admission':
      return 'admission configuration';
    case 'delete-configuration':
      return 'configuration';
    case 'delete-guard':
      return 'guard';
    case 'release-guard':
      return "provider's guard";
    case 'mark-rule':
      return `rule ${name}`;
    case 'delete-type':
      return `WorkspaceType ${name}`;
    case 'delete-protection':
      return name;
    default:
      return action satisfies never;
  }
}
