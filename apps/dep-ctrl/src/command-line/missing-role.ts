// What to ask an admin for, where kcp refuses for want of a right.
import { isKcpError, type KcpError } from '@dep-ctrl/kcp-client';
import type { LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';
import { describeFailure } from '@dep-ctrl/command-settings';

/** A ClusterRole that the user lacks in a workspace. */
export interface MissingRole {
  readonly path: LogicalClusterName | WorkspacePath;
  readonly clusterRole: string;
}

/** The role, and the command with which an admin of the workspace grants it. */
export function describeRole({ path, clusterRole }: MissingRole, baseUrl: string): string {
  const grant = `create clusterrolebinding ${clusterRole}:NAME --clusterrole ${clusterRole} --user NAME`;
  return `role missing: ${clusterRole} in ${path}, which an admin there grants: kubectl --server ${baseUrl}/clusters/${path} ${grant}`;
}

/** The failure with the role that mends it, where kcp refused for want of a right; any other failure as it is. */
export function withRole(error: unknown, role: MissingRole, baseUrl: string): unknown {
  return refusalIn(error) === undefined ? error : new Error(`${describeFailure(error)}; ${describeRole(role, baseUrl)}`);
}

// Admission refuses whoever asks: no role would help.
const BY_ADMISSION = /this namespace may not be deleted|admission webhook ".*" denied|ValidatingAdmissionPolicy '.*' with binding/;

/** The 403 of kcp behind a failure, for want of a right. */
export function refusalIn(error: unknown): KcpError | undefined {
  if (isKcpError(error, 'forbidden')) return BY_ADMISSION.test(error.message) ? undefined : error;
  if (error instanceof AggregateError) return error.errors.map(refusalIn).find((each) => each !== undefined);
  return error instanceof Error ? refusalIn(error.cause) : undefined;
}
