import type { Waiting } from '@dep-ctrl/kcp-client';
import type { WorkspacePath } from '@dep-ctrl/kcp-names';
import type { Bound } from '@dep-ctrl/exported-types';

interface Undo {
  readonly path: WorkspacePath;
  readonly run: (options: Waiting) => Promise<unknown>;
  readonly isHeldByOthers: boolean;
}

/** What `dev` has made, so that it takes back that and nothing else. */
export class Made {
  readonly #undos: Undo[] = [];
  readonly #workspaces = new Set<WorkspacePath>();

  /** Notes a workspace that was made. */
  noteWorkspace(path: WorkspacePath): void {
    this.#workspaces.add(path);
  }

  /** Whether the workspace was made. */
  hasMade(path: WorkspacePath): boolean {
    return this.#workspaces.has(path);
  }

  /** Notes how to undo what was made in a workspace; what was there before is not noted. */
  note(ensured: Bound, path: WorkspacePath, run: Undo['run']): void {
    if (ensured === 'created') this.#undos.push({ path, run, isHeldByOthers: false });
  }

  /** The same for what must go before its workspace can: something else holds it, or it holds something else. */
  noteHeld(ensured: Bound, path: WorkspacePath, run: Undo['run']): void {
    if (ensured === 'created') this.#undos.push({ path, run, isHeldByOthers: true });
  }

  /** What to run, newest first. In workspaces that are removed as a whole only what would hold them up. */
  undosBeside(removed: readonly WorkspacePath[]): readonly Undo['run'][] {
    const goes = (path: WorkspacePath) => removed.some((each) => path === each || path.startsWith(`${each}:`));
    return this.#undos
      .filter(({ path, isHeldByOthers }) => isHeldByOthers || !goes(path))
      .map(({ run }) => run)
      .reverse();
  }
}
