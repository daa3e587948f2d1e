// One server, one identity. Every call of the clients made here goes through `request` or `open`: the credentials of the moment, and
// once more with fresh ones when the server refused those or they stopped fitting the server's certificate. Nothing else is retried.
import type { LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';
import { Agents, type AgentPurpose } from '../http/agents.js';
import { ClusterClient } from './cluster-client.js';
import { credentialHeaders, sameTls, type Credentials, type CredentialSource, type ProxyChoice } from '../http/credentials.js';
import { collectAnswer, openAnswer, type Exchange, type OpenAnswer } from '../http/exchange.js';
import { answerFailure } from '../errors/failure.js';
import { KcpError } from '../errors/kcp-error.js';
import { isCertificateFailure } from '../errors/network-failure.js';
import { parseServerUrl, type VirtualWorkspaceUrl } from '../http/server-url.js';
import type { RawRequest, RawResponse, RawWatch, Requester } from '../http/requester.js';
import { VirtualWorkspace } from './virtual-workspace.js';
import { WildcardClient } from './wildcard-client.js';

/** What a connection is made of. */
export interface ConnectionOptions {
  /** The server's address, with or without `/clusters/<workspace>`. */
  readonly server: string;
  /** Fixed credentials, or where to get those of the moment. Default: none. */
  readonly credentials?: Credentials | CredentialSource | undefined;
  readonly proxyFor?: ProxyChoice | undefined;
  /** TCP connections for requests, per host; watches come on top. Default 10. */
  readonly requestConnections?: number | undefined;
  /** Deadline of one request, from the call to the last byte of the answer. Default 30 s. */
  readonly requestTimeoutMs?: number | undefined;
  /** Default 10 s. */
  readonly connectTimeoutMs?: number | undefined;
  /** `User-Agent`; kcp's audit log shows it. */
  readonly userAgent?: string | undefined;
}

// A page of 500 objects at etcd's limit of 1.5 MiB each would be larger, but a caller should not hold that in memory without asking for it.
const DEFAULT_MAX_BYTES = 256 * 1024 * 1024;
const FAILURE_MAX_BYTES = 64 * 1024;

/** A connection to one kcp server: makes clients for its workspaces. Does nothing until the first call. */
export class Connection implements Requester {
  /** The server's address without `/clusters`. */
  readonly baseUrl: string;
  /** The workspace that the server's address named. */
  readonly workspace?: LogicalClusterName | WorkspacePath;
  readonly #origin: string;
  readonly #source: CredentialSource;
  readonly #rotates: boolean;
  readonly #agents: Agents;
  readonly #proxyFor: ProxyChoice;
  readonly #requestTimeoutMs: number;
  readonly #userAgent: string;

  /** Throws a TypeError when the server's address is none. */
  constructor(options: ConnectionOptions) {
    const server = parseServerUrl(options.server);
    if (!server.ok) throw new TypeError(server.problem);
    this.baseUrl = server.value.baseUrl;
    if (server.value.workspace !== undefined) this.workspace = server.value.workspace;
    this.#origin = new URL(this.baseUrl).origin;
    const { credentials = {} } = options;
    this.#rotates = typeof credentials === 'function';
    this.#source = typeof credentials === 'function' ? credentials : () => Promise.resolve(credentials);
    this.#requestTimeoutMs = options.requestTimeoutMs ?? 30_000;
    this.#userAgent = options.userAgent ?? 'dep-ctrl-kcp-client';
    this.#proxyFor = options.proxyFor ?? (() => undefined);
    this.#agents = new Agents({
      ownOrigin: this.#origin,
      proxyFor: this.#proxyFor,
      requestConnections: options.requestConnections ?? 10,
      connectTimeoutMs: options.connectTimeoutMs ?? 10_000,
    });
  }

  /** A client for one workspace, by logical cluster name or by path. */
  cluster(address: LogicalClusterName | WorkspacePath): ClusterClient {
    return new ClusterClient(this, { baseUrl: this.baseUrl, address });
  }

  /**
   * A client for the workspace that the server's address named. Where it named none, requests go out without `/clusters`: kcp sends
   * those of a ServiceAccount to the account's own workspace.
   */
  ownWorkspace(): ClusterClient {
    return new ClusterClient(this, { baseUrl: this.baseUrl, ...(this.workspace === undefined ? {} : { address: this.workspace }) });
  }

  /** Lists and watches over all logical clusters of a shard. */
  wildcard(): WildcardClient {
    return new WildcardClient(this, { baseUrl: this.baseUrl });
  }

  /** The clients of a virtual workspace, with this connection's credentials and agents. Its host may be another one. */
  virtualWorkspace(url: VirtualWorkspaceUrl): VirtualWorkspace {
    return new VirtualWorkspace(this, url);
  }

  /** Sends one request and answers with the whole body of a success. Throws KcpError for anything else. */
  async request(request: RawRequest, { signal }: { readonly signal: AbortSignal }): Promise<RawResponse> {
    const { timeoutMs = this.#requestTimeoutMs, maxBytes = DEFAULT_MAX_BYTES, into } = request;
    const bounds = { timeoutMs, maxBytes, into };
    const answer = await this.#attempt(request, signal, 'request', (exchange) => collectAnswer(exchange, bounds));
    if (answer.status < 200 || answer.status > 299) throw answerFailure(askedAt(request), answer, request.object);
    return answer;
  }

  /** Opens a watch and answers with the chunks of its body. Throws KcpError when it is not a success. */
  async open(request: RawWatch, { signal }: { readonly signal: AbortSignal }): Promise<OpenAnswer> {
    const bounds = { silenceMs: request.silenceMs };
    const answer = await this.#attempt(request, signal, 'watch', (exchange) => openAnswer(exchange, bounds));
    if (answer.status === 200) return answer;
    const { status, headers } = answer;
    throw answerFailure(askedAt(request), { status, headers, body: await beginning(answer.chunks) });
  }

  /** Ends what still runs; calls made from now on open new connections. */
  close(): Promise<void> {
    return this.#agents.close();
  }

  async #attempt<A extends { readonly status: number; cancel?(): void }>(
    request: RawRequest,
    signal: AbortSignal,
    purpose: AgentPurpose,
    send: (exchange: Exchange) => Promise<A>,
  ): Promise<A> {
    const used = await this.#credentials(request, { fresh: false, signal });
    try {
      const answer = await send(this.#exchange(request, signal, purpose, used));
      if (answer.status !== 401 || !this.#rotates) return answer;
      const renewed = await this.#credentials(request, { fresh: true, signal });
      if (sameCredentials(used, renewed)) return answer;
      answer.cancel?.();
      return await send(this.#exchange(request, signal, purpose, renewed));
    } catch (failure) {
      // It was made in a callback of the socket, whose stack names no caller; that one stays in the cause.
      if (failure instanceof KcpError) Error.captureStackTrace(failure);
      if (!this.#rotates || !(failure instanceof KcpError) || !isCertificateFailure(failure)) throw failure;
      const renewed = await this.#credentials(request, { fresh: true, signal });
      if (sameTls(used, renewed)) throw failure;
      return send(this.#exchange(request, signal, purpose, renewed));
    }
  }

  async #credentials(request: RawRequest, options: { readonly fresh: boolean; readonly signal: AbortSignal }): Promise<Credentials> {
    try {
      return await this.#source(options);
    } catch (cause) {
      if (options.signal.aborted) throw new KcpError({ ...askedAt(request), code: 'aborted', problem: 'the caller gave up', cause });
      throw new KcpError({ ...askedAt(request), code: 'unauthorized', problem: `no credentials: ${textOf(cause)}`, cause });
    }
  }

  #exchange(request: RawRequest, signal: AbortSignal, purpose: AgentPurpose, credentials: Credentials): Exchange {
    const { origin, pathname } = splitUrl(request.url);
    const headers: Exchange['headers'] = {
      ...credentialHeaders(credentials),
      'user-agent': this.#userAgent,
      accept: request.accept ?? 'application/json',
    };
    if (request.body !== undefined) headers['content-type'] = request.contentType ?? 'application/json';
    const { method, body, forbidden } = request;
    const proxy = this.#proxyFor(new URL(origin));
    return {
      asked: request.asked,
      // A network that fails may be the proxy's; its address may hold a password.
      at: proxy === undefined ? origin : `${origin} through the proxy ${new URL(proxy).host}`,
      dispatcher: this.#dispatcher(request, purpose, origin, credentials),
      origin,
      method,
      path: pathname,
      headers,
      signal,
      ...(body === undefined ? {} : { body }),
      ...(forbidden === undefined ? {} : { forbidden }),
    };
  }

  #dispatcher(request: RawRequest, purpose: AgentPurpose, origin: string, credentials: Credentials): Exchange['dispatcher'] {
    try {
      return this.#agents.dispatcher(purpose, origin, credentials);
    } catch (cause) {
      const problem = `the certificates of the credentials cannot be used: ${textOf(cause)}`;
      throw new KcpError({ ...askedAt(request), code: 'unauthorized', problem, cause });
    }
  }
}

function sameCredentials(a: Credentials, b: Credentials): boolean {
  return sameTls(a, b) && a.token === b.token && JSON.stringify(a.headers) === JSON.stringify(b.headers);
}

function askedAt({ asked, url }: RawRequest): { readonly asked: string; readonly at: string } {
  return { asked, at: splitUrl(url).origin };
}

/** Splits without normalising: names such as `..` must reach the server as they are, or not at all. */
function splitUrl(url: string): { readonly origin: string; readonly pathname: string } {
  const slash = url.indexOf('/', url.indexOf('://') + 3);
  return slash === -1 ? { origin: url, pathname: '/' } : { origin: url.slice(0, slash), pathname: url.slice(slash) };
}

async function beginning(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const read: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    read.push(chunk);
    length += chunk.length;
    if (length > FAILURE_MAX_BYTES) break;
  }
  return Buffer.concat(read);
}

function textOf(thrown: unknown): string {
  return typeof thrown === 'object' && thrown !== null && 'message' in thrown ? String(thrown.message) : String(thrown);
}
