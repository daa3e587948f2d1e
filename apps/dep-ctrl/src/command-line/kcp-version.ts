// The version of kcp, as far as kcp says it: one that was built without says none.
import { isKcpError, type Connection, type Stoppable } from '@dep-ctrl/kcp-client';
import type { WorkspacePath } from '@dep-ctrl/kcp-names';

/** Major and minor. */
export type KcpVersion = readonly [major: number, minor: number];

/** The version in such a text as "v1.36.0+kcp-v0.32.3" if it is older than that; undefined if it is not, or if it is not known. */
export function olderThan([major, minor]: KcpVersion, gitVersion: string): string | undefined {
  const [, version, ...found] = /kcp-(v(\d+)\.(\d+)[^+\s]*)/.exec(gitVersion) ?? [];
  const [itsMajor = 0, itsMinor = 0] = found.map(Number);
  const isOlder = itsMajor < major || (itsMajor === major && itsMinor < minor);
  return isOlder ? version : undefined;
}

/** Asks kcp for its version; empty where it does not say. */
export async function versionOf(connection: Connection, path: WorkspacePath, { signal }: Stoppable): Promise<string> {
  try {
    const request = { method: 'GET', url: `${connection.baseUrl}/clusters/${path}/version`, asked: 'read the version of kcp' } as const;
    const { body } = await connection.request(request, { signal });
    const { gitVersion } = JSON.parse(Buffer.from(body).toString('utf8')) as { readonly gitVersion?: unknown };
    return typeof gitVersion === 'string' ? gitVersion : '';
  } catch (error) {
    if (isKcpError(error) || error instanceof SyntaxError) return '';
    throw error;
  }
}
