// Whether a refusal of a workspace lasts. kcp answers 403 both for a right that is missing and for a workspace that not every part of it knows yet, so a
// refusal is tried again for a while. It lasts if the user may enter the workspace, or if the workspace is old: then there is nothing to wait for.
import { isKcpError, type Clock, type ClusterClient } from '@dep-ctrl/kcp-client';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { mayEnter } from './own-rights.js';

/** Much longer than any part of kcp needs to learn of a workspace, and than clocks differ. */
const FRESH_MS = 120_000;
/** Front-proxies learn of a workspace one after the other: for this long one may still refuse where another let these credentials in. */
const BELIEVED_AFTER_MS = 1_000;
/** How long after a workspace is ready the front-proxy may not know of it yet. */
export const KNOWN_WITHIN_MS = 3_000;

/** Whether the failure, of a call inside the workspace, is a refusal that lasts; `workspace` is its object in the parent, where that can be read. */
export type IsLasting = (error: unknown, workspace?: KubeObject) => Promise<boolean>;

/** Judges the refusals of one workspace, one after the other. */
export function judgeRefusals(
  client: ClusterClient,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): IsLasting {
  let refusedAtMs: number | undefined;
  let enteredAtMs: number | undefined;
  return async (error, workspace) => {
    if (!isKcpError(error, 'forbidden')) return false;
    const createdMs = Date.parse(workspace?.metadata.creationTimestamp ?? '');
    if (clock.now() - createdMs > FRESH_MS) return true;
    refusedAtMs ??= clock.monotonic();
    if (isReady(workspace) && clock.monotonic() - refusedAtMs > KNOWN_WITHIN_MS) return true;
    if (enteredAtMs === undefined && (await mayEnter(client, { signal }))) enteredAtMs = clock.monotonic();
    return enteredAtMs !== undefined && clock.monotonic() - enteredAtMs > BELIEVED_AFTER_MS;
  };
}

function isReady(workspace: KubeObject | undefined): boolean {
  return (workspace?.['status'] as { readonly phase?: string } | undefined)?.phase === 'Ready';
}
