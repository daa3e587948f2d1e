import type { Waiting } from '@dep-ctrl/kcp-client';
import type { WorkspacePath } from '@dep-ctrl/kcp-names';
import type { Bound } from '@dep-ctrl/exported-types';

interface Undo {
  readonly path: WorkspacePath;
  readonly run: (options: Waiting) => Promise<unknown>;
  readonly isHeldByOthers: boolean;
}

/** The objects that `dev` has made, so that it removes those and nothing else. */
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

  /** The same for an object that must be removed before its workspace: it holds another object, or another one holds it. */
  noteHeld(ensured: Bound, path: WorkspacePath, run: Undo['run']): void {
    if (ensured === 'created') this.#undos.push({ path, run, isHeldByOthers: true });
  }

  /** The steps to run, newest first. In workspaces that are removed as a whole, only for objects that would hold them up. */
  undosBeside(removed: readonly WorkspacePath[]): readonly Undo['run'][] {
    const goes = (path: WorkspacePath) => removed.some((each) => path === each || path.startsWith(`${each}:`));
    return this.#undos
      .filter(({ path, isHeldByOthers }) => isHeldByOthers || !goes(path))
      .map(({ run }) => run)
      .reverse();
  }
}
