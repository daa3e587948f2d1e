import type { Connection, Stoppable, Waiting } from '@dep-ctrl/kcp-client';
import { splitWorkspacePath, type WorkspacePath } from '@dep-ctrl/kcp-names';
import {
  describeMissing,
  doubtAbout,
  inside,
  lookForWorkspace,
  NAME_WITHIN_MS,
  type NamedWorkspace,
  type Probed,
  until,
} from '@dep-ctrl/kcp-objects';

/** Makes a workspace if its parent exists. A workspace that is given by the name of its logical cluster cannot be made: it must exist. */
export async function inItsPlace<T>(
  connection: Connection,
  workspace: WorkspacePath,
  make: () => Promise<T>,
  { clock, signal, flags }: Waiting & Pick<NamedWorkspace, 'flags'>,
): Promise<T> {
  const split = splitWorkspacePath(workspace);
  if (split !== undefined)
    return inside(connection, { path: split.parent, by: 'the parent of --workspace', ...(flags && { flags }) }, make, { signal });
  const patience = { clock, signal, timeoutMs: NAME_WITHIN_MS };
  await until(`an answer of "${workspace}"`, (each) => probeNamed(connection, workspace, each), patience);
  return make();
}

async function probeNamed(connection: Connection, workspace: WorkspacePath, options: Stoppable): Promise<Probed<true>> {
  const named = { path: workspace, by: '--workspace' };
  const sighting = await lookForWorkspace(connection, workspace, options);
  if (sighting.state === 'missing') throw new Error(describeMissing(named, sighting.path, connection.baseUrl));
  return sighting.state === 'there' ? { done: true } : { waitingFor: doubtAbout(named, sighting, 'enter it').text };
}
