// Whether ServiceAccounts of one workspace can have rights in another one. Up to kcp 0.30 they cannot, unless a feature gate is on.
import { olderThan, type KcpVersion } from '../command-line/kcp-version.js';

/** The first version of kcp in which they can. */
const SINCE: KcpVersion = [0, 31];

/** What to do if ServiceAccounts reach no other workspace; undefined if they do, or if the version is not known. */
export function foreignAccountsNote(gitVersion: string): string | undefined {
  const version = olderThan(SINCE, gitVersion);
  if (version === undefined) return undefined;
  return (
    `on kcp ${version} the ServiceAccounts reach no other workspace unless its gate GlobalServiceAccount is on, and every guarded delete would be refused: ` +
    'run bootstrap again with --controller-user and --webhook-user, which name users with client certificates'
  );
}
