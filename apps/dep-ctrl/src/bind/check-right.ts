import type { Connection, KcpError } from '@dep-ctrl/kcp-client';
import type { WorkspacePath } from '@dep-ctrl/kcp-names';
import { API_BINDINGS, API_EXPORTS, holdingOf, type Doubt } from '@dep-ctrl/kcp-objects';
import { EXPORT_NAME } from '@dep-ctrl/rule-registry';
import { BIND_ROLE } from '../bootstrap/manifests.js';
import { describeRole } from '../command-line/missing-role.js';

/** A binding that kcp refused. */
export interface RefusedBinding {
  readonly path: WorkspacePath;
  /** The workspace of dep-ctrl. */
  readonly home: WorkspacePath;
  readonly refusal: KcpError;
  readonly doubt: Doubt | undefined;
}

/**
 * kcp says the same of an export that it does not know yet and of one that these credentials may not bind. Throws where it is the right that is missing,
 * with the role. In the workspace of the provider a missing right is told by what is refused there.
 */
export async function checkRightToBind(
  connection: Connection,
  { path, home, refusal, doubt }: RefusedBinding,
  options: { readonly signal: AbortSignal },
): Promise<void> {
  const inside = ['get', 'create', 'update'].map((verb) => holdingOf(connection.cluster(path), { verb, type: API_BINDINGS }, options));
  if ((await Promise.all(inside)).some((holding) => holding !== 'held')) throw refusal;
  const toBind = { verb: 'bind', type: API_EXPORTS, name: EXPORT_NAME };
  if ((await holdingOf(connection.cluster(home), toBind, options)) === 'held') return;
  const says = doubt?.text ?? `these credentials may not bind the export of dep-ctrl in workspace "${home}"`;
  throw new Error(`${says}; ${describeRole({ path: home, clusterRole: BIND_ROLE }, connection.baseUrl)}`);
}
