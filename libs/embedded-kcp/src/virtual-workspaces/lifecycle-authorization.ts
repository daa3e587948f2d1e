// Decides which users may use the virtual workspace of a terminator or initializer. The shard of the type is asked, wherever it is, and a yes is remembered: while that
// shard is down, only who was let in before is let in.
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { Authorizer } from '../authorization/authorizer.js';
import { isMasters, type UserInfo } from '../authentication/user.js';
import type { Background } from '../background/background.js';
import { PlainError } from '../http/api-status.js';
import { TENANCY_GROUP } from '../kcp/kinds/system-resources.js';
import type { Lifecycle } from './lifecycle-rules.js';

/** The user, and what it asks for. */
export interface LifecycleAsked {
  readonly lifecycle: Pick<Lifecycle, 'verb'>;
  /** The cluster and the name of the type. */
  readonly cluster: LogicalClusterName;
  readonly name: string;
  readonly user: UserInfo;
  /** All clusters at once, which is remembered apart. */
  readonly isWildcard: boolean;
  /** The path of the request. */
  readonly path: string;
}

/** What it needs. */
export interface LifecycleAuthorizationOptions {
  readonly authorizer: Pick<Authorizer, 'reaches' | 'rbacAllows'>;
  /** Whether the shard of a cluster serves. */
  readonly isServed: (cluster: LogicalClusterName) => boolean;
  readonly background: Background;
}

/** Asks, and remembers for a while. */
export class LifecycleAuthorization {
  readonly #options: LifecycleAuthorizationOptions;
  readonly #remembered = new Set<string>();

  constructor(options: LifecycleAuthorizationOptions) {
    this.#options = options;
  }

  /** Whether the user may. */
  allows({ lifecycle: { verb }, cluster, name, user, isWildcard, path }: LifecycleAsked): boolean {
    if (isMasters(user)) return true;
    const { authorizer, isServed } = this.#options;
    const key = JSON.stringify([verb, cluster, name, isWildcard, user]);
    if (!isServed(cluster)) {
      if (this.#remembered.has(key)) return true;
      const why = 'an error on the server ("") has prevented the request from succeeding (post subjectaccessreviews.authorization.k8s.io)';
      throw new PlainError(500, `Internal Server Error: ${JSON.stringify(path)}: ${why}`);
    }
    const wanted = { kind: 'resource', verb, group: TENANCY_GROUP, resource: 'workspacetypes', name } as const;
    const isAllowed = authorizer.reaches(user, cluster) && authorizer.rbacAllows(user, cluster, wanted);
    if (isAllowed) this.#remember(key);
    return isAllowed;
  }

  #remember(key: string): void {
    if (this.#remembered.has(key)) return;
    this.#remembered.add(key);
    this.#options.background.after('grantRemembered', 'lifecycle authorization', () => void this.#remembered.delete(key));
  }
}
