// Whether ServiceAccounts of one workspace can have rights in another one. Up to kcp 0.30 they cannot, unless a feature gate is on.
import { isKcpError, type Connection, type Stoppable } from '@dep-ctrl/kcp-client';
import type { WorkspacePath } from '@dep-ctrl/kcp-names';

/** The first version of kcp in which they can, as major and minor. */
const SINCE = [0, 31] as const;

/** What to do if ServiceAccounts reach no other workspace; undefined if they do, or if the version is not known. */
export function foreignAccountsNote(gitVersion: string): string | undefined {
  const [, version, major, minor] = /kcp-(v(\d+)\.(\d+)[^+\s]*)/.exec(gitVersion) ?? [];
  if (version === undefined || Number(major) > SINCE[0] || Number(minor) >= SINCE[1]) return undefined;
  return (
    `on kcp ${version} the ServiceAccounts reach no other workspace unless its gate GlobalServiceAccount is on, and every guarded delete would be refused: ` +
    'run bootstrap again with --controller-user and --webhook-user, which name users with client certificates'
  );
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
