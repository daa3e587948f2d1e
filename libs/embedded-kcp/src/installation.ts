// Where the rooms are joined: certificates, users, shards, the cache between them and the front-proxy before them.
import { TokenDirectory } from './auth/token-directory.js';
import { Background } from './background.js';
import type { Delays } from './delays.js';
import type { Faults } from './embedded-kcp.js';
import { RequestFaults } from './faults/request-faults.js';
import { RequestLog } from './faults/request-log.js';
import { notEmulated } from './http/api-status.js';
import { CertificateAuthority, type KeyPair } from './http/certificates.js';
import { Listener } from './http/listener.js';
import { bytesReply } from './http/reply.js';

/** How an installation is made. */
export interface InstallationOptions {
  readonly shards: number;
  readonly delays: Delays;
  readonly port: number;
  readonly host: string;
  readonly onFailure: (what: string, error: unknown) => void;
}

/** One shard with its listener. */
export interface ShardHandle {
  readonly name: string;
  readonly url: string;
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** Everything that one embedded kcp is made of. */
export class Installation {
  readonly authority: CertificateAuthority;
  readonly tokens = new TokenDirectory();
  readonly requests = new RequestLog();
  readonly shards: readonly ShardHandle[] = [];
  readonly #background: Background;
  readonly #requestFaults = new RequestFaults();
  readonly #options: InstallationOptions;
  readonly #proxy: Listener;

  private constructor(options: InstallationOptions, authority: CertificateAuthority, serving: KeyPair) {
    this.#options = options;
    this.authority = authority;
    this.#background = new Background(options.delays, options.onFailure);
    this.#proxy = new Listener({
      host: options.host,
      port: options.port,
      serving,
      clientCa: authority.pem,
      handle: this.#requestFaults.wrap('proxy', this.requests, (request) =>
        request.path === '/readyz'
          ? Promise.resolve(bytesReply(200, [Buffer.from('ok')], { 'content-type': 'text/plain; charset=utf-8' }))
          : Promise.reject(notEmulated(request.path)),
      ),
    });
  }

  /** Makes one and starts its listeners. */
  static async create(options: InstallationOptions): Promise<Installation> {
    const authority = await CertificateAuthority.create('embedded-kcp-ca');
    const serving = await authority.serving([...new Set(['localhost', '127.0.0.1', options.host])]);
    const installation = new Installation(options, authority, serving);
    await installation.#proxy.start();
    return installation;
  }

  /** The front-proxy. */
  get proxyUrl(): string {
    return `https://${this.#options.host}:${this.#proxy.port}`;
  }

  /** The certificate that signs all others. */
  get ca(): string {
    return this.authority.pem;
  }

  /** Breaks things on purpose. */
  get faults(): Faults {
    return {
      onRequest: (match, fault, options) => this.#requestFaults.add(match, fault, options),
      clear: () => this.#requestFaults.clear(),
      compact: () => undefined,
      setReplicationDelay: () => undefined,
      pauseReplication: () => undefined,
      resumeReplication: () => undefined,
    };
  }

  /** Stops everything. */
  async stop(): Promise<void> {
    this.#background.stop();
    this.#requestFaults.clear();
    await this.#proxy.stop();
  }
}
