import type { Delays } from '../background/delays.js';
import type { InjectedFault, RequestFault } from '../faults/request-faults.js';
import type { RequestLog, RequestMatch } from '../faults/request-log.js';
import { Installation } from './installation.js';
import { printKubeconfig, type KubeconfigContext, type KubeconfigCredentials } from './kubeconfig.js';
import type { KeyPair } from '../http/certificates.js';
import type { StartOptions } from './shard.js';

/** How to start. Every field has a default. */
export interface EmbeddedKcpOptions {
  /** How many shards: `root`, `shard-1`, … Default 1. */
  readonly shards?: number;
  /** How slow kcp's background work is. Default `real`. */
  readonly delays?: Delays;
  /** Port of the front-proxy; 0 (the default) picks a free one. The shards always pick theirs. */
  readonly port?: number;
  /** Address to listen on. Default 127.0.0.1. */
  readonly host?: string;
  /** Told when background work of the server breaks. Default: a process warning. */
  readonly onFailure?: (what: string, error: unknown) => void;
}

/** One shard, for its clients and for faults. */
export interface EmbeddedShard {
  readonly name: string;
  /** The shard's own listener, without `/clusters`. */
  readonly url: string;
  /** Stops listening and cuts every connection, as a crash would; what is stored stays. */
  readonly stop: () => Promise<void>;
  /**
   * Listens again at the same port, and resolves when everything is served. Older resource versions are forgotten, as after a real restart. `as-kcp`: at the
   * pace of a real kcp, times the delays. For 43 s it refuses what it has: connections; by path with a 404 about the workspace; by name with a 403, then a
   * 404 in plain text; in virtual workspaces with 500, 403 and a 404 in plain text. Default: `at-once`.
   */
  readonly start: (options?: StartOptions) => Promise<void>;
}

/** Breaks things on purpose. */
export interface Faults {
  /** Adds a fault for matching requests, the next `times` of them or all; returns what removes it and counts its hits. `freeze` is for watches that run already, too. */
  readonly onRequest: (match: RequestMatch, fault: RequestFault, options?: { readonly times?: number }) => InjectedFault;
  /** Removes every request fault. */
  readonly clear: () => void;
  /** Forgets history on every shard: older resource versions and continue tokens are answered 410. */
  readonly compact: () => void;
  /** Takes a shard's endpoint out of the endpoint slices of an export; returns what puts it back. */
  readonly withdrawEndpoint: (endpoint: { readonly shard: string; readonly cluster: string; readonly exportName: string }) => () => void;
  /** How long a replicated object is under way between shards, in milliseconds; undefined restores the usual delay. */
  readonly setReplicationDelay: (ms: number | undefined) => void;
  /** Stops replication, as when the cache server is down; what changes meanwhile arrives after the resume. */
  readonly pauseReplication: () => void;
  /** Resumes replication. */
  readonly resumeReplication: () => void;
}

/** Selects a kubeconfig. */
export interface KubeconfigQuery {
  /** A workspace path or cluster name: the current context points there. Default: kcp's own contexts, `root` first. */
  readonly workspace?: string;
  /** `admin` (the default), `shard-admin`, or any other name for a user without groups. */
  readonly user?: string;
  /** Groups of that other user. */
  readonly groups?: readonly string[];
}

/** The admin of kubeconfigs: cluster-admin in every workspace. */
const ADMIN = { name: 'kcp-admin', groups: ['system:kcp:admin'] } as const;
const SHARD_ADMIN = { name: 'shard-admin', groups: ['system:masters'] } as const;

/** A kcp-compatible API server in this process: one HTTPS listener per shard and one front-proxy before them. */
export class EmbeddedKcp {
  readonly #installation: Installation;

  private constructor(installation: Installation) {
    this.#installation = installation;
  }

  /** Starts one and waits until it serves. Rejects when the port is taken. */
  static async start(options: EmbeddedKcpOptions = {}): Promise<EmbeddedKcp> {
    const installation = await Installation.create({
      shards: options.shards ?? 1,
      delays: options.delays ?? 'real',
      port: options.port ?? 0,
      host: options.host ?? '127.0.0.1',
      onFailure: options.onFailure ?? warn,
    });
    return new EmbeddedKcp(installation);
  }

  /** The front-proxy, without `/clusters`. */
  get baseUrl(): string {
    return this.#installation.proxyUrl;
  }

  /** The certificate that signs all others, PEM. */
  get ca(): string {
    return this.#installation.ca;
  }

  /** The shards, `root` first. */
  get shards(): readonly EmbeddedShard[] {
    return this.#installation.shards.map((shard) => ({
      name: shard.name,
      url: shard.url,
      stop: () => shard.stop(),
      start: (options) => shard.start(options),
    }));
  }

  /** Breaks things on purpose. */
  get faults(): Faults {
    return this.#installation.faults;
  }

  /** Every request that arrived at any listener. */
  get requests(): RequestLog {
    return this.#installation.requests;
  }

  /**
   * A kubeconfig as kcp writes it: contexts `root` and `base` through the front-proxy, `system:admin` and `shard-base` straight to the
   * root shard; with more shards also `system:admin@shard-1` and `shard-base@shard-1`, and so on.
   */
  kubeconfig({ workspace, user = 'admin', groups = [] }: KubeconfigQuery = {}): string {
    const known = user === 'admin' ? ADMIN : user === 'shard-admin' ? SHARD_ADMIN : undefined;
    const chosen = known ?? { name: user, groups };
    const ofUser: KubeconfigContext[] = [
      ...(workspace === undefined ? [] : [{ name: workspace, server: `${this.baseUrl}/clusters/${workspace}`, user: chosen.name }]),
      { name: 'root', server: `${this.baseUrl}/clusters/root`, user: chosen.name },
      { name: 'base', server: this.baseUrl, user: chosen.name },
    ];
    const ofShards =
      known === undefined ? [] : this.#installation.shards.flatMap(({ name, url }, index) => contextsOfShard(name, url, index));
    const contexts = [...new Map([...ofUser, ...ofShards].map((context) => [context.name, context] as const).reverse()).values()].reverse();
    const users: Record<string, KubeconfigCredentials> = { [chosen.name]: { token: this.token(chosen.name, chosen.groups) } };
    if (known !== undefined) users[SHARD_ADMIN.name] = { token: this.token(SHARD_ADMIN.name, SHARD_ADMIN.groups) };
    return printKubeconfig({ ca: this.ca, contexts, users });
  }

  /** A client certificate: valid on every shard and at the front-proxy. A negative lifetime makes an expired one. */
  clientCertificate(user: string, groups: readonly string[] = [], lifetimeMs?: number): Promise<KeyPair> {
    return this.#installation.authority.client(user, groups, lifetimeMs);
  }

  /** A static token: valid on every shard and at the front-proxy. */
  token(user: string, groups: readonly string[] = []): string {
    return this.#installation.tokens.issue(user, groups);
  }

  /** Stops everything; nothing of it keeps the process alive. */
  stop(): Promise<void> {
    return this.#installation.stop();
  }
}

function contextsOfShard(name: string, url: string, index: number): readonly KubeconfigContext[] {
  const suffix = index === 0 ? '' : `@${name}`;
  return [
    { name: `system:admin${suffix}`, server: `${url}/clusters/system:admin`, user: SHARD_ADMIN.name },
    { name: `shard-base${suffix}`, server: url, user: SHARD_ADMIN.name },
  ];
}

function warn(what: string, error: unknown): void {
  process.emitWarning(`embedded kcp: ${what} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
}
