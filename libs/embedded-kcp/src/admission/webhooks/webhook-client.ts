// Calls webhooks over HTTPS as kube-apiserver does, and words failures as it does.
import { Agent, interceptors, request } from 'undici';
import { stringAt } from '../../json/json.js';
import type { Webhook } from './webhook-configuration.js';

/** The result of a call. */
export type CallOutcome = { readonly state: 'answered'; readonly body: string } | { readonly state: 'failed'; readonly why: string };

type Called = Pick<Webhook, 'url' | 'caBundle' | 'timeoutSeconds'>;

// Go's transport closes a connection that was idle for so long, even if the webhook would keep it longer.
const IDLE_MS = 90_000;

/** Connections to webhooks, kept per CA bundle. */
export class WebhookClient {
  readonly #agents = new Map<string, Agent>();
  readonly #idleMs: number;

  /** Another time than Go's is for tests. */
  constructor(idleMs = IDLE_MS) {
    this.#idleMs = idleMs;
  }

  /** Posts a review. */
  async post(webhook: Called, review: string): Promise<CallOutcome> {
    const url = `${webhook.url}?timeout=${webhook.timeoutSeconds}s`;
    const failed = (why: string): CallOutcome => ({ state: 'failed', why: `failed to call webhook: ${why}` });
    const signal = AbortSignal.timeout(webhook.timeoutSeconds * 1000);
    try {
      const response = await request(url, {
        method: 'POST',
        dispatcher: this.#agentOf(webhook).compose(interceptors.redirect({ maxRedirections: 10 })),
        headers: {
          'user-agent': 'kube-apiserver-admission',
          accept: 'application/json, */*',
          'content-type': 'application/json',
          'accept-encoding': 'identity',
        },
        body: review,
        signal,
      });
      const body = await response.body.text();
      if (response.statusCode >= 200 && response.statusCode < 300) return { state: 'answered', body };
      return failed(statusText(response.statusCode, body));
    } catch (error) {
      return failed(`Post ${JSON.stringify(url)}: ${signal.aborted ? 'context deadline exceeded' : networkText(error)}`);
    }
  }

  /** Closes every connection. */
  async close(): Promise<void> {
    await Promise.all([...this.#agents.values()].map((agent) => agent.destroy()));
    this.#agents.clear();
  }

  #agentOf({ caBundle }: Called): Agent {
    const key = caBundle ?? '';
    const known = this.#agents.get(key);
    if (known !== undefined) return known;
    const agent = new Agent({ connect: caBundle === undefined ? {} : { ca: caBundle }, keepAliveMaxTimeout: this.#idleMs });
    this.#agents.set(key, agent);
    return agent;
  }
}

function statusText(status: number, body: string): string {
  if (status === 404) return 'the server could not find the requested resource';
  if (status === 401) return 'the server has asked for the client to provide credentials';
  if (status === 403) return 'unknown';
  if (status >= 500)
    return `an error on the server (${JSON.stringify(statusMessage(body) ?? 'unknown')}) has prevented the request from succeeding`;
  return `the server rejected our request for an unknown reason`;
}

// Only a Status says something that is passed on.
function statusMessage(body: string): string | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return stringAt(value, 'kind') === 'Status' ? stringAt(value, 'message') : undefined;
  } catch {
    return undefined;
  }
}

// Go's words for what Node's error codes mean.
function networkText(error: unknown): string {
  const { code, message, address, port } = rootCause(error);
  switch (code) {
    case 'ECONNREFUSED':
      return `dial tcp ${address ?? ''}:${port ?? ''}: connect: connection refused`;
    case 'ENOTFOUND':
      return `dial tcp: lookup failed: no such host`;
    case 'ECONNRESET':
    case 'UND_ERR_SOCKET':
      return 'EOF';
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'CERT_SIGNATURE_FAILURE':
      return 'tls: failed to verify certificate: x509: certificate signed by unknown authority';
    case 'CERT_HAS_EXPIRED':
      return 'tls: failed to verify certificate: x509: certificate has expired or is not yet valid';
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `tls: failed to verify certificate: x509: ${message}`;
    default:
      return message;
  }
}

interface NetworkFailure {
  readonly code?: string;
  readonly message: string;
  readonly address?: string;
  readonly port?: number;
}

function rootCause(error: unknown): NetworkFailure {
  if (error instanceof AggregateError && error.errors.length > 0) return rootCause(error.errors[0]);
  if (error instanceof Error) return error.cause instanceof Error ? rootCause(error.cause) : error;
  return { message: String(error) };
}
