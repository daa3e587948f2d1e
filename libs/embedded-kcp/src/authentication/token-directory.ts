import { randomUUID } from 'node:crypto';
import { AUTHENTICATED, type UserInfo } from './user.js';

/** The static tokens of an installation: valid on every shard and at the front-proxy. */
export class TokenDirectory {
  readonly #users = new Map<string, UserInfo>();
  readonly #tokens = new Map<string, string>();

  /** A token for a user in these groups; the same one for the same user and groups. */
  issue(username: string, groups: readonly string[] = []): string {
    const key = JSON.stringify([username, ...groups]);
    const known = this.#tokens.get(key);
    if (known !== undefined) return known;
    const token = randomUUID();
    this.#tokens.set(key, token);
    this.#users.set(token, { username, uid: randomUUID(), groups: [...groups, AUTHENTICATED] });
    return token;
  }

  /** The user of a token. */
  find(token: string): UserInfo | undefined {
    return this.#users.get(token);
  }
}
