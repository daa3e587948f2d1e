// Serves the pages to one person on this machine. Other users of the machine, and other pages in that person's browser, must not read with that
// person's rights: every address begins with a token that is printed once, the Host must be this one, and nothing but GET is answered. No cookie, as
// browsers send those to every port of a host.
import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { describeFailure, listenFailure } from '@dep-ctrl/command-settings';
import type { LoopbackAddress } from '../command-line/parse-own-values.js';
import { ICON, SCRIPT, STYLE } from './pages/assets.js';
import { problem, renderPage, type Frame, type Page, type View } from './pages/page.js';

/** What is asked of a view: each field once. */
export type Asked = Readonly<Record<string, string>>;

/** Makes a page, within the time that a person waits for it. */
export type MakePage = (asked: Asked, signal: AbortSignal) => Promise<Page>;

/** What {@link ConsoleServer} needs. */
export interface ConsoleServerOptions {
  readonly address: LoopbackAddress;
  /** What every address begins with. */
  readonly token: string;
  readonly pages: Readonly<Record<View, MakePage>>;
  readonly frame: Frame;
}

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
const HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
} as const;

/** The server. */
export class ConsoleServer {
  readonly #options: ConsoleServerOptions;
  readonly #server: Server;
  /** What browsers may call it. */
  #hosts: readonly string[] = [];

  constructor(options: ConsoleServerOptions) {
    this.#options = options;
    this.#server = createServer(this.#app());
  }

  /** Listens, and answers the address to open. Throws when the port is taken, naming the flag. */
  async start(): Promise<string> {
    const { address, token } = this.#options;
    this.#server.listen(address.port, address.host);
    try {
      await once(this.#server, 'listening');
    } catch (error) {
      throw listenFailure(error, { flag: '--address', address });
    }
    const { port } = this.#server.address() as AddressInfo;
    const written = address.host.includes(':') ? `[${address.host}]` : address.host;
    this.#hosts = [written, 'localhost'].map((host) => `${host}:${String(port)}`);
    return `http://${written}:${String(port)}/${token}/`;
  }

  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  #app(): Express {
    const { token, pages, frame } = this.#options;
    const app = express().disable('x-powered-by').disable('etag').set('query parser', 'simple');
    app.use((request, response, next) => this.#admit(request, response, next));
    const asset = (path: string, type: string, text: string): void =>
      void app.get(`/:token/${path}`, (_request, response) => void response.type(type).send(text));
    asset('style.css', 'text/css', STYLE);
    asset('script.js', 'text/javascript', SCRIPT);
    asset('icon.svg', 'image/svg+xml', ICON);
    for (const [view, make] of Object.entries(pages) as [View, MakePage][]) {
      const path = view === './' ? '' : view;
      app.get(`/:token/${path}`, async (request, response) => {
        // Without it the page's own addresses, which begin nowhere, would lose the token.
        if (path === '' && !request.path.endsWith('/')) {
          response.redirect(308, `/${token}/`);
          return;
        }
        const gone = new AbortController();
        response.once('close', () => gone.abort());
        const page = await make(askedIn(request), gone.signal).catch((error: unknown) => failedPage(view, error));
        response.type('text/html').send(renderPage(page, frame));
      });
    }
    return app.use((_request, response) => void response.status(404).type('text/plain').send('not found\n'));
  }

  #admit(request: Request, response: Response, next: NextFunction): void {
    response.set(HEADERS);
    if (!this.#hosts.includes(request.headers.host ?? '')) {
      refuse(response, 421, `the console answers at ${this.#hosts.join(' and ')} only`);
      return;
    }
    const [, presented = ''] = request.path.split('/');
    if (!isSame(presented, this.#options.token)) {
      refuse(response, 403, 'open the address that "dep-ctrl console" printed, the whole of it');
      return;
    }
    if (request.method !== 'GET') {
      refuse(response.set('allow', 'GET'), 405, 'the console changes nothing: GET only');
      return;
    }
    next();
  }
}

function refuse(response: Response, code: number, text: string): void {
  response.status(code).type('text/plain').send(`${text}\n`);
}

/** Takes the same time for every wrong token. */
function isSame(presented: string, token: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(presented), digest(token));
}

// Longer than any name; pages and messages repeat what was asked.
const MOST_CHARACTERS = 500;

function askedIn({ query }: Request): Asked {
  const fields = Object.entries(query).flatMap(([key, value]) =>
    typeof value === 'string' ? [[key, value.trim().slice(0, MOST_CHARACTERS)]] : [],
  );
  return Object.fromEntries(fields) as Asked;
}

function failedPage(view: View, error: unknown): Page {
  const why = describeFailure(error);
  return { view, title: 'No answer', summary: why, content: problem(why), everySeconds: 10 };
}
