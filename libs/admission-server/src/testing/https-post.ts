import type { Agent } from 'node:https';
import { request, type RequestOptions } from 'node:https';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { once } from 'node:events';

/** What a server answered. */
export interface HttpsAnswer {
  readonly code: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** How to ask. */
export interface HttpsQuestion {
  readonly port: number;
  readonly path: string;
  readonly ca: string;
  readonly method?: string;
  readonly body?: Uint8Array | string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly agent?: Agent;
}

/** Posts to a server on this machine, on a connection of its own unless an agent is given. */
export async function httpsPost({ body = '', headers = {}, ...question }: HttpsQuestion): Promise<HttpsAnswer> {
  const sent = request({
    ...optionsOf(question),
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers },
  });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk);
  return { code: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks).toString() };
}

/** The options of such a request, for specs that misbehave on the way. */
export function optionsOf({ port, path, ca, method = 'POST', agent }: HttpsQuestion): RequestOptions {
  return { host: '127.0.0.1', port, path, method, ca, agent: agent ?? false };
}
