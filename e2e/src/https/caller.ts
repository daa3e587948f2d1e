// A thin HTTPS client: it sends what it is told and hands back what came, with no retries, no caches and no opinion. It shares no
// code with @dep-ctrl/kcp-client on purpose: a suite that judges servers must not inherit a client's mistakes.
import { Agent, request, type Dispatcher } from 'undici';
import { Answer } from './answer.js';
import { openWatch, type Watch } from './watch.js';

/** The identity of a caller: a client certificate, a bearer token, or none. */
export interface Credentials {
  readonly cert?: string;
  readonly key?: string;
  readonly token?: string;
}

/** What a request may carry besides method, path and body. */
export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Content type of the body; JSON unless told. */
  readonly type?: string;
  readonly timeoutMs?: number;
}

/** Objects are sent as JSON, strings and bytes as they are. */
export type RequestBody = object | string | Buffer;

/** Content types of PATCH. */
export const PATCH = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  apply: 'application/apply-patch+yaml',
  strategic: 'application/strategic-merge-patch+json',
} as const;

/** One user at one listener. */
export class Caller {
  readonly #agent: Agent;
  readonly #headers: Readonly<Record<string, string>>;
  readonly url: string;

  constructor(url: string, ca: string, credentials: Credentials) {
    const { cert, key, token } = credentials;
    this.url = url;
    this.#agent = new Agent({ connect: { ca, ...(cert === undefined ? {} : { cert }), ...(key === undefined ? {} : { key }) } });
    this.#headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  }

  get(path: string, options: RequestOptions = {}): Promise<Answer> {
    return this.send('GET', path, undefined, options);
  }

  post(path: string, body: RequestBody, options: RequestOptions = {}): Promise<Answer> {
    return this.send('POST', path, body, options);
  }

  put(path: string, body: RequestBody, options: RequestOptions = {}): Promise<Answer> {
    return this.send('PUT', path, body, options);
  }

  delete(path: string, body?: RequestBody, options: RequestOptions = {}): Promise<Answer> {
    return this.send('DELETE', path, body, options);
  }

  /** PATCH of one of the four kinds. */
  patch(kind: keyof typeof PATCH, path: string, body: RequestBody, options: RequestOptions = {}): Promise<Answer> {
    return this.send('PATCH', path, body, { type: PATCH[kind], ...options });
  }

  /** Sends any request; the path is taken literally. */
  async send(method: Dispatcher.HttpMethod, path: string, body: RequestBody | undefined, options: RequestOptions = {}): Promise<Answer> {
    const { headers = {}, type = 'application/json', timeoutMs = 60_000 } = options;
    const answer = await request(this.url + path, {
      method,
      dispatcher: this.#agent,
      headers: { ...this.#headers, ...(body === undefined ? {} : { 'content-type': type }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
    return new Answer(`${method} ${path}`, answer.statusCode, answer.headers, await answer.body.text());
  }

  /** Opens a watch; the path carries its query. Throws when the answer is not 200. */
  watch(path: string, options: RequestOptions = {}): Promise<Watch> {
    return openWatch(this.url + path, this.#agent, { ...this.#headers, ...options.headers });
  }

  /** Ends every connection. */
  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}
