import type { LogicalClusterName } from '@dep-ctrl/kcp-names';

/** The last path segment of each installed URL, by which the webhook knows that kcp is asking. */
export interface UrlTokens {
  of(guarded: LogicalClusterName): string;
  /** Calls back when they have become others and are to be installed, until the returned function is called. */
  subscribe(listener: () => void): () => void;
}
