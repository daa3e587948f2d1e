/* eslint-disable no-console -- a program that says what it found */
// Needs KUBECONFIG: of a user who may list the workspaces of "root", such as the admin of a kcp.
import { Connection } from '@dep-ctrl/kcp-client';
import { loadKubeconfig } from '@dep-ctrl/kcp-client/kubeconfig';
import { parseWorkspacePath } from '@dep-ctrl/kcp-names';
import { printResolution, WorkspaceResolver } from '@dep-ctrl/workspace-resolver';

const loaded = loadKubeconfig();
if (!loaded.ok) throw new Error(loaded.problem);
const connection = new Connection(loaded.value);
const resolver = new WorkspaceResolver({ connection });

for (const text of ['root:network', 'root:nework']) {
  const path = parseWorkspacePath(text);
  if (!path.ok) throw new Error(path.problem);
  const resolution = await resolver.resolve(path.value, { signal: AbortSignal.timeout(5_000) });
  console.log(resolution.state === 'found' ? `${text} is logical cluster ${resolution.cluster}` : printResolution(path.value, resolution));
}
// root:network is logical cluster 1k7ez4pisisnd9rg
// workspace "root:nework" does not exist
await connection.close();
