import type { LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';

/** What a workspace path means now. Expected answers are values; only an abort is thrown. */
export type Resolution =
  | {
      readonly state: 'found';
      readonly cluster: LogicalClusterName;
      /** The source of the answer. `name`: the path has one segment and is the name itself. */
      readonly from: 'name' | 'workspaces' | 'logicalcluster';
      /** The workspace has a deletionTimestamp. Phases are not asked: kcp 0.30 and 0.31 keep a dying workspace Ready. */
      readonly terminating: boolean;
      /** Of the Workspace or the LogicalCluster, where one was read. */
      readonly uid?: string;
    }
  /** `path` does not exist; it is the asked path or one above it. */
  | { readonly state: 'missing'; readonly path: WorkspacePath }
  /** `workspace` may not be looked into: kcp does not tell "unknown" from "forbidden". */
  | {
      readonly state: 'forbidden';
      readonly workspace: WorkspacePath;
      readonly missing: string;
      readonly grant: string;
      /**
       * kcp answered that it knows no workspace at the asked path. Likely a typo, and no proof: a shard says so while it starts, and of what
       * lives on another shard.
       */
      readonly isUnknown: boolean;
    }
  | { readonly state: 'unreachable'; readonly problem: string; readonly retryable: true };

/** The right that reading Workspace objects takes, and the ClusterRoles that grant it. They exist in every kcp. */
const READ_WORKSPACES = {
  missing: 'list workspaces.tenancy.kcp.io, and access on /',
  grant: 'ClusterRoles system:kcp:tenancy:reader and system:kcp:workspace:access',
} as const;

/** The answer for a parent whose Workspace objects may not be listed. */
export function forbiddenIn(workspace: WorkspacePath, { isUnknown }: { readonly isUnknown: boolean }): Resolution {
  return { state: 'forbidden', workspace, ...READ_WORKSPACES, isUnknown };
}

/** One line for people: why a path has no cluster, and what to do. */
export function printResolution(path: WorkspacePath, resolution: Resolution): string {
  switch (resolution.state) {
    case 'found':
      return `workspace "${path}" is logical cluster ${resolution.cluster}`;
    case 'missing':
      return resolution.path === path
        ? `workspace "${path}" does not exist`
        : `workspace "${path}" does not exist: there is no "${resolution.path}"`;
    case 'forbidden':
      return `${whatIsUnclear(path, resolution)}: may not ${resolution.missing} in "${resolution.workspace}": bind ${resolution.grant} there`;
    case 'unreachable':
      return `cannot look up workspace "${path}": ${resolution.problem}`;
    default:
      return resolution satisfies never;
  }
}

function whatIsUnclear(path: WorkspacePath, { isUnknown }: { readonly isUnknown: boolean }): string {
  return isUnknown ? `kcp knows no workspace "${path}" now, and cannot be asked for sure` : `cannot look up workspace "${path}"`;
}
