// What kcp-client costs beside plain undici on the same TLS server: small GETs, a long list, a busy watch, many idle clusters. And how
// many requests the libraries above it need.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { Connection, Reflector, type ReflectorEvent } from '@dep-ctrl/kcp-client';
import { workspacePath } from '@dep-ctrl/kcp-names';
import { Agent } from 'undici';
import { CLUSTERS, EVENTS, LISTED, serve } from './kcp-client-server.js';
import { countRequests } from './library-requests.js';
import { report } from './measure.js';

const ROUNDS = 21;
const GETS = 200;
const VPCS = { group: 'network.example.com', version: 'v1', resource: 'vpcs' };

interface Files {
  readonly key: string;
  readonly cert: string;
}

if (isMainThread) await bench();
else serve((workerData as Files).key, (workerData as Files).cert);

async function bench(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const files = { key: join(folder, 'tls.key'), cert: join(folder, 'tls.crt') };
  makeCertificate(files);
  const worker = new Worker(fileURLToPath(import.meta.url), { workerData: files });
  try {
    const port = await new Promise<number>((resolve) => worker.once('message', resolve));
    await measureAll(`https://127.0.0.1:${String(port)}`, readFileSync(files.cert, 'utf8'));
  } finally {
    await worker.terminate();
    rmSync(folder, { recursive: true });
  }
}

async function measureAll(server: string, ca: string): Promise<void> {
  const connection = new Connection({ server, credentials: { ca } });
  const agent = new Agent({ connections: 10, connect: { ca } });
  const gets = await interleaved(
    () => plainGets(agent, server),
    () => clientGets(connection),
  );
  const lists = await interleaved(
    () => plainList(agent, server),
    () => clientList(connection),
  );
  const watch = await busyWatch(connection);
  const bytesPerCluster = await idleClusters(connection);
  await connection.close();
  await agent.close();
  const requests = await countRequests();
  report('kcp-client', [
    { what: `${String(GETS)} small GETs at once, plain undici`, value: gets.plain, unit: 'ms' },
    { what: `${String(GETS)} small GETs at once, kcp-client`, value: gets.ours, unit: 'ms' },
    { what: 'small GETs, against plain undici', value: gets.ours / gets.plain, unit: 'x', goal: { atMost: 1.3 } },
    { what: `list of ${String(LISTED)} objects of 2 KB without parsing, plain undici`, value: lists.plain, unit: 'ms' },
    { what: `list of ${String(LISTED)} objects of 2 KB without parsing, kcp-client`, value: lists.ours, unit: 'ms' },
    { what: 'long list, against plain undici', value: lists.ours / lists.plain, unit: 'x', goal: { atMost: 1.15 } },
    { what: 'events of 1 KB that one watch takes', value: watch.perSecond, unit: '/s', goal: { atLeast: 10_000 } },
    { what: 'heap that grew meanwhile', value: watch.grownBytes / 1024 ** 2, unit: 'MiB', goal: { atMost: 8 } },
    {
      what: `memory per idle cluster of ${String(CLUSTERS)} in one wildcard watch`,
      value: bytesPerCluster,
      unit: 'B',
      goal: { atMost: 1_024 },
    },
    ...requests,
  ]);
}

/** Medians of both, measured in turns. */
async function interleaved(
  plain: () => Promise<void>,
  ours: () => Promise<void>,
): Promise<{ readonly plain: number; readonly ours: number }> {
  const times: { readonly plain: number[]; readonly ours: number[] } = { plain: [], ours: [] };
  for (let warmUp = 0; warmUp < 5; warmUp += 1) {
    await plain();
    await ours();
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    // Who comes first pays for what the other left behind.
    if (round % 2 === 0) times.plain.push(await timed(plain));
    times.ours.push(await timed(ours));
    if (round % 2 === 1) times.plain.push(await timed(plain));
  }
  return { plain: median(times.plain), ours: median(times.ours) };
}

async function timed(run: () => Promise<void>): Promise<number> {
  globalThis.gc?.();
  const start = performance.now();
  await run();
  return performance.now() - start;
}

function median(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? NaN;
}

async function plainGets(agent: Agent, origin: string): Promise<void> {
  const get = async (): Promise<void> => {
    const { body } = await agent.request({ origin, path: '/clusters/root/apis/network.example.com/v1/vpcs/vpc-1', method: 'GET' });
    await body.json();
  };
  await Promise.all(Array.from({ length: GETS }, get));
}

async function clientGets(connection: Connection): Promise<void> {
  const client = connection.cluster(root());
  const { signal } = new AbortController();
  await Promise.all(Array.from({ length: GETS }, () => client.get(VPCS, { name: 'vpc-1' }, { signal })));
}

async function plainList(agent: Agent, origin: string): Promise<void> {
  const { body } = await agent.request({ origin, path: '/clusters/root/apis/network.example.com/v1/vpcs', method: 'GET' });
  Buffer.from(await body.arrayBuffer());
}

async function clientList(connection: Connection): Promise<void> {
  const { signal } = new AbortController();
  for await (const page of connection.cluster(root()).list(VPCS, { limit: LISTED }, { signal })) {
    if (!page.last) throw new Error('one page was expected');
  }
}

async function busyWatch(connection: Connection): Promise<{ readonly perSecond: number; readonly grownBytes: number }> {
  const stop = new AbortController();
  let taken = 0;
  let began = 0;
  let most = 0;
  let before = 0;
  const onEvent = (event: ReflectorEvent): void => {
    if (event.kind === 'replaced') return;
    if (taken === 0) {
      before = heapUsed();
      began = performance.now();
    }
    taken += 1;
    if (taken % 20_000 === 0) most = Math.max(most, heapUsed());
    if (taken === EVENTS) stop.abort();
  };
  await new Reflector({ client: connection.wildcard(), type: VPCS, onEvent }).run(stop.signal);
  return { perSecond: EVENTS / ((performance.now() - began) / 1000), grownBytes: most - before };
}

/** What stays when the objects themselves have gone: the consumer keeps them, or not. */
async function idleClusters(connection: Connection): Promise<number> {
  const stop = new AbortController();
  const before = await settledHeap();
  let clusters = 0;
  const reflector = new Reflector({
    client: connection.wildcard(),
    type: { ...VPCS, resource: 'subnets' },
    onEvent: (event) => {
      if (event.kind === 'replaced') clusters = event.objects.length;
    },
  });
  const ended = reflector.run(stop.signal);
  while (reflector.freshness().disconnectedSinceMs !== undefined) await new Promise((resolve) => setTimeout(resolve, 20));
  const grown = (await settledHeap()) - before;
  stop.abort();
  await ended;
  if (clusters !== CLUSTERS) throw new Error(`the list had ${String(clusters)} clusters`);
  return Math.max(0, grown) / CLUSTERS;
}

/** The least of several looks: buffers that are not in use any more go a while after the collection that found them. */
async function settledHeap(): Promise<number> {
  const looks: number[] = [];
  for (let look = 0; look < 10; look += 1) {
    looks.push(heapUsed());
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return Math.min(...looks);
}

function heapUsed(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
}

function root(): Parameters<Connection['cluster']>[0] {
  const path = workspacePath('root');
  return path;
}

function makeCertificate({ key, cert }: Files): void {
  const subject = ['-subj', '/CN=bench', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '1'];
  const { status } = spawnSync('openssl', [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-keyout',
    key,
    '-out',
    cert,
    ...subject,
  ]);
  if (status !== 0) throw new Error('this bench needs openssl on PATH');
}
