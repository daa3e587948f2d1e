// Work in a workspace that may be new: until the workspace is ready, kcp refuses requests with the same answer as for a workspace that does not exist.
import type { Connection, Stoppable, Waiting } from '@dep-ctrl/kcp-client';
import { splitWorkspacePath, type KubeObject, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { getIfExists } from './ensure-object.js';
import { READY_WITHIN_MS } from './ensure-workspace.js';
import { judgeRefusals, KNOWN_WITHIN_MS } from './lasting-refusal.js';
import { isRefusal } from './surely-missing.js';
import { WORKSPACES } from './kcp-types.js';
import { until } from './until.js';

/** Does what needs the workspace, again and again while that is refused and its parent says that kcp is still making it. */
export async function onceReady<T>(
  connection: Connection,
  path: WorkspacePath,
  work: () => Promise<T>,
  { clock, signal }: Waiting,
): Promise<T> {
  const isLasting = judgeRefusals(connection.cluster(path), { clock, signal });
  let readySince: number | undefined;
  const attempt = async () => {
    try {
      return { done: await work() };
    } catch (error) {
      const workspace = isRefusal(error) ? await objectOf(connection, path, { signal }) : undefined;
      if (workspace === undefined) throw error;
      const { phase = '' } = (workspace['status'] ?? {}) as { readonly phase?: string };
      if (phase === 'Ready') readySince ??= clock.monotonic();
      if (readySince !== undefined && clock.monotonic() - readySince > KNOWN_WITHIN_MS) throw error;
      if (readySince !== undefined && (await isLasting(error, workspace))) throw error;
      return { waitingFor: `its phase is "${phase}"` };
    }
  };
  return until(`workspace "${path}" getting ready`, attempt, { clock, signal, timeoutMs: READY_WITHIN_MS });
}

/** What its parent says; undefined where that does not tell, or the workspace is on its way out. */
async function objectOf(connection: Connection, path: WorkspacePath, options: Stoppable): Promise<KubeObject | undefined> {
  const split = splitWorkspacePath(path);
  if (split === undefined) return undefined;
  try {
    const workspace = await getIfExists(connection.cluster(split.parent), WORKSPACES, { name: split.name }, options);
    return workspace?.metadata.deletionTimestamp === undefined ? workspace : undefined;
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}
