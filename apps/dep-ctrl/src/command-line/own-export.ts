import type { Connection, Stoppable } from '@dep-ctrl/kcp-client';
import { lookForNamed, type Doubt, type NamedWorkspace, type WantedObject } from '@dep-ctrl/kcp-objects';

/**
 * Looks for the export of dep-ctrl, or its endpoint slice, in the workspace that the user named. Throws if that is certainly the wrong workspace. Answers
 * with a doubt if that cannot be known.
 */
export function lookForExport(
  connection: Connection,
  named: NamedWorkspace,
  wanted: Omit<WantedObject, 'whose' | 'cure'> & Partial<Pick<WantedObject, 'cure'>>,
  options: Stoppable,
): Promise<Doubt | undefined> {
  const { path } = named;
  // What has no parent cannot be made, and in root bootstrap makes nothing.
  const cure = path.includes(':') ? `; dep-ctrl bootstrap --workspace ${path} makes it` : '';
  return lookForNamed(connection, named, { whose: 'dep-ctrl', cure, ...wanted }, options);
}
