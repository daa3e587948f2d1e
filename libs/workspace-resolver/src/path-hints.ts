import type { LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';
import type { VirtualWorkspaceUrl } from '@dep-ctrl/kcp-client';

/** What a binding says about the path of its workspace. */
export interface PathHint {
  readonly cluster: LogicalClusterName;
  readonly path: WorkspacePath;
}

/**
 * The paths that APIBindings carry. The admin of a workspace can write any text there, so a hint says which path to ask kcp for, and never
 * what the answer is.
 */
export class PathHints {
  readonly #hints = new Map<string, PathHint>();

  /** Every hint, the bindings in the order in which they were first seen. */
  all(): Iterable<PathHint> {
    return this.#hints.values();
  }

  /** Takes in what one binding says. Answers whether that is news. */
  see(endpoint: VirtualWorkspaceUrl, binding: string, hint: PathHint): boolean {
    const key = keyOf(endpoint, binding, hint.cluster);
    const before = this.#hints.get(key);
    this.#hints.set(key, hint);
    return before?.path !== hint.path;
  }

  /** Forgets a binding. */
  forget(endpoint: VirtualWorkspaceUrl, binding: string, cluster: LogicalClusterName): void {
    this.#hints.delete(keyOf(endpoint, binding, cluster));
  }

  /** Forgets what earlier lists of an endpoint showed. */
  forgetEndpoint(endpoint: VirtualWorkspaceUrl): void {
    for (const key of [...this.#hints.keys()]) if (key.startsWith(`${endpoint} `)) this.#hints.delete(key);
  }
}

function keyOf(endpoint: VirtualWorkspaceUrl, binding: string, cluster: LogicalClusterName): string {
  return `${endpoint} ${cluster}/${binding}`;
}
