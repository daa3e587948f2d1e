import 'reflect-metadata';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:tls';
import { describe, expect, it } from '@jest/globals';
import { silentLogger, type Clock } from '@dep-ctrl/kcp-client';
import { StaticCaBundle, type CurrentCaBundle } from '@dep-ctrl/webhook-installer';
import { mintAuthority, mintServingPair, type Authority } from '../certificates/mint.js';
import { freePort } from '../testing/free-port.js';
import { WebhookUrlWatch, type WebhookUrlWatchDependencies } from './webhook-url-watch.js';

const HOST = '127.0.0.1';
const AWAY = 'warn webhook does not answer from here';
const BACK = 'info webhook answers from here';

describe(WebhookUrlWatch, () => {
  it('given a port where nobody listens, then readiness notes it from the first look on, one line says so after the second, within 10 s, and one line says when it answers', async () => {
    const port = await freePort();
    const authority = await mintAuthority(Date.now());
    const stage = new Stage({ webhookUrl: () => urlOf(port), caBundle: new StaticCaBundle(authority.certificate) });

    const note = `https://${HOST}:${String(port)} does not answer from here: connection refused`;
    expect(await stage.looked()).toBe(5_000);
    expect([stage.said, stage.watch.readiness.check()]).toEqual([[], { ready: true, note }]);
    await stage.again();
    expect(stage.said).toEqual([AWAY]);
    expect(stage.fields).toMatchObject([
      {
        webhookUrl: `https://${HOST}:${String(port)}`,
        problem: 'connection refused',
        fix: expect.stringMatching(/^mend the network of /),
      },
    ]);
    expect(stage.watch.readiness.check()).toEqual({ ready: true, note });
    await stage.again();
    expect(stage.said).toEqual([AWAY]);

    const server = await serve(authority, port);
    await stage.again();
    await stage.again();

    expect([stage.said, stage.watch.readiness.check()]).toEqual([[AWAY, BACK], { ready: true }]);
    await stage.stop();
    await close(server);
  });

  it('given a webhook that is away at one look only, as while it restarts, then readiness notes what the last look met, and nothing is logged', async () => {
    const port = await freePort();
    const authority = await mintAuthority(Date.now());
    const stage = new Stage({ webhookUrl: () => urlOf(port), caBundle: new StaticCaBundle(authority.certificate) });
    await stage.looked();

    const server = await serve(authority, port);
    await stage.again();
    const whileThere = stage.watch.readiness.check();
    await close(server);
    await stage.again();

    expect([stage.said, whileThere]).toEqual([[], { ready: true }]);
    expect(stage.watch.readiness.check()).toMatchObject({ note: expect.stringContaining('does not answer from here') });
    await stage.stop();
  });

  it('given another failure that stays, then that is told too', async () => {
    const port = await freePort();
    const [authority, other] = await Promise.all([mintAuthority(Date.now()), mintAuthority(Date.now())]);
    const stage = new Stage({ webhookUrl: () => urlOf(port), caBundle: new StaticCaBundle(other.certificate) });
    await stage.looked();
    await stage.again();

    const server = await serve(authority, port);
    await stage.again();
    await stage.again();

    expect(stage.fields).toMatchObject([{ problem: 'connection refused' }, { problem: 'certificate signed by unknown authority' }]);
    await stage.stop();
    await close(server);
  });

  it('given a CA bundle that changes, then it looks at once, with the new one', async () => {
    const [authority, other] = await Promise.all([mintAuthority(Date.now()), mintAuthority(Date.now())]);
    const server = await serve(authority, 0);
    const caBundle = new ChangingBundle({ kind: 'unread', problem: 'not yet' });
    const stage = new Stage({ webhookUrl: () => urlOf(portOf(server)), caBundle });
    expect(await stage.looked()).toBe(1_000);

    await stage.asWoken(() => caBundle.become(other));
    await stage.again();
    expect(stage.fields).toMatchObject([{ problem: 'certificate signed by unknown authority' }]);
    await stage.asWoken(() => caBundle.become(authority));

    expect(stage.said).toEqual([AWAY, BACK]);
    await stage.stop();
    await close(server);
  });

  it('given a webhook of the same process that does not serve yet, or a URL that is not known yet, then it does not look, and readiness says so', async () => {
    const port = await freePort();
    for (const missing of [{ isServing: () => false }, { webhookUrl: () => undefined }]) {
      const stage = new Stage({ webhookUrl: () => urlOf(port), ...missing });

      expect(await stage.looked()).toBe(1_000);
      await stage.again();
      await stage.again();

      expect([stage.said, stage.watch.readiness.check()]).toEqual([[], { ready: true, note: 'not checked yet' }]);
      await stage.stop();
    }
  });

  it('given that the process judges the certificate by its file, then what is wrong with it is noted and not told twice', async () => {
    const authority = await mintAuthority(Date.now());
    const server = await serve(authority, 0);
    const caBundle = new ChangingBundle({ kind: 'system' });
    const stage = new Stage({ webhookUrl: () => urlOf(portOf(server)), caBundle, isCertificateJudged: true });
    await stage.looked();
    await stage.again();
    const whileUntrusted = stage.watch.readiness.check();

    await stage.asWoken(() => caBundle.become(authority));

    expect(whileUntrusted).toMatchObject({ note: expect.stringContaining('certificate signed by unknown authority') });
    expect([stage.said, stage.watch.readiness.check()]).toEqual([[], { ready: true }]);
    await stage.stop();
    await close(server);
  });
});

function urlOf(port: number): string {
  return `https://${HOST}:${String(port)}/validate`;
}

/** A webhook with a certificate of this CA. */
async function serve(authority: Authority, port: number): Promise<Server> {
  const { certificate, key } = await mintServingPair(authority, [HOST], Date.now());
  const server = createServer({ cert: certificate, key }, (socket) => socket.resume());
  server.on('tlsClientError', () => undefined);
  server.listen(port, HOST);
  await once(server, 'listening');
  return server;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/** Ends only once no connection is open. */
async function close(server: Server): Promise<void> {
  server.close();
  await once(server, 'close');
}

class ChangingBundle {
  #current: CurrentCaBundle;
  #listener = (): void => undefined;

  constructor(current: CurrentCaBundle) {
    this.#current = current;
  }

  current(): CurrentCaBundle {
    return this.#current;
  }

  subscribe(listener: () => void): () => void {
    this.#listener = listener;
    return () => undefined;
  }

  become({ certificate }: Authority): void {
    this.#current = { kind: 'pem', pem: certificate };
    this.#listener();
  }
}

interface Pause {
  readonly ms: number;
  readonly end: () => void;
}

/** A watch whose pauses a spec ends. */
class Stage {
  readonly said: string[] = [];
  readonly fields: unknown[] = [];
  readonly watch: WebhookUrlWatch;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  #pause: Promise<Pause> = Promise.resolve({ ms: 0, end: () => undefined });
  #paused: (pause: Pause) => void = () => undefined;

  constructor(dependencies: Partial<WebhookUrlWatchDependencies>) {
    this.#expectPause();
    const saying =
      (level: string) =>
      (message: string, fields?: unknown): void => {
        this.said.push(`${level} ${message}`);
        if (level === 'warn') this.fields.push(fields);
      };
    const clock: Clock = {
      now: () => Date.now(),
      monotonic: () => 0,
      sleep: (ms, { signal }) =>
        new Promise((resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
          this.#paused({ ms, end: resolve });
        }),
    };
    this.watch = new WebhookUrlWatch({
      webhookUrl: () => undefined,
      caBundle: new StaticCaBundle(undefined),
      isServing: () => true,
      isCertificateJudged: false,
      fixes: { host: of('host'), dates: of('dates'), authority: of('authority'), network: of('network') },
      clock,
      logger: { ...silentLogger, info: saying('info'), warn: saying('warn') },
      ...dependencies,
    });
    this.#running = this.watch.run(this.#stop.signal);
  }

  /** Once it has looked: for how long it pauses then. */
  async looked(): Promise<number> {
    return (await this.#pause).ms;
  }

  /** Ends the pause and waits until it has looked. */
  async again(): Promise<void> {
    const { end } = await this.#pause;
    this.#expectPause();
    end();
    await this.#pause;
  }

  /** Does what ends the pause, and waits until it has looked. */
  async asWoken(wake: () => void): Promise<void> {
    await this.#pause;
    this.#expectPause();
    wake();
    await this.#pause;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  #expectPause(): void {
    this.#pause = new Promise((resolve) => (this.#paused = resolve));
  }
}

function of(cause: string): (host: string) => string {
  return (host) => `mend the ${cause} of ${host}`;
}
