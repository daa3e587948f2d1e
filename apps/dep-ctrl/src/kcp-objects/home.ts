import type { ClusterClient } from '@dep-ctrl/kcp-client';

/** The export that a process works for, and its workspace: that of dep-ctrl. */
export interface Home {
  readonly exportName: string;
  readonly workspace: ClusterClient;
}
