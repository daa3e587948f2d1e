// The command line that binds a provider, as texts for people name it. Pure.
import { parseWorkspacePath, type LogicalClusterName, type WorkspacePath } from '@dep-ctrl/kcp-names';

/** Where dep-ctrl lives unless somebody says otherwise. */
const USUAL_HOME = 'root:dep-ctrl';

/** The path of dep-ctrl's workspace as far as its kubeconfig tells: it may name a logical cluster, which bindings to the path do not. */
export function homePathOf(workspace: LogicalClusterName | WorkspacePath | undefined): WorkspacePath | undefined {
  const path = parseWorkspacePath(workspace ?? '');
  return path.ok && path.value.includes(':') ? path.value : undefined;
}

/** `dep-ctrl bind root:network`, with the workspace of dep-ctrl where that is not the usual one. */
export function bindCommand(provider: LogicalClusterName | WorkspacePath, home: WorkspacePath | undefined): string {
  return `dep-ctrl bind ${provider}${home === undefined || home === USUAL_HOME ? '' : ` --workspace ${home}`}`;
}
