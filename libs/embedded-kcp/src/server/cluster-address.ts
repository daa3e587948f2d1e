// The logical cluster of a request, read from its path.
import type { UserInfo } from '../authentication/user.js';

const SEGMENT = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Whether a text has the form of a workspace path. */
export function isPath(text: string): boolean {
  return text.split(':').every((segment) => SEGMENT.test(segment));
}

/** The cluster and the rest of a path. A ServiceAccount's request without a cluster goes to its own. */
export function splitCluster(path: string, user: UserInfo): { readonly cluster: string; readonly path: string } {
  const match = /^\/clusters\/([^/]+)(\/.*)?$/.exec(path);
  if (match !== null) return { cluster: match[1] ?? '', path: match[2] ?? '' };
  return { cluster: user.extra?.['authentication.kcp.io/cluster-name']?.[0] ?? '', path };
}
