import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import { CLUSTER_NAME_EXTRA, SCOPES_EXTRA } from '../authentication/effective-users.js';
import { AUTHENTICATED, type UserInfo } from '../authentication/user.js';
import type { StoredObject } from '../storage/stored-object.js';
import { ISSUER, readClaims, type ServiceAccountClaims } from './service-account-claims.js';
import type { TokenSigner } from './signed-token.js';

/** Finds a stored object on any shard that the authenticator may look at. */
export type FindNamespaced = (
  resource: 'serviceaccounts' | 'secrets',
  cluster: LogicalClusterName,
  namespace: string,
  name: string,
) => StoredObject | undefined;

/** The parts that make and verify tokens of ServiceAccounts. */
export interface ServiceAccountTokens {
  readonly signer: TokenSigner;
  readonly find: FindNamespaced;
  readonly now: () => number;
}

/** The ServiceAccount of a token; undefined: it is no such token, or it is not valid any more. */
export function serviceAccountOf(token: string, { signer, find, now }: ServiceAccountTokens): UserInfo | undefined {
  const signed = signer.verify(token);
  const claims = signed === undefined ? undefined : readClaims(signed);
  if (claims?.audiences.includes(ISSUER) !== true) return undefined;
  const { cluster, namespace, name, uid, secret, expires } = claims;
  if (expires !== undefined && expires * 1_000 <= now()) return undefined;
  if (find('serviceaccounts', cluster, namespace, name)?.uid !== uid) return undefined;
  if (secret !== undefined && find('secrets', cluster, namespace, secret) === undefined) return undefined;
  return userOf(claims);
}

function userOf({ cluster, namespace, name, uid, id }: ServiceAccountClaims): UserInfo {
  return {
    username: `system:serviceaccount:${namespace}:${name}`,
    uid,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, AUTHENTICATED],
    extra: {
      [CLUSTER_NAME_EXTRA]: [cluster],
      [SCOPES_EXTRA]: [`cluster:${cluster}`],
      ...(id === undefined ? {} : { 'authentication.kubernetes.io/credential-id': [`JTI=${id}`] }),
    },
  };
}
