import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { LeaderElector, LeaseHolder } from '../index.js';
import { json, text } from '../spec-support/serve.js';
import { withClient } from '../spec-support/with-client.js';
import { Told } from '../spec-support/told.js';

const NAME = 'dep-ctrl';
const IDENTITY = 'we';
// Renewed often, so that a restart is many tries long; held long, so that a busy machine ends no term.
const DURATIONS = { leaseMs: 60_000, renewDeadlineMs: 50_000, retryMs: 20 };
const TRIES = 10;

/** Answers of a kcp that starts, to reads and writes of a lease that it has. */
const ANSWERS: Readonly<Record<string, RequestListener>> = {
  'a 404 in plain text': text(404, '404 page not found'),
  'a 404 about the workspace': json(404, notFound('root:dep-ctrl', 'tenancy.kcp.io', 'workspaces')),
  'a 404 about the lease': json(404, notFound(NAME, 'coordination.k8s.io', 'leases')),
};

describe('a kcp that restarts answers 404 although the lease is there', () => {
  it.each(Object.keys(ANSWERS))('given %s at first, then leadership is not lost', async (given) => {
    const kcp = new LeaseServer(ANSWERS[given]!);

    await withClient(kcp.listener, async (client) => {
      const { elector, terms, stop, ended } = lead(client);
      await kcp.told.until(() => kcp.written.length >= 2);

      kcp.isStarting = true;
      await kcp.told.until(() => kcp.refused >= TRIES);
      expect(elector.isLeader()).toBe(true);
      kcp.isStarting = false;
      const before = kcp.written.length;
      await kcp.told.until(() => kcp.written.length >= before + 2);

      expect([elector.isLeader(), terms()]).toEqual([true, 1]);
      stop.abort();
      await ended;
    });
  });

  it.each([
    { given: 'a 404 about the workspace', isProblem: true },
    { given: 'a 404 about the lease', isProblem: false },
  ])('given $given, then whether that is told as a problem is $isProblem', async ({ given, isProblem }) => {
    await withClient(ANSWERS[given]!, async (client) => {
      const lease = new LeaseHolder(client, IDENTITY);

      const asked = lease.client.get(LEASES, { namespace: 'default', name: NAME }, { signal: AbortSignal.timeout(5_000) });

      await expect(asked).rejects.toThrow('404');
      expect(lease.problem() !== undefined).toBe(isProblem);
    });
  });
});

const LEASES = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' };

function lead(client: ConstructorParameters<typeof LeaderElector>[0]['client']) {
  const elector = new LeaderElector({ client, namespace: 'default', name: NAME, identity: IDENTITY, durations: DURATIONS });
  const stop = new AbortController();
  let terms = 0;
  const ended = elector.run((term) => {
    terms += 1;
    return new Promise((resolve) => term.addEventListener('abort', () => resolve(), { once: true }));
  }, stop.signal);
  return { elector, terms: () => terms, stop, ended };
}

/** Keeps one lease as kcp does, and while it starts answers as it is told. */
class LeaseServer {
  readonly told = new Told<never>();
  /** The writes that were taken, in order. */
  readonly written: string[] = [];
  isStarting = false;
  refused = 0;
  #lease: KubeObject | undefined;
  readonly #whileStarting: RequestListener;

  constructor(whileStarting: RequestListener) {
    this.#whileStarting = whileStarting;
  }

  readonly listener: RequestListener = (request, response) => {
    void this.#answer(request, response).finally(() => this.told.check());
  };

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const sent = await textOf(request);
    if (this.isStarting) {
      this.refused += 1;
      this.#whileStarting(request, response);
      return;
    }
    const [status, body] = this.#serve(String(request.method), sent);
    json(status, body)(request, response);
  }

  #serve(method: string, sent: string): readonly [number, object] {
    const lease = this.#lease;
    if (method === 'GET') return lease === undefined ? [404, notFound(NAME, LEASES.group, LEASES.resource)] : [200, lease];
    const object = JSON.parse(sent) as KubeObject;
    const isStale = lease?.metadata.resourceVersion !== object.metadata.resourceVersion;
    if (isStale) return [409, { kind: 'Status', code: 409, reason: method === 'POST' ? 'AlreadyExists' : 'Conflict' }];
    this.written.push(method);
    this.#lease = { ...object, metadata: { ...object.metadata, resourceVersion: String(this.written.length) } };
    return [200, this.#lease];
  }
}

function notFound(name: string, group: string, kind: string): object {
  const message = `${kind}.${group} "${name}" not found`;
  return { kind: 'Status', apiVersion: 'v1', status: 'Failure', message, reason: 'NotFound', details: { name, group, kind }, code: 404 };
}
