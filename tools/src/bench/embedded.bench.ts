// The embedded kcp against its promises: how fast it starts, stores, lists and tells, how small it is, and that it lets go. The server
// runs in a process of its own; what it serves is compared with the same bytes served from memory by a bare HTTPS server beside it.

import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Agent, request } from 'undici';
import { report, type Measured } from './measure.js';
import { drained, headers, post } from './embedded-requests.js';
import { serve, type FromServer, type Started } from './embedded-server.js';
import { WATCHES, watchWrites, WRITES_PER_SECOND } from './watched-writes.js';

const OBJECTS = 5_000;
// Until then the engine still compiles; both rates are reported.
const WARM_UP = 1_000;
const OBJECT_BYTES = 2_000;
const WRITERS = 32;

// This very file is both sides: run with `serve` it is the server.
if (process.argv[2] === 'serve') await serve(Number(process.argv[3] ?? '1'));
else await measure();

async function measure(): Promise<void> {
  const lines: Measured[] = [];
  const imported = await withServer({ shards: 1 }, async ({ started, agent, bareAgent }) => {
    const base = `${started.url}/clusters/root/api/v1/namespaces/default/configmaps`;
    const namespaces = `${started.url}/clusters/root/api/v1/namespaces`;
    await post(agent, started, namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'warm-up' } });
    const warmUp = `${namespaces}/warm-up/configmaps`;
    const coldPerSecond = await createObjects(agent, started, { url: warmUp, count: WARM_UP });
    const perSecond = await createObjects(agent, started, { url: base, count: OBJECTS });
    const list = await fastest(() => bytesOf(agent, `${base}?resourceVersion=0`, started));
    const bare = await fastest(() => bytesOf(bareAgent, started.bareUrl, started));
    const table = await fastest(() =>
      bytesOf(agent, `${base}?includeObject=None`, started, 'application/json;as=Table;v=v1;g=meta.k8s.io'),
    );
    lines.push(
      { what: 'ready after start, one shard', value: started.readyMs, unit: 'ms', goal: { atMost: 300 } },
      { what: `the first ${WARM_UP} creates of a process`, value: coldPerSecond, unit: '/s' },
      {
        what: `creates of ${OBJECT_BYTES} bytes through HTTPS, ${WRITERS} at a time`,
        value: perSecond,
        unit: '/s',
        goal: { atLeast: 2_000 },
      },
      { what: `one page of ${OBJECTS} objects`, value: list.ms, unit: 'ms' },
      { what: 'its size', value: list.bytes / 1_048_576, unit: 'MiB' },
      {
        what: 'the same page, against the same bytes from memory',
        value: list.ms / (bare.ms * (list.bytes / bare.bytes)),
        unit: 'x',
        goal: { atMost: 2.5 },
      },
      { what: 'the same as a table without objects', value: table.ms, unit: 'ms' },
    );
    return started.importMs;
  });
  lines.push({ what: 'imports, before the start', value: imported, unit: 'ms' });

  await withServer({ shards: 1 }, async ({ started, agent }) => {
    const { lost, perSecond, slowestMs } = await watchWrites(agent, started);
    lines.push(
      {
        what: `writes with ${WATCHES} watches open, each write seen by two`,
        value: perSecond,
        unit: '/s',
        goal: { atLeast: WRITES_PER_SECOND },
      },
      { what: 'events lost or out of order', value: lost, unit: '', goal: { atMost: 0 } },
      { what: 'slowest event, from the answer to the write', value: slowestMs, unit: 'ms' },
    );
  });

  await withServer({ shards: 2 }, async ({ started, server }) => {
    const memory = await ask(server, 'memory');
    lines.push(
      { what: 'ready after start, two shards', value: started.readyMs, unit: 'ms', goal: { atMost: 600 } },
      {
        what: 'idle memory of the process, two shards',
        value: (memory.kind === 'memory' ? memory.rss : Number.NaN) / 1_048_576,
        unit: 'MiB',
        goal: { atMost: 120 },
      },
    );
  });

  lines.push({
    what: 'a process that started and stopped it exits after',
    value: await exitAfterStop(),
    unit: 'ms',
    goal: { atMost: 1_000 },
  });
  report('embedded', lines);
}

interface Running {
  readonly started: Started;
  readonly agent: Agent;
  /** Trusts the bare server, whose certificate is not signed for serving. */
  readonly bareAgent: Agent;
  readonly server: ChildProcess;
}

async function withServer<T>(options: { readonly shards: number }, run: (running: Running) => Promise<T>): Promise<T> {
  const server = startServer(options);
  try {
    const started = await nextMessage(server);
    if (started.kind !== 'started') throw new Error('the server said something else first');
    const agent = new Agent({ connect: { ca: started.ca }, connections: null, pipelining: 1 });
    const bareAgent = new Agent({ connect: { rejectUnauthorized: false } });
    try {
      return await run({ started, agent, bareAgent, server });
    } finally {
      await Promise.all([agent.destroy(), bareAgent.destroy()]);
    }
  } finally {
    server.kill('SIGKILL');
  }
}

function startServer({ shards }: { readonly shards: number }): ChildProcess {
  return fork(fileURLToPath(import.meta.url), ['serve', String(shards)], { execArgv: ['--expose-gc'] });
}

async function nextMessage(server: ChildProcess): Promise<FromServer> {
  const [message] = (await once(server, 'message')) as [FromServer];
  return message;
}

async function ask(server: ChildProcess, question: 'memory' | 'stop'): Promise<FromServer> {
  const answer = nextMessage(server);
  server.send(question);
  return answer;
}

async function exitAfterStop(): Promise<number> {
  const server = startServer({ shards: 2 });
  await nextMessage(server);
  await ask(server, 'stop');
  const stopped = performance.now();
  await once(server, 'exit');
  return performance.now() - stopped;
}

async function createObjects(
  agent: Agent,
  started: Started,
  { url, count }: { readonly url: string; readonly count: number },
): Promise<number> {
  const payload = 'x'.repeat(OBJECT_BYTES);
  let next = 0;
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: WRITERS }, async () => {
      while (next < count) {
        const name = `object-${next}`;
        next += 1;
        const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { payload } });
        await drained(await request(url, { dispatcher: agent, method: 'POST', headers: headers(started), body }), 201);
      }
    }),
  );
  return count / ((performance.now() - begun) / 1_000);
}

async function bytesOf(agent: Agent, url: string, started: Started, accept?: string): Promise<number> {
  return drained(await request(url, { dispatcher: agent, headers: headers(started, accept) }), 200);
}

async function fastest(run: () => Promise<number>, rounds = 10): Promise<{ readonly ms: number; readonly bytes: number }> {
  let best = { ms: Number.POSITIVE_INFINITY, bytes: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const begun = performance.now();
    const bytes = await run();
    const ms = performance.now() - begun;
    if (ms < best.ms) best = { ms, bytes };
  }
  return best;
}
