import { ApiError } from '../http/api-status.js';
import type { IncomingRequest } from '../http/incoming-request.js';
import { ANONYMOUS, AUTHENTICATED, type UserInfo } from './user.js';

/** Finds the user of a bearer token; undefined: the token is of another kind. */
export type TokenAuthenticator = (token: string) => UserInfo | undefined;

/** 401. */
export function unauthorized(): ApiError {
  return new ApiError({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' });
}

/** The user of a request, by client certificate or by token; without credentials the anonymous user. Bad credentials are refused. */
export function authenticate({ certificate, headers }: IncomingRequest, tokens: readonly TokenAuthenticator[]): UserInfo {
  if (certificate === 'invalid') throw unauthorized();
  if (certificate !== undefined) {
    return { username: certificate.commonName, groups: [...certificate.organizations, AUTHENTICATED] };
  }
  const token = /^Bearer\s+(.*)$/i.exec(headers.authorization ?? '')?.[1];
  if (token === undefined) return ANONYMOUS;
  for (const find of tokens) {
    const user = find(token);
    if (user !== undefined) return user;
  }
  throw unauthorized();
}
