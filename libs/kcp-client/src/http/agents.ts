import { createSecureContext } from 'node:tls';
import { Agent, ProxyAgent, type Dispatcher } from 'undici';
import { sameTls, type Credentials, type ProxyChoice } from './credentials.js';

/** Requests share few connections; a watch holds one for as long as it lives, so watches have their own. */
export type AgentPurpose = 'request' | 'watch';

/** How agents are made. */
export interface AgentOptions {
  /** The origin of the configured server: the only one that `serverName` is for. */
  readonly ownOrigin: string;
  readonly proxyFor: ProxyChoice;
  /** Connections per origin for requests. */
  readonly requestConnections: number;
  readonly connectTimeoutMs: number;
}

// Go's servers close idle connections after 90 s or later; ours go first, so that none dies at the moment of reuse.
const KEEP_ALIVE_MS = 30_000;

/**
 * The undici agents of one connection. When the TLS part of the credentials changes, new agents are made; what runs on the old ones
 * may end there.
 */
export class Agents {
  readonly #options: AgentOptions;
  #credentials: Credentials | undefined;
  #current = new Map<string, Dispatcher>();
  readonly #retired = new Set<Dispatcher>();

  constructor(options: AgentOptions) {
    this.#options = options;
  }

  /** The agent for a request to this origin with these credentials. */
  dispatcher(purpose: AgentPurpose, origin: string, credentials: Credentials): Dispatcher {
    if (this.#credentials === undefined || !sameTls(this.#credentials, credentials)) this.#replace(credentials);
    const proxy = this.#options.proxyFor(new URL(origin));
    const serverName = origin === this.#options.ownOrigin ? credentials.serverName : undefined;
    const key = JSON.stringify([purpose, proxy, serverName]);
    let dispatcher = this.#current.get(key);
    if (dispatcher === undefined) {
      dispatcher = this.#create(purpose, credentials, proxy, serverName);
      this.#current.set(key, dispatcher);
    }
    return dispatcher;
  }

  /** Ends everything that still runs. */
  async close(): Promise<void> {
    const all = [...this.#current.values(), ...this.#retired];
    this.#current.clear();
    this.#retired.clear();
    await Promise.all(all.map((dispatcher) => dispatcher.destroy()));
  }

  #replace(credentials: Credentials): void {
    for (const old of this.#current.values()) {
      this.#retired.add(old);
      void old.close().then(
        () => this.#retired.delete(old),
        () => this.#retired.delete(old),
      );
    }
    this.#current = new Map();
    this.#credentials = credentials;
  }

  #create(purpose: AgentPurpose, credentials: Credentials, proxy: string | undefined, serverName: string | undefined): Dispatcher {
    const { ca, clientCert, clientKey, verify } = credentials;
    const tls = {
      secureContext: createSecureContext({
        // As Go does: kcp's own kubeconfigs give the serving certificate itself as the authority, whichever CA signed it.
        allowPartialTrustChain: true,
        ...(ca === undefined ? {} : { ca }),
        ...(clientCert === undefined ? {} : { cert: clientCert }),
        ...(clientKey === undefined ? {} : { key: clientKey }),
      }),
      rejectUnauthorized: verify !== 'skip',
      timeout: this.#options.connectTimeoutMs,
      ...(serverName === undefined ? {} : { servername: serverName }),
    };
    // The deadlines of requests and the silence bound of watches are set per exchange.
    const options = { headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: KEEP_ALIVE_MS, keepAliveMaxTimeout: KEEP_ALIVE_MS };
    const capped = purpose === 'request' ? { ...options, connections: this.#options.requestConnections } : options;
    return proxy === undefined ? new Agent({ ...capped, connect: tls }) : new ProxyAgent({ ...capped, uri: proxy, requestTls: tls });
  }
}
