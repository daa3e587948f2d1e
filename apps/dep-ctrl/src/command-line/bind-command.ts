// The `dep-ctrl bind` command line for texts that people read. Pure.
import { parseWorkspacePath, type LogicalClusterName, type WorkspacePath } from '@dep-ctrl/kcp-names';

/** The default workspace of dep-ctrl. */
const USUAL_HOME = 'root:dep-ctrl';

/** The path of dep-ctrl's workspace; undefined if the kubeconfig names a logical cluster instead. */
export function homePathOf(workspace: LogicalClusterName | WorkspacePath | undefined): WorkspacePath | undefined {
  const path = parseWorkspacePath(workspace ?? '');
  return path.ok && path.value.includes(':') ? path.value : undefined;
}

/** `dep-ctrl bind root:network`, with the workspace of dep-ctrl where that is not the usual one. */
export function bindCommand(provider: LogicalClusterName | WorkspacePath, home: WorkspacePath | undefined): string {
  return `dep-ctrl bind ${provider}${home === undefined || home === USUAL_HOME ? '' : ` --workspace ${home}`}`;
}
