// healthz, readyz and metrics over plain HTTP. Listens before anything else starts and closes after everything else has stopped.
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import express, { type Express } from 'express';
import type { AddressInfo } from 'node:net';
import type { Logger, Readiness } from '@dep-ctrl/kcp-client';
import { type FlaggedAddress, type ListenAddress, listenFailure } from '@dep-ctrl/command-settings';

/** What answers on the health and metrics addresses. */
export interface HealthServerOptions {
  readonly health: FlaggedAddress;
  /** The same address as health: one server for both. */
  readonly metrics: FlaggedAddress;
  readonly readiness: Readiness;
  readonly renderMetrics: () => Promise<{ readonly contentType: string; readonly text: string }>;
  readonly logger: Logger;
}

/** The plain HTTP servers of a process. */
export class HealthServer {
  readonly #options: HealthServerOptions;
  #servers: readonly Server[] = [];

  constructor(options: HealthServerOptions) {
    this.#options = options;
  }

  /** Listens. Throws when an address is taken, naming the flag; then nothing listens. */
  async start(): Promise<void> {
    const { health, metrics, logger } = this.#options;
    const shared = sameAddress(health.address, metrics.address);
    try {
      this.#servers = [await listen(this.#app({ health: true, metrics: shared }), health)];
      if (!shared) this.#servers = [...this.#servers, await listen(this.#app({ health: false, metrics: true }), metrics)];
    } catch (error) {
      await this.stop();
      throw error;
    }
    const [healthPort, metricsPort] = this.ports();
    logger.info('health and metrics are served', { healthPort, metricsPort });
  }

  /** The ports in use, health first; known once started. */
  ports(): readonly [health: number, metrics: number] {
    const ports = this.#servers.map((server) => (server.address() as AddressInfo).port);
    return [ports[0] ?? 0, ports[1] ?? ports[0] ?? 0];
  }

  /** Closes at once; probes do not wait for answers of a process that is gone. */
  async stop(): Promise<void> {
    await Promise.all(
      this.#servers.map(async (server) => {
        const closed = once(server, 'close');
        server.close();
        server.closeAllConnections();
        await closed;
      }),
    );
    this.#servers = [];
  }

  #app(routes: { readonly health: boolean; readonly metrics: boolean }): Express {
    const { readiness, renderMetrics } = this.#options;
    const app = express().disable('x-powered-by').disable('etag');
    if (routes.health) {
      app.get('/healthz', (_request, response) => void response.type('text/plain').send('ok'));
      app.get('/readyz', (request, response) => {
        const { ready, lines } = readiness.report();
        const verbose = request.query['verbose'] !== undefined || !ready;
        response
          .status(ready ? 200 : 503)
          .type('text/plain')
          .send(verbose ? [...lines, ready ? 'readyz check passed' : 'readyz check failed', ''].join('\n') : 'ok');
      });
    }
    if (routes.metrics) {
      app.get('/metrics', async (_request, response) => {
        const { contentType, text } = await renderMetrics();
        response.type(contentType).send(text);
      });
    }
    const served = [...(routes.health ? ['/healthz', '/readyz'] : []), ...(routes.metrics ? ['/metrics'] : [])];
    const notFound = `not found: try ${served.join(', ')}\n`;
    return app.use((_request, response) => void response.status(404).type('text/plain').send(notFound));
  }
}

async function listen(app: Express, flagged: FlaggedAddress): Promise<Server> {
  const server = createServer(app);
  server.listen(flagged.address.port, flagged.address.host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw listenFailure(error, flagged);
  }
  return server;
}

function sameAddress(a: ListenAddress, b: ListenAddress): boolean {
  return a.port !== 0 && a.port === b.port && (a.host ?? '') === (b.host ?? '');
}
