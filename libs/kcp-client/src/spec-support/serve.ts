import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A server on a real socket whose every answer a spec decides. */
export class ServedForSpec {
  readonly url: string;
  readonly #server: Server;

  constructor(server: Server, scheme: 'http' | 'https') {
    this.#server = server;
    this.url = `${scheme}://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Serves on a free port of 127.0.0.1 until disposed. */
export async function serve(listener: RequestListener, tls?: ServerOptions): Promise<ServedForSpec> {
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return new ServedForSpec(server, tls === undefined ? 'http' : 'https');
}

/** A port of 127.0.0.1 where nobody listens. */
export async function unusedUrl(): Promise<string> {
  const served = await serve(() => undefined);
  await served[Symbol.asyncDispose]();
  return served.url;
}

/** Answers with JSON. */
export function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): RequestListener {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
}

/** Answers with text. */
export function text(status: number, body: string, headers: Readonly<Record<string, string>> = {}): RequestListener {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers }).end(body);
  };
}
