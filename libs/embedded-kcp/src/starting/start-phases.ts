// What a shard answers while it starts, as a kcp v0.32.3 was seen to (killed and started again, asked for objects that it had, 8 times a second, twice):
// never with a 404 that names the object.
import type { DelayName } from '../background/delays.js';
import type { ResourceOrigin } from '../machinery/resources/resource-definition.js';

/** The pauses of a start, each from its beginning. */
export type StartPause = Exclude<Extract<DelayName, `start${string}`>, 'startListening' | 'startStep'>;

/** How a request came: by the path of a workspace, by the name of a logical cluster for a type of some origin, or through a virtual workspace. */
export type Door =
  | { readonly by: 'path' }
  | { readonly by: 'name'; readonly type: ResourceOrigin['kind'] }
  | { readonly by: 'view'; readonly target: 'one' | 'all' };

/** An answer of a shard that starts; `served`: as always. */
export type StartAnswer =
  /** 404 with a Status about the workspace. */
  | 'workspace-not-found'
  /** 403 in the words of every missing right. */
  | 'access-denied'
  /** 503: not all paths are installed. */
  | 'no-paths-yet'
  /** 404 in plain text. */
  | 'page-not-found'
  /** 500 in plain text: no export of that name. */
  | 'export-not-found'
  | 'served';

/** How a shard answers so long after the beginning of its start. Pure. */
export function answerWhileStarting(
  sinceMs: number,
  door: Door,
  { isMasters, pause }: { readonly isMasters: boolean; readonly pause: (name: StartPause) => number },
): StartAnswer {
  const isPast = (name: StartPause): boolean => sinceMs >= pause(name);
  switch (door.by) {
    case 'path':
      return isPast('startPaths') ? 'served' : 'workspace-not-found';
    case 'name':
      if (!isMasters && !isPast('startRights')) return 'access-denied';
      if (door.type !== 'builtin' && !isPast('startInstalled')) return 'no-paths-yet';
      return door.type === 'bound' && !isPast('startBoundTypes') ? 'page-not-found' : 'served';
    case 'view':
      if (isPast('startViews')) return 'served';
      if (isMasters) return 'page-not-found';
      if (door.target === 'all' && !isPast('startRights')) return 'access-denied';
      if (!isPast('startExports')) return 'export-not-found';
      return door.target === 'one' && !isPast('startBoundTypes') ? 'access-denied' : 'page-not-found';
    default:
      return door satisfies never;
  }
}
