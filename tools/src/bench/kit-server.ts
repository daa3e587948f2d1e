// A TLS server that plays an export on many shards from memory, in a process of its own, so that a client's CPU and memory are the client's.
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** Events of `paced` in a second. */
export const PER_SECOND = 1_000;

/** How much of everything there is. */
export interface KitSizes {
  /** Objects of `vpcs` at an endpoint. */
  readonly objects: number;
  /** The workspaces they are in. */
  readonly clusters: number;
  /** Events of `busy`, as fast as they are taken. */
  readonly events: number;
  /** Events of `paced`. */
  readonly paced: number;
  /** Endpoints of the export `many`; of `dead` there is one more, and nobody listens there. */
  readonly endpoints: number;
}

const PAGE = 500;
const EVENTS_PER_WRITE = 100;
const OBJECT_BYTES = 1_024;
const CHANGED_OBJECTS = 1_000;
const TICK_MS = 5;

/** The sizes of the bench, or a part of them to see that it works. */
export function sizesOf(part: number): KitSizes {
  const objects = Math.ceil((100_000 * part) / PAGE) * PAGE;
  const events = Math.ceil((50_000 * part) / EVENTS_PER_WRITE) * EVENTS_PER_WRITE;
  return { objects, clusters: objects / 100, events, paced: Math.ceil(10_000 * part), endpoints: Math.ceil(200 * part) };
}

/** Answers requests until the process ends; tells its port to the one that started it. */
export function serveKit(keyFile: string, certFile: string, sizes: KitSizes): void {
  const pages = new Map<string, Buffer>();
  const kept = (key: string, make: () => object): Buffer => {
    const page = pages.get(key) ?? Buffer.from(JSON.stringify(make()));
    pages.set(key, page);
    return page;
  };
  const server = createServer({ key: readFileSync(keyFile), cert: readFileSync(certFile) }, (request, response) => {
    const url = new URL(request.url ?? '', 'https://bench');
    const resource = url.pathname.split('/').at(-1) ?? '';
    const cluster = /\/clusters\/c(\d+)\//u.exec(url.pathname)?.[1];
    response.setHeader('content-type', 'application/json');
    if (url.searchParams.get('watch') === 'true') {
      response.flushHeaders();
      if (resource === 'busy') void writeEvents(response, sizes);
      if (resource === 'paced') writePaced(response, sizes);
      return;
    }
    if (resource === 'apiexportendpointslices') response.end(slices(url, (server.address() as AddressInfo).port, sizes));
    else if (resource === 'vpcs' && cluster !== undefined) response.end(kept(`c${cluster}`, () => workspaceOf(Number(cluster), sizes)));
    else if (resource === 'vpcs') {
      const at = url.searchParams.get('continue') ?? '0';
      response.end(kept(at, () => pageAt(Number(at), sizes)));
    } else if (resource === 'namesakes') response.end(kept(resource, () => namesakes(sizes)));
    else response.end(JSON.stringify(listOf(resource === 'few' ? 10 : CHANGED_OBJECTS, '', sizes)));
  });
  server.keepAliveTimeout = 120_000;
  // Informers connect all at once.
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () => process.send?.((server.address() as AddressInfo).port));
  process.once('disconnect', () => process.exit());
}

/** The slice of the export that is asked for: `one`, `many` or `dead`. */
function slices(url: URL, port: number, { endpoints }: KitSizes): string {
  const name = (url.searchParams.get('fieldSelector') ?? '').split('=')[1] ?? 'one';
  const urls = Array.from(
    { length: name === 'one' ? 1 : endpoints },
    (_, index) => `https://127.0.0.1:${String(port)}/services/e${String(index)}`,
  );
  const all = name === 'dead' ? [...urls, 'https://127.0.0.1:1/services/dead'] : urls;
  const metadata = { name, uid: name, resourceVersion: '1', annotations: { 'kcp.io/cluster': 'root' } };
  const slice = { metadata, status: { endpoints: all.map((each) => ({ url: each })) } };
  const kind = 'APIExportEndpointSliceList';
  return JSON.stringify({ apiVersion: 'apis.kcp.io/v1alpha1', items: [slice], kind, metadata: { resourceVersion: '1' } });
}

async function writeEvents(response: ServerResponse, sizes: KitSizes): Promise<void> {
  for (let index = 0; index < sizes.events; index += EVENTS_PER_WRITE) {
    const lines = Array.from({ length: EVENTS_PER_WRITE }, (_, offset) =>
      lineOf(objectOf((index + offset) % CHANGED_OBJECTS, sizes, 10_000 + index + offset)),
    );
    if (!response.write(lines.join(''))) await new Promise((resolve) => response.once('drain', resolve));
  }
}

function writePaced(response: ServerResponse, sizes: KitSizes): void {
  const began = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    for (const due = ((performance.now() - began) / 1_000) * PER_SECOND; sent < due && sent < sizes.paced; sent += 1) {
      response.write(
        lineOf({ ...objectOf(sent % CHANGED_OBJECTS, sizes, 10_000 + sent), sentMs: performance.timeOrigin + performance.now() }),
      );
    }
    if (sent >= sizes.paced || response.destroyed) clearInterval(timer);
  }, TICK_MS);
}

function lineOf(object: object): string {
  return `${JSON.stringify({ type: 'MODIFIED', object })}\n`;
}

function pageAt(at: number, sizes: KitSizes): object {
  const next = at + PAGE;
  const items = Array.from({ length: PAGE }, (_, offset) => objectOf(at + offset, sizes));
  return { ...listOf(0, next < sizes.objects ? String(next) : '', sizes), items };
}

/** The objects of one workspace, whole: as a client without pages asks for them. */
function workspaceOf(cluster: number, sizes: KitSizes): object {
  const count = sizes.objects / sizes.clusters;
  return { ...listOf(0, '', sizes), items: Array.from({ length: count }, (_, index) => objectOf(index * sizes.clusters + cluster, sizes)) };
}

/** An object in each workspace, all of one name. */
function namesakes(sizes: KitSizes): object {
  const items = Array.from({ length: sizes.clusters }, (_, index) => objectOf(index, sizes));
  return { ...listOf(0, '', sizes), items: items.map((item) => ({ ...item, metadata: { ...item.metadata, name: 'default' } })) };
}

function listOf(count: number, more: string, sizes: KitSizes): object {
  const items = Array.from({ length: count }, (_, index) => objectOf(index, sizes));
  return { apiVersion: 'network.example.com/v1', items, kind: 'VPCList', metadata: { continue: more, resourceVersion: '200000' } };
}

function objectOf(
  index: number,
  { clusters }: KitSizes,
  version = index + 2,
): { readonly metadata: object; readonly spec: object; readonly status: object } {
  const metadata = {
    name: `vpc-${String(index)}`,
    uid: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    resourceVersion: String(version),
    creationTimestamp: '2026-01-01T00:00:00Z',
    labels: { tier: 'gold', region: `r${String(index % 7)}` },
    annotations: { 'kcp.io/cluster': `c${String(index % clusters)}` },
  };
  const object = { apiVersion: 'network.example.com/v1', kind: 'VPC', metadata };
  const conditions = [
    { type: 'Ready', status: 'True', reason: 'Fine', message: 'all is well', lastTransitionTime: '2026-01-01T00:00:00Z' },
  ];
  const rest = { spec: { cidr: `10.${String(index % 256)}.0.0/16`, note: '' }, status: { conditions } };
  const note = 'x'.repeat(Math.max(0, OBJECT_BYTES - JSON.stringify({ ...object, ...rest }).length));
  return { ...object, ...rest, spec: { ...rest.spec, note } };
}
