// Stands before every server of one kcp and breaks the requests it is told to break: what a lossy network, a restarting front-proxy or a
// careless gateway would do, in front of any kcp, real or not. Where kcp names its own addresses to a caller, the proxy's stand in their
// place, so that virtual workspaces are reached through it too. It ends TLS: tokens go through as they are; who shows a client certificate
// that the proxy was given with its key is shown to kcp with it.
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Agent, createServer, request, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import type { KeyPair } from '../backends/pki.js';
import { CALLERS, matchesRequest, type Caller, type ProxiedRequest, type ProxyFault, type RequestMatch } from './fault.js';

/** What a proxy stands before. */
export interface ProxyStart {
  /** Base URLs of kcp's servers. */
  readonly servers: readonly string[];
  /** PEM that verifies them. */
  readonly ca: string;
  /** What the proxy serves with. */
  readonly serving: KeyPair;
}

/** Where a caller reaches each server of kcp: the proxy's URL by kcp's. */
export type ProxyAddresses = Readonly<Record<Caller, ReadonlyMap<string, string>>>;

/** A fault to put in force. */
export interface FaultWish {
  readonly match: RequestMatch;
  readonly fault: ProxyFault;
  /** So many requests that match pass unharmed before. */
  readonly sparing?: number;
}

/** A fault in force. */
export class FaultInForce {
  readonly wish: FaultWish;
  readonly #over = new AbortController();
  #spared = 0;
  /** How many requests it has broken. */
  hits = 0;

  constructor(wish: FaultWish) {
    this.wish = wish;
  }

  /** Aborts once it is mended. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** Whether it breaks a request, which is counted. */
  takes(asked: ProxiedRequest): boolean {
    const { match, sparing = 0 } = this.wish;
    if (!matchesRequest(match, asked)) return false;
    if (this.#spared < sparing) {
      this.#spared += 1;
      return false;
    }
    this.hits += 1;
    return true;
  }

  mend(): void {
    this.#over.abort();
  }
}

interface Exchange {
  readonly asked: IncomingMessage;
  readonly answer: ServerResponse;
  /** Base URL of the server of kcp. */
  readonly server: string;
  /** Path and query. */
  readonly target: string;
  /** What kcp's addresses are replaced with in the answer; empty for most. */
  readonly addresses: ReadonlyMap<string, string>;
}

interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: AsyncIterable<string | Buffer>;
}

// Hop-by-hop headers end here.
const NOT_PASSED_ON = new Set(['connection', 'host', 'keep-alive', 'transfer-encoding']);
// Where kcp says to others how it is reached.
const NAMES_ADDRESSES = /\/(?:apiexportendpointslices|workspacetypes)(?:\/|$)/;

/** The proxy. */
export class ProxyServer {
  readonly #start: ProxyStart;
  readonly #listeners: Server[] = [];
  readonly #faults = new Set<FaultInForce>();
  readonly #anonymous: Agent;
  /** By the fingerprint of what the caller shows. */
  readonly #agents = new Map<string, Agent>();
  /** Makes every list come in pages of at most so many objects. */
  pageLimit: number | undefined;
  /** Is told of each request. */
  readonly #onRequest: (asked: ProxiedRequest, fault: ProxyFault | undefined) => void;

  constructor(start: ProxyStart, onRequest: (asked: ProxiedRequest, fault: ProxyFault | undefined) => void = () => undefined) {
    this.#start = start;
    this.#anonymous = new Agent({ ca: start.ca, keepAlive: true });
    this.#onRequest = onRequest;
  }

  /** Opens a listener for each caller and server. */
  async listen(): Promise<ProxyAddresses> {
    const addresses = { controller: new Map<string, string>(), webhook: new Map<string, string>(), command: new Map<string, string>() };
    for (const caller of CALLERS) {
      for (const server of new Set(this.#start.servers)) {
        addresses[caller].set(server, await this.#open((asked, answer) => this.#serve(asked, answer, { caller, server, addresses })));
      }
    }
    return addresses;
  }

  /** Puts a fault in force. Where several match, the first one acts. */
  add(wish: FaultWish): FaultInForce {
    const fault = new FaultInForce(wish);
    this.#faults.add(fault);
    fault.over.addEventListener('abort', () => void this.#faults.delete(fault));
    return fault;
  }

  /** Shows this certificate to kcp for whoever shows it here. */
  present({ cert, key }: KeyPair): void {
    const { ca } = this.#start;
    this.#agents.set(new X509Certificate(cert).fingerprint256, new Agent({ ca, cert, key, keepAlive: true }));
  }

  /** Ends it and every connection. */
  close(): void {
    for (const listener of this.#listeners) {
      listener.closeAllConnections();
      listener.close();
    }
    for (const agent of [this.#anonymous, ...this.#agents.values()]) agent.destroy();
  }

  async #open(serve: (asked: IncomingMessage, answer: ServerResponse) => Promise<void>): Promise<string> {
    // kcp judges a client certificate, not this proxy.
    const listener = createServer({ ...this.#start.serving, requestCert: true, rejectUnauthorized: false, keepAliveTimeout: 0 });
    listener.on('request', (asked: IncomingMessage, answer: ServerResponse) => void serve(asked, answer));
    this.#listeners.push(listener);
    listener.listen(0, '127.0.0.1');
    await once(listener, 'listening');
    return `https://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  }

  async #serve(
    asked: IncomingMessage,
    answer: ServerResponse,
    { caller, server, addresses }: { readonly caller: Caller; readonly server: string; readonly addresses: ProxyAddresses },
  ): Promise<void> {
    const { method = 'GET', headers, url = '/' } = asked;
    const [path = '/', query = ''] = url.split(/\?(.*)/s);
    const proxied = { caller, server, method, path, query, accept: headers.accept ?? '' };
    const fault = [...this.#faults].find((each) => each.takes(proxied));
    this.#onRequest(proxied, fault?.wish.fault);
    const target = this.pageLimit === undefined ? url : url.replace(/\blimit=\d+/, `limit=${this.pageLimit}`);
    const named: ReadonlyMap<string, string> = NAMES_ADDRESSES.test(path) ? addresses[caller] : new Map();
    answer.on('error', () => undefined); // the caller has gone
    try {
      await this.#answer(fault, { asked, answer, server, target, addresses: named });
    } catch {
      answer.destroy(); // kcp or the caller has gone: the other learns it this way
    }
  }

  async #answer(inForce: FaultInForce | undefined, exchange: Exchange): Promise<void> {
    const { asked, answer } = exchange;
    const fault = inForce?.wish.fault;
    switch (fault?.kind) {
      case undefined:
        return this.#passOn(exchange);
      case 'hang':
        return;
      case 'hold':
        if (inForce?.over.aborted === false) await once(inForce.over, 'abort');
        return this.#passOn(exchange);
      case 'delay':
        await sleep(fault.ms);
        return this.#passOn(exchange);
      case 'reset':
        asked.socket.destroy();
        return;
      case 'answer':
        answer.writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers });
        answer.end(fault.body ?? JSON.stringify({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: fault.status }));
        return;
      case 'cut':
      case 'half': {
        const { status, headers, body } = await this.#ask(exchange);
        const whole = await collected(body);
        const half = whole.subarray(0, Math.floor(whole.length / 2));
        answer.writeHead(status, { ...headers, 'content-length': fault.kind === 'cut' ? whole.length : half.length });
        answer.write(half, () => (fault.kind === 'cut' ? asked.socket.destroy() : answer.end()));
        return;
      }
      default:
        fault satisfies never;
    }
  }

  async #passOn(exchange: Exchange): Promise<void> {
    const { status, headers, body } = await this.#ask(exchange);
    exchange.answer.writeHead(status, headers);
    exchange.answer.flushHeaders(); // of a watch, long before its first event
    await pipeline(body, exchange.answer);
  }

  /** Asks kcp, unless the caller has gone meanwhile. */
  async #ask({ asked, answer, server, target, addresses }: Exchange): Promise<Answered> {
    if (asked.socket.destroyed) throw new Error('the caller has gone');
    const { method = 'GET' } = asked;
    const onward = request(server + target, { method, headers: passedOn(asked.headers), agent: this.#agentFor(asked.socket) });
    onward.on('error', () => undefined); // heard below, or by whoever reads the body
    answer.once('close', () => onward.destroy());
    asked.pipe(onward);
    const [answered] = (await once(onward, 'response')) as [IncomingMessage];
    const { 'content-length': length, ...headers } = passedOn(answered.headers);
    const status = answered.statusCode ?? 500;
    if (addresses.size > 0) return { status, headers, body: readdressed(answered, addresses) };
    return { status, headers: { ...headers, ...(length === undefined ? {} : { 'content-length': length }) }, body: answered };
  }

  #agentFor(socket: Socket): Agent {
    const shown = socket instanceof TLSSocket ? socket.getPeerX509Certificate()?.fingerprint256 : undefined;
    return this.#agents.get(shown ?? '') ?? this.#anonymous;
  }
}

/** A body with other addresses, line by line: a watch event is a line, and so is a list. */
async function* readdressed(body: AsyncIterable<Buffer>, addresses: ReadonlyMap<string, string>): AsyncGenerator<string> {
  const put = (line: string): string => [...addresses].reduce((text, [from, to]) => text.replaceAll(`${from}/`, `${to}/`), line);
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield `${put(line)}\n`;
  }
  if (rest !== '') yield put(rest);
}

async function collected(body: AsyncIterable<string | Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  return Buffer.concat(chunks);
}

function passedOn(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const passed: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) if (value !== undefined && !NOT_PASSED_ON.has(name)) passed[name] = value;
  return passed;
}
