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
  const { path, flags = [] } = named;
  // What has no parent cannot be made, and in root bootstrap makes nothing.
  const cure = path.includes(':') ? `; ${ifElsewhere(named.by)}, run: ${['dep-ctrl bootstrap --workspace', path, ...flags].join(' ')}` : '';
  return lookForNamed(connection, named, { whose: 'dep-ctrl', cure, ...wanted }, options);
}

/** What comes before a proposal to install: a path that was mistyped must not make a second installation. */
export function ifElsewhere(by: string): string {
  return `if dep-ctrl is in another workspace, give that as ${by}; if it is not installed yet`;
}
