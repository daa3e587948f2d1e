import { request, type Agent, type Dispatcher } from 'undici';
import type { Started } from './embedded-server.js';

/** What every request of the embedded bench carries. */
export function headers({ token }: Started, accept = 'application/json'): Record<string, string> {
  return { authorization: `Bearer ${token}`, accept, 'content-type': 'application/json' };
}

/** Reads an answer to its end and says how long it was; throws when it is another than expected. */
export async function drained({ statusCode, body }: Dispatcher.ResponseData, expected: number): Promise<number> {
  let bytes = 0;
  for await (const chunk of body) bytes += (chunk as Buffer).length;
  if (statusCode !== expected) throw new Error(`expected ${expected}, got ${statusCode}`);
  return bytes;
}

/** Creates one object. */
export async function post(agent: Agent, started: Started, url: string, body: object): Promise<void> {
  await drained(await request(url, { dispatcher: agent, method: 'POST', headers: headers(started), body: JSON.stringify(body) }), 201);
}
