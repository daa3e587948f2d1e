import type { ClusterClient, Stoppable } from '@dep-ctrl/kcp-client';
import type { LogicalClusterName, Parsed, WorkspacePath } from '@dep-ctrl/kcp-names';

/** A workspace that waits for the entry of this controller. */
export interface WaitingWorkspace {
  /** Its identity: no other workspace ever has this name. */
  readonly cluster: LogicalClusterName;
  /** When it was deleted; undefined for one that is being prepared. */
  readonly deletionTimestamp: string | undefined;
  /** Its content, through the virtual workspace. No use outside of this run: what comes after its end is refused. */
  readonly client: ClusterClient;
  /** How often the function was called for it before, by this process. */
  readonly earlierRuns: number;
  /**
   * Asks kcp for its path. Only with rights in the workspace or in its parents there is an answer; a path that an object carries is never believed. Throws
   * only the reason of the signal.
   */
  readonly path: (options: Stoppable) => Promise<Parsed<WorkspacePath>>;
}

/** The author is not done: the function is to be called again. */
export interface AgainLater {
  readonly againMs: number;
}

/**
 * Does what has to be done before the workspace may go (or be used). When it returns nothing, the entry is removed. It is called again after it threw, after
 * it took too long, after it answered `againMs`, and in every process that starts while the workspace waits: it has to be able to go on where it was.
 */
export type LifecycleHandler = (workspace: WaitingWorkspace, options: Stoppable) => Promise<AgainLater | undefined> | Promise<void>;
