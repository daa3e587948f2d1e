import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import {
  AdmissionServer,
  defaultServerLimits,
  type AdmissionServerOptions,
  type Routed,
  type ServerLimits,
} from '../server/admission-server.js';
import { parseCallTimeout } from '../server/call-timeout.js';
import { testCertificates, type TestCertificates } from '../testing/certificates.js';
import { httpsPost, type HttpsAnswer, type HttpsQuestion } from '../testing/https-post.js';

/** What a spec decides of the server. */
export interface HeldServerChange extends Partial<Pick<AdmissionServerOptions, 'answerGet' | 'failed' | 'product'>> {
  readonly limits?: Partial<ServerLimits>;
}

/** A server whose answers a spec can hold back. */
export class HeldServer {
  readonly server: AdmissionServer;
  readonly options: AdmissionServerOptions;
  /** All that were parsed: nothing here keeps them. */
  readonly bodies: WeakRef<Buffer>[] = [];
  /** The first byte of each. */
  readonly parsed: string[] = [];
  readonly calls: { readonly sharer: string; readonly timeoutMs: number }[] = [];
  readonly hosts: (string | undefined)[] = [];
  port = 0;
  readonly #certificates: TestCertificates;
  readonly #signals: AbortSignal[] = [];
  readonly #arrivals: { readonly count: number; readonly tell: (signal: AbortSignal) => void }[] = [];
  readonly #parsings: { readonly count: number; readonly tell: () => void }[] = [];
  #held: Promise<void> = Promise.resolve();
  #heldParsing: Promise<void> = Promise.resolve();

  private constructor(certificates: TestCertificates, { limits = {}, ...change }: HeldServerChange) {
    this.#certificates = certificates;
    this.options = {
      ...change,
      limits: { ...defaultServerLimits, ...limits },
      host: '127.0.0.1',
      port: 0,
      served: 'reviews are posted to /validate',
      route: (url) => this.#route(url),
    };
    this.server = new AdmissionServer(this.options);
    this.server.use(certificates.pair);
  }

  /** Listens on a port of the system's choice. */
  static async start(change: HeldServerChange): Promise<HeldServer> {
    const held = new HeldServer(await testCertificates(), change);
    held.port = (await held.server.listen()).port;
    return held;
  }

  /** `/validate/<sharer>/<token>`, where one token is wrong. */
  #route(url: string): Routed {
    const [path = '', query = ''] = url.split('?');
    const [, root, sharer = '', token] = path.split('/');
    if (root !== 'validate') return 'elsewhere';
    if (token === 'wrong') return 'not-admitted';
    return {
      sharer,
      timeoutMs: parseCallTimeout(query),
      parse: async (body) => {
        this.bodies.push(new WeakRef(body));
        const text = body.toString();
        this.parsed.push(text.charAt(0));
        for (const { count, tell } of this.#parsings) if (count === this.parsed.length) tell();
        await this.#heldParsing;
        return async (timeoutMs, { signal, host }) => {
          this.calls.push({ sharer, timeoutMs });
          this.hosts.push(host);
          this.#signals.push(signal);
          for (const { count, tell } of this.#arrivals) if (count === this.#signals.length) tell(signal);
          await this.#held;
          return { code: 200, contentType: 'application/json', body: `answer to ${text}` };
        };
      },
    };
  }

  async stop(): Promise<void> {
    await this.server.drain(AbortSignal.abort());
  }

  /** Keeps answers back until the returned function is called. */
  hold(): () => void {
    let release: () => void = () => undefined;
    this.#held = new Promise((resolve) => (release = resolve));
    return release;
  }

  /** Keeps bodies from being parsed to their end until the returned function is called. */
  holdParsing(): () => void {
    let release: () => void = () => undefined;
    this.#heldParsing = new Promise((resolve) => (release = resolve));
    return release;
  }

  /** Resolves once so many bodies have begun to be parsed. */
  parsing(count: number): Promise<void> {
    return this.parsed.length >= count ? Promise.resolve() : new Promise((tell) => this.#parsings.push({ count, tell }));
  }

  /** The signal of the review with this number, once it is being judged. */
  arrived(count: number): Promise<AbortSignal> {
    const known = this.#signals[count - 1];
    return known === undefined ? new Promise((tell) => this.#arrivals.push({ count, tell })) : Promise.resolve(known);
  }

  question(change: Partial<HttpsQuestion>): HttpsQuestion {
    return { port: this.port, path: '/validate', ca: this.#certificates.authority.certificate, ...change };
  }

  post(change: Partial<HttpsQuestion>): Promise<HttpsAnswer> {
    return httpsPost(this.question(change));
  }

  async connect(over: { readonly socket?: Socket } = {}): Promise<TLSSocket> {
    const socket = connect({ port: this.port, host: '127.0.0.1', ca: this.#certificates.authority.certificate, ...over });
    socket.on('error', () => undefined);
    await once(socket, 'secureConnect');
    return socket;
  }
}
