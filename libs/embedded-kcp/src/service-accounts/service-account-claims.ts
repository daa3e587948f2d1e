// The two forms of claims: those of requested tokens, which expire, and those of tokens in Secrets, which last as long as the Secret.
import { parseLogicalClusterName, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import { stringAt, stringsAt, valueAt, type JsonRecord } from '../json/json.js';

/** The issuer and the audience of kcp's tokens. */
export const ISSUER = 'https://kcp.default.svc';
const LEGACY_ISSUER = 'kubernetes/serviceaccount';
const LEGACY = 'kubernetes.io/serviceaccount';

/** A ServiceAccount as tokens name it. */
export interface TokenSubject {
  readonly cluster: LogicalClusterName;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** An object to which a token is bound: the token ends with it. */
export interface BoundObject {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

/** The claims of a token. */
export interface ServiceAccountClaims extends TokenSubject {
  readonly audiences: readonly string[];
  /** The Secret that the token is kept in, or that it is bound to. */
  readonly secret?: string | undefined;
  /** Seconds since the epoch; tokens in Secrets have no end. */
  readonly expires?: number | undefined;
  readonly id?: string | undefined;
}

/** The claims of a token that was asked for. Times are seconds since the epoch. */
export function boundClaims(
  { cluster, namespace, name, uid }: TokenSubject,
  wish: {
    readonly id: string;
    readonly audiences: readonly string[];
    readonly issued: number;
    readonly expires: number;
    readonly boundTo?: BoundObject | undefined;
  },
): JsonRecord {
  const { id, audiences, issued, expires, boundTo } = wish;
  const bound = boundTo === undefined ? {} : { [boundTo.kind.toLowerCase()]: { name: boundTo.name, uid: boundTo.uid } };
  return {
    aud: audiences,
    exp: expires,
    iat: issued,
    iss: ISSUER,
    jti: id,
    'kubernetes.io': { clusterName: cluster, namespace, ...bound, serviceaccount: { name, uid } },
    nbf: issued,
    sub: `system:serviceaccount:${namespace}:${name}`,
  };
}

/** The claims of a token that is kept in a Secret. */
export function secretClaims({ cluster, namespace, name, uid }: TokenSubject, secret: string): JsonRecord {
  return {
    iss: LEGACY_ISSUER,
    [`${LEGACY}/clusterName`]: cluster,
    [`${LEGACY}/namespace`]: namespace,
    [`${LEGACY}/secret.name`]: secret,
    [`${LEGACY}/service-account.name`]: name,
    [`${LEGACY}/service-account.uid`]: uid,
    sub: `system:serviceaccount:${namespace}:${name}`,
  };
}

/** Reads either form; undefined when it is neither. */
export function readClaims(claims: JsonRecord): ServiceAccountClaims | undefined {
  const issuer = claims['iss'];
  if (issuer === LEGACY_ISSUER) {
    const legacy = (field: string): string | undefined => stringAt(claims, `${LEGACY}/${field}`);
    return claimsOf(legacy('clusterName'), legacy('namespace'), legacy('service-account.name'), legacy('service-account.uid'), {
      audiences: [ISSUER],
      secret: legacy('secret.name'),
    });
  }
  if (issuer !== ISSUER) return undefined;
  const bound = (...path: readonly string[]): string | undefined => stringAt(claims, 'kubernetes.io', ...path);
  const expires = valueAt(claims, 'exp');
  return claimsOf(bound('clusterName'), bound('namespace'), bound('serviceaccount', 'name'), bound('serviceaccount', 'uid'), {
    audiences: stringsAt(claims, 'aud'),
    secret: bound('secret', 'name'),
    expires: typeof expires === 'number' ? expires : 0,
    id: stringAt(claims, 'jti'),
  });
}

function claimsOf(
  clusterName: string | undefined,
  namespace: string | undefined,
  name: string | undefined,
  uid: string | undefined,
  more: Pick<ServiceAccountClaims, 'audiences' | 'secret' | 'expires' | 'id'>,
): ServiceAccountClaims | undefined {
  const cluster = parseLogicalClusterName(clusterName ?? '');
  if (!cluster.ok || namespace === undefined || name === undefined || uid === undefined) return undefined;
  return { cluster: cluster.value, namespace, name, uid, ...more };
}
