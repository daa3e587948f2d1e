import { Agent, request } from 'undici';
import type { EmbeddedKcp } from '../installation/embedded-kcp.js';

/** An answer, read. */
export interface ApiAnswer {
  readonly status: number;
  readonly body: ApiBody;
}

/** What specs read of a body. */
export interface ApiBody {
  readonly metadata: {
    readonly name?: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly labels?: Readonly<Record<string, string>>;
    readonly resourceVersion?: string;
  };
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
  readonly message?: string;
  readonly items?: readonly ApiBody[];
}

/** A client for specs: one user, any listener. */
export class ApiClient {
  readonly #agent: Agent;
  readonly #token: string;

  constructor(kcp: EmbeddedKcp, user: string, groups: readonly string[] = []) {
    this.#agent = new Agent({ connect: { ca: kcp.ca } });
    this.#token = kcp.token(user, groups);
  }

  /** Sends one request. */
  async send(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, body?: unknown): Promise<ApiAnswer> {
    const response = await request(url, {
      dispatcher: this.#agent,
      method,
      headers: {
        authorization: `Bearer ${this.#token}`,
        'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.body.text();
    return { status: response.statusCode, body: text.startsWith('{') ? (JSON.parse(text) as ApiBody) : { metadata: {}, message: text } };
  }

  /** Asks until a condition holds: kcp does much after it has answered. */
  async until(url: string, holds: (answer: ApiAnswer) => boolean): Promise<ApiAnswer> {
    for (;;) {
      const answer = await this.send('GET', url);
      if (holds(answer)) return answer;
    }
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }
}
