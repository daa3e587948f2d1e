// What the controller kit costs beside the bare watch of kcp-client, on the same server in the same run: memory, CPU, the first sync of 100 000 objects, the
// time from a change to its reconcile, and 200 endpoints of which one is dead. Beside it the informer of @kubernetes/client-node, where it can do the same.
// `--part 0.02` runs a part of it, to see that it works, and keeps no results.
import { fork, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Connection, Reflector } from '@dep-ctrl/kcp-client';
import { createController, ExportStores, type ExportStore } from '@dep-ctrl/kcp-controller';
import { isRecord, parsed, parseWorkspacePath, type KubeObject } from '@dep-ctrl/kcp-names';
import { Informers } from './kit-informers.js';
import { PER_SECOND, serveKit, sizesOf } from './kit-server.js';
import { print, report, type Measured } from './measure.js';

const ROUNDS = 3;
// One round is sure to some 10 % only: who is faster than the server reads smaller pieces.
const CPU_ROUNDS = 15;
const MIB = 1024 ** 2;

const { values, positionals } = parseArgs({ allowPositionals: true, options: { part: { type: 'string', default: '1' } } });
const SIZES = sizesOf(Number(values.part));
const { objects: OBJECTS, events: EVENTS, paced: PACED, endpoints: ENDPOINTS, clusters: CLUSTERS } = SIZES;
const [role, keyFile = '', certFile = ''] = positionals;
if (role === 'serve') serveKit(keyFile, certFile, SIZES);
else await bench();

async function bench(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const [key, cert] = [join(folder, 'tls.key'), join(folder, 'tls.crt')];
  makeCertificate(key, cert);
  const server = fork(fileURLToPath(import.meta.url), ['serve', key, cert, '--part', values.part], { execArgv: [] });
  try {
    const [port] = (await once(server, 'message')) as [number];
    const address = `https://127.0.0.1:${String(port)}`;
    const connection = new Connection({ server: address, credentials: { ca: readFileSync(cert, 'utf8') } });
    const lines = await measureAll(connection, new Informers({ address: `${address}/services/e0`, caFile: cert, sizes: SIZES }));
    if (values.part === '1') report('kit', lines);
    else lines.forEach(print);
    await connection.close();
  } finally {
    await stopped(server);
    rmSync(folder, { recursive: true });
  }
}

async function measureAll(connection: Connection, informers: Informers): Promise<readonly Measured[]> {
  const syncs = { listed: [] as number[], watched: [] as number[], synced: [] as number[], informed: [] as number[] };
  const bytes = { raw: [] as number[], stored: [] as number[], informed: [] as number[] };
  const cpus = { bare: [] as number[], kept: [] as number[], stored: [] as number[], informed: [] as number[] };
  const alive = { ms: [] as number[], bytes: [] as number[] };
  const dead: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { ms, bytes: grown } = await endpoints(connection, 'many');
    alive.ms.push(ms);
    alive.bytes.push(grown);
    dead.push((await endpoints(connection, 'dead')).ms);
  }
  const bare = await bareChanges(connection);
  const { latencies, blockedMs } = await changes(connection);
  await listEverything(connection); // the server makes its pages
  for (let round = 0; round < ROUNDS; round += 1) {
    syncs.listed.push(await listEverything(connection));
    const raw = await rawBytes(connection);
    syncs.watched.push(raw.ms);
    bytes.raw.push(raw.grown);
    const { ms, grown } = await storeEverything(connection);
    syncs.synced.push(ms);
    bytes.stored.push(grown);
  }
  for (let round = 0; round < CPU_ROUNDS; round += 1) {
    cpus.bare.push(await bareWatch(connection));
    cpus.kept.push(await bareWatch(connection, new Map()));
    cpus.stored.push(await storedWatch(connection));
  }
  // Last: what a thousand informers leave behind, in V8 and in the connections, is not the kit's.
  const informed = await informers.changes();
  for (let round = 0; round < ROUNDS; round += 1) {
    const { ms, grown } = await everyInformer(informers);
    syncs.informed.push(ms);
    bytes.informed.push(grown);
    cpus.informed.push(await cpuOf(() => informers.busy()));
  }
  const [first = NaN] = alive.bytes; // later ones find the memory of the first
  const objects = String(OBJECTS);
  const workspaces = String(CLUSTERS);
  return [
    { what: `${objects} objects of 1 KB, raw, kept in an array`, value: least(bytes.raw) / MIB, unit: 'MiB' },
    { what: `the same in a store with an index`, value: least(bytes.stored) / MIB, unit: 'MiB' },
    { what: `the same in ${workspaces} informers of client-node, one a workspace`, value: least(bytes.informed) / MIB, unit: 'MiB' },
    { what: 'memory, store against raw objects', value: least(bytes.stored) / least(bytes.raw), unit: 'x', goal: { atMost: 1.15 } },
    { what: `CPU of ${String(EVENTS)} events, bare watch`, value: quantile(cpus.bare, 0.5), unit: 'ms' },
    { what: `CPU of ${String(EVENTS)} events, bare watch and a map of objects`, value: quantile(cpus.kept, 0.5), unit: 'ms' },
    { what: `CPU of ${String(EVENTS)} events through a store`, value: quantile(cpus.stored, 0.5), unit: 'ms' },
    { what: `CPU of ${String(EVENTS)} events through an informer, one workspace`, value: least(cpus.informed), unit: 'ms' },
    {
      what: 'CPU, store against bare watch',
      value: quantile(cpus.stored, 0.5) / quantile(cpus.bare, 0.5),
      unit: 'x',
      goal: { atMost: 1.2 },
    },
    { what: `${objects} objects in ${workspaces} workspaces, listed`, value: least(syncs.listed), unit: 'ms' },
    { what: `${objects} objects in ${workspaces} workspaces, bare watch synced`, value: least(syncs.watched), unit: 'ms' },
    { what: `${objects} objects in ${workspaces} workspaces, store synced`, value: least(syncs.synced), unit: 'ms' },
    { what: `${objects} objects in ${workspaces} workspaces, an informer for each synced`, value: least(syncs.informed), unit: 'ms' },
    { what: 'CPU, store against a map of objects', value: quantile(cpus.stored, 0.5) / quantile(cpus.kept, 0.5), unit: 'x' },
    { what: 'sync, store against bare watch', value: least(syncs.synced) / least(syncs.watched), unit: 'x' },
    { what: 'sync against list', value: least(syncs.synced) / least(syncs.listed), unit: 'x', goal: { atMost: 1.5 } },
    { what: `change to a bare watch at ${String(PER_SECOND)}/s, p99`, value: quantile(bare, 0.99), unit: 'ms' },
    { what: `change to reconcile at ${String(PER_SECOND)}/s, p50`, value: quantile(latencies, 0.5), unit: 'ms' },
    { what: `change to reconcile at ${String(PER_SECOND)}/s, p99`, value: quantile(latencies, 0.99), unit: 'ms', goal: { atMost: 20 } },
    { what: 'longest turn of the event loop meanwhile', value: blockedMs, unit: 'ms' },
    { what: `change to an informer at ${String(PER_SECOND)}/s, one workspace, p50`, value: quantile(informed, 0.5), unit: 'ms' },
    { what: `change to an informer at ${String(PER_SECOND)}/s, one workspace, p99`, value: quantile(informed, 0.99), unit: 'ms' },
    { what: `memory of each of ${String(ENDPOINTS)} endpoints`, value: first / ENDPOINTS / MIB, unit: 'MiB', goal: { atMost: 2 } },
    { what: `${String(ENDPOINTS)} endpoints synced`, value: least(alive.ms), unit: 'ms' },
    { what: `${String(ENDPOINTS)} endpoints synced, and a dead one`, value: least(dead), unit: 'ms' },
    { what: 'a dead endpoint, against none', value: least(dead) / least(alive.ms), unit: 'x', goal: { atMost: 1.5 } },
    { what: `objects of one name in ${workspaces} workspaces, in a store`, value: await storedNamesakes(connection), unit: 'objects' },
    { what: 'the same, in an informer at the wildcard endpoint', value: await informers.namesakes(), unit: 'objects' },
  ];
}

async function listEverything(connection: Connection): Promise<number> {
  const [client, signal] = [await wildcard(connection), new AbortController().signal];
  globalThis.gc?.();
  const began = performance.now();
  const kept: KubeObject[] = [];
  for await (const page of client.list(typeOf('vpcs'), { limit: 500, maxBytes: Number.MAX_SAFE_INTEGER }, { signal }))
    kept.push(...page.objects());
  if (kept.length !== OBJECTS) throw new Error(`the list had ${String(kept.length)} objects`);
  return performance.now() - began;
}

/** The memory of all objects in an array, as a reflector tells them. */
async function rawBytes(connection: Connection): Promise<{ readonly ms: number; readonly grown: number }> {
  const before = heapUsed();
  const stop = new AbortController();
  let kept: readonly KubeObject[] = [];
  const client = await wildcard(connection);
  const began = performance.now();
  const onEvent: ConstructorParameters<typeof Reflector>[0]['onEvent'] = (event) => {
    if (event.kind === 'replaced') kept = event.objects.map(({ object }) => object);
    stop.abort();
  };
  await new Reflector({ client, type: typeOf('vpcs'), onEvent }).run(stop.signal);
  const ms = performance.now() - began;
  const grown = heapUsed() - before;
  if (kept.length !== OBJECTS) throw new Error(`the watch told ${String(kept.length)} objects`);
  return { ms, grown };
}

async function storeEverything(connection: Connection): Promise<{ readonly ms: number; readonly grown: number }> {
  const before = heapUsed();
  const { stores, store } = storesOf(connection, 'one', 'vpcs');
  const stop = new AbortController();
  const began = performance.now();
  const running = stores.run(stop.signal);
  await store.whenSynced(stop.signal);
  const ms = performance.now() - began;
  stop.abort();
  await running;
  const grown = heapUsed() - before;
  if (store.size !== OBJECTS) throw new Error(`the store has ${String(store.size)} objects`);
  return { ms, grown };
}

/** What an operator has to do with informers: one for each workspace, as their cache knows no workspace. */
async function everyInformer(informers: Informers): Promise<{ readonly ms: number; readonly grown: number }> {
  const before = heapUsed();
  const began = performance.now();
  const all = await informers.everywhere();
  const ms = performance.now() - began;
  await Promise.all(all.map((each) => each.stop()));
  const grown = heapUsed() - before;
  const found = all.reduce((sum, each) => sum + each.list().length, 0);
  if (found !== OBJECTS) throw new Error(`the informers have ${String(found)} objects`);
  return { ms, grown };
}

async function storedNamesakes(connection: Connection): Promise<number> {
  const { stores, store } = storesOf(connection, 'one', 'namesakes');
  const stop = new AbortController();
  const running = stores.run(stop.signal);
  await store.whenSynced(stop.signal);
  stop.abort();
  await running;
  return store.size;
}

/** A bare watch; with a map it keeps the last version of each object there, which is what any cache has to do. */
async function bareWatch(connection: Connection, kept?: Map<string, KubeObject>): Promise<number> {
  const client = await wildcard(connection);
  const stop = new AbortController();
  let taken = 0;
  const onEvent: ConstructorParameters<typeof Reflector>[0]['onEvent'] = (event) => {
    if (event.kind !== 'applied') return;
    taken += 1;
    kept?.set(`${event.object.cluster}/${String(event.object.object.metadata.name)}`, event.object.object);
    if (taken === EVENTS) stop.abort();
  };
  return cpuOf(() => new Reflector({ client, type: typeOf('busy'), onEvent }).run(stop.signal));
}

async function storedWatch(connection: Connection): Promise<number> {
  const { stores, store } = storesOf(connection, 'one', 'busy');
  const stop = new AbortController();
  let taken = 0;
  store.subscribe({
    changed: (changed) => {
      taken += changed.length;
      if (taken >= EVENTS) stop.abort();
    },
    listed: () => (taken = 0),
  });
  return cpuOf(() => stores.run(stop.signal));
}

async function changes(connection: Connection): Promise<{ readonly latencies: readonly number[]; readonly blockedMs: number }> {
  const { stores, store } = storesOf(connection, 'one', 'paced');
  const latencies: number[] = [];
  const stop = new AbortController();
  const controller = createController({
    name: 'bench',
    store,
    concurrency: 16,
    reconcile: ({ value: { sentMs } }) => {
      if (typeof sentMs === 'number') latencies.push(performance.timeOrigin + performance.now() - sentMs);
      return Promise.resolve();
    },
  });
  const running = Promise.all([stores.run(stop.signal), controller.run(stop.signal)]);
  let blockedMs = 0;
  for (let last = performance.now(), still = 0, seen = 0; latencies.length < PACED && still < 1_000;) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    blockedMs = Math.max(blockedMs, performance.now() - last - 5);
    last = performance.now();
    // Changes of one object that come together are one run.
    still = latencies.length === seen ? still + 1 : 0;
    seen = latencies.length;
  }
  stop.abort();
  await running;
  return { latencies, blockedMs };
}

/** The same without the kit: what the machine and the watch take of that time. */
async function bareChanges(connection: Connection): Promise<readonly number[]> {
  const latencies: number[] = [];
  const stop = new AbortController();
  const onEvent: ConstructorParameters<typeof Reflector>[0]['onEvent'] = (event) => {
    if (event.kind !== 'applied') return;
    latencies.push(performance.timeOrigin + performance.now() - Number(event.object.object['sentMs']));
    if (latencies.length === PACED) stop.abort();
  };
  await new Reflector({ client: await wildcard(connection), type: typeOf('paced'), onEvent }).run(stop.signal);
  return latencies;
}

async function endpoints(connection: Connection, exportName: string): Promise<{ readonly ms: number; readonly bytes: number }> {
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  const { stores, store } = storesOf(connection, exportName, 'few');
  const stop = new AbortController();
  const began = performance.now();
  const running = stores.run(stop.signal);
  const away = await store.whenSynced(stop.signal);
  const ms = performance.now() - began;
  await new Promise((resolve) => setTimeout(resolve, 1_000)); // until each has its watch
  const bytes = process.memoryUsage.rss() - before;
  stop.abort();
  await running;
  if (away.length !== (exportName === 'dead' ? 1 : 0)) throw new Error(`${String(away.length)} endpoints had not listed`);
  return { ms, bytes };
}

function storesOf(
  connection: Connection,
  exportName: string,
  resource: string,
): { readonly stores: ExportStores; readonly store: ExportStore<KubeObject, 'cidr'> } {
  const stores = new ExportStores({ connection, workspace: connection.cluster(root()), exportName });
  const cidrOf = ({ spec }: KubeObject): readonly string[] => (isRecord(spec) ? [String(spec['cidr'])] : []);
  const store = stores.store<KubeObject, 'cidr'>({
    type: typeOf(resource),
    parse: (object) => parsed(object),
    indexes: { cidr: ({ value }) => cidrOf(value) },
  });
  return { stores, store };
}

/** The only endpoint of the export `one`. */
async function wildcard(connection: Connection): Promise<ReturnType<ReturnType<Connection['virtualWorkspace']>['wildcard']>> {
  const stop = new AbortController();
  const { stores, store } = storesOf(connection, 'one', 'few');
  const running = stores.run(stop.signal);
  await store.whenSynced(stop.signal);
  const [endpoint] = store.listings().keys();
  stop.abort();
  await running;
  if (endpoint === undefined) throw new Error('the export has no endpoint');
  return connection.virtualWorkspace(endpoint).wildcard();
}

async function cpuOf(run: () => Promise<void>): Promise<number> {
  globalThis.gc?.();
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

function heapUsed(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

function typeOf(resource: string): { readonly group: string; readonly version: string; readonly resource: string } {
  return { group: 'network.example.com', version: 'v1', resource };
}

function root(): Parameters<Connection['cluster']>[0] {
  const path = parseWorkspacePath('root');
  if (!path.ok) throw new Error(path.problem);
  return path.value;
}

function least(values: readonly number[]): number {
  return Math.min(...values);
}

function quantile(values: readonly number[], part: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * part)] ?? NaN;
}

async function stopped(server: ChildProcess): Promise<void> {
  const ended = once(server, 'exit');
  server.disconnect();
  await ended;
}

function makeCertificate(key: string, cert: string): void {
  const subject = ['-subj', '/CN=bench', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '1'];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const { status } = spawnSync('openssl', ['req', '-x509', ...curve, '-keyout', key, '-out', cert, ...subject]);
  if (status !== 0) throw new Error('this bench needs openssl on PATH');
}
