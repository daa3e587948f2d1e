import type { LogicalClusterName } from '@dep-ctrl/kcp-names';

/** Workspaces that are proven gone: for everybody, or for single guarded workspaces. A workspace that binds again is not gone any more. */
export class GoneWorkspaces {
  readonly #everywhere = new Set<LogicalClusterName>();
  /** By author the guarded workspaces at which it is proven gone. */
  readonly #at = new Map<LogicalClusterName, Set<LogicalClusterName>>();

  add(cluster: LogicalClusterName): void {
    this.#everywhere.add(cluster);
  }

  /** A proof counts only for the guarded workspace to which it belongs. */
  addAt(guarded: LogicalClusterName, author: LogicalClusterName): void {
    this.#at.set(author, (this.#at.get(author) ?? new Set<LogicalClusterName>()).add(guarded));
  }

  delete(cluster: LogicalClusterName): void {
    this.#everywhere.delete(cluster);
    this.#at.delete(cluster);
  }

  /** Whether the workspace of an author is proven gone, as far as a guarded workspace is concerned. */
  has(author: LogicalClusterName, guarded: LogicalClusterName): boolean {
    return this.#everywhere.has(author) || (this.#at.get(author)?.has(guarded) ?? false);
  }
}
