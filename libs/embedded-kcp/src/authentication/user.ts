/** The user of a request, as Kubernetes sees it. */
export interface UserInfo {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Passes every authorizer, on a shard only. */
export const MASTERS = 'system:masters';
/** Cluster-admin in every workspace, but not masters. */
export const KCP_ADMIN = 'system:kcp:admin';
/** Every user that is known. */
export const AUTHENTICATED = 'system:authenticated';

/** Requests without credentials. */
export const ANONYMOUS: UserInfo = { username: 'system:anonymous', groups: ['system:unauthenticated'] };

/** The user of kcp's own teardown and garbage collection, as webhooks see it. */
export const LOOPBACK: UserInfo = { username: 'system:apiserver', groups: [MASTERS, AUTHENTICATED] };

/** Whether a user is masters. */
export function isMasters(user: UserInfo): boolean {
  return user.groups.includes(MASTERS);
}
