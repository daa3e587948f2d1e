// The requests by which a test's world is made.
import { stringAt } from '../json/json.js';
import type { ApiAnswer, ApiClient } from './api-client.js';

/** The user that makes objects, and the workspace that it makes them in. */
export interface Maker {
  readonly admin: ApiClient;
  readonly baseUrl: string;
}

/** Makes an object. Throws what kcp said otherwise. */
export async function make(maker: Maker, path: string, apiVersion: string, resource: string, object: object): Promise<void> {
  const answer = await maker.admin.send('POST', urlOf(maker, path, apiVersion, resource), { apiVersion, ...object });
  if (answer.status === 201) return;
  throw new Error(`${resource} ${stringAt(object, 'metadata', 'name') ?? ''} in ${path} cannot be made: ${failure(answer).message}`);
}

/** Reads what is at a resource path. */
export function read(maker: Maker, path: string, apiVersion: string, rest: string): Promise<ApiAnswer> {
  return maker.admin.send('GET', urlOf(maker, path, apiVersion, rest));
}

function urlOf({ baseUrl }: Maker, path: string, apiVersion: string, rest: string): string {
  return `${baseUrl}/clusters/${path}/${apiVersion.includes('/') ? 'apis' : 'api'}/${apiVersion}${rest === '' ? '' : `/${rest}`}`;
}

/** The answer, where it is a success. Throws what kcp said otherwise. */
export function served(answer: ApiAnswer): ApiAnswer {
  if (answer.status !== 200) throw failure(answer);
  return answer;
}

function failure({ status, body }: ApiAnswer): Error {
  return new Error(`${status} ${body.message ?? ''}`);
}
