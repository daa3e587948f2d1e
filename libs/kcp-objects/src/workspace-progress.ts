// How far a new workspace is, as its logical cluster says.
import { elements, isRecord, recordAt, text, type KubeObject, type WorkspacePath } from '@dep-ctrl/kcp-names';

/** How far a workspace is. A stuck one needs somebody: kcp would try for ever. */
export type WorkspaceProgress =
  | { readonly state: 'ready' }
  | { readonly state: 'under-way'; readonly saying: string }
  | { readonly state: 'stuck'; readonly problem: string };

// kcp binds the APIs of a new workspace in the name of whom it keeps as its maker, and of system:masters it keeps none.
const BINDS_APIS = 'system:apibindings';
const OWNER = 'experimental.tenancy.kcp.io/owner';

/** Why a workspace would never get ready, and what to do. */
export const WITHOUT_OWNER =
  'kcp keeps no owner for what a member of system:masters makes; use the kubeconfig or the context of another admin, such as a member of system:kcp:admin';

/** Pure. */
export function readProgress(path: WorkspacePath, logicalCluster: KubeObject): WorkspaceProgress {
  const status = recordAt(logicalCluster, 'status');
  const phase = text(status['phase']) ?? '';
  if (phase === 'Ready') return { state: 'ready' };
  if (elements(status['initializers']).includes(BINDS_APIS) && !hasMaker(logicalCluster)) {
    return {
      state: 'stuck',
      problem: `workspace "${path}" never gets ready: ${WITHOUT_OWNER}; delete it first: "kubectl delete workspace ${path.slice(path.lastIndexOf(':') + 1)}" in its parent`,
    };
  }
  const failure = failureOf(status['conditions']);
  return { state: 'under-way', saying: `its phase is "${phase}"${failure === undefined ? '' : `: ${failure}`}` };
}

/** Whether kcp keeps somebody as the maker of a Workspace, or of its logical cluster. The annotation says it since before 0.30, the field since 0.32. */
export function hasMaker(object: KubeObject): boolean {
  return object.metadata.annotations?.[OWNER] !== undefined || recordAt(object, 'spec')['createdBy'] !== undefined;
}

/** What kcp says in the first of the conditions that it calls an error. */
function failureOf(conditions: unknown): string | undefined {
  const errors = elements(conditions)
    .filter(isRecord)
    .filter(({ status, severity }) => status === 'False' && severity === 'Error');
  return errors.map(({ message }) => text(message)).find((message) => message !== undefined);
}
