// `all` keeps its CA and token in Secrets of the workspace of its kubeconfig. Only a workspace with the export is the workspace of dep-ctrl: any other one
// may belong to other people, so nothing is written there.
import { isKcpError } from '@dep-ctrl/kcp-client';
import { API_EXPORT_ENDPOINT_SLICES, getIfExists } from '@dep-ctrl/kcp-objects';
import type { Home } from '../command-line/connect.js';

/** What to wait for before anything is written into the workspace, for people; undefined once the export is there, or if it may not be read. */
export async function awaitedExport(
  { exportName, workspace }: Home,
  options: { readonly signal: AbortSignal },
): Promise<string | undefined> {
  try {
    // The slice is kcp's, made beside the export, and what the roles may read.
    const slice = await getIfExists(workspace, API_EXPORT_ENDPOINT_SLICES, { name: exportName }, options);
    if (slice !== undefined) return undefined;
  } catch (error) {
    if (isKcpError(error, 'forbidden')) return undefined;
    throw error;
  }
  const where = workspace.address === undefined ? 'the workspace of the kubeconfig' : `workspace "${workspace.address}"`;
  return `APIExport ${exportName} in ${where}: "dep-ctrl bootstrap" makes it; if that is not the workspace of dep-ctrl, give --kubeconfig one that points there`;
}
