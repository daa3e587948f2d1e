// A TLS server that plays an export on many shards from memory, in a process of its own, so that a client's CPU and memory are the client's.
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** Objects of `vpcs` at an endpoint, and the workspaces they are in. */
export const OBJECTS = 100_000;
export const CLUSTERS = 1_000;
export const PAGE = 500;
/** Events of `busy`, as fast as they are taken. */
export const EVENTS = 50_000;
/** Events of `paced`, and how many come in a second. */
export const PACED = 10_000;
export const PER_SECOND = 1_000;
/** Endpoints of the export `many`; of `dead` there is one more, and nobody listens there. */
export const ENDPOINTS = 200;

const EVENTS_PER_WRITE = 100;
const OBJECT_BYTES = 1_024;
const CHANGED_OBJECTS = 1_000;
const TICK_MS = 5;

/** Answers requests until the process ends; tells its port to the one that started it. */
export function serveKit(keyFile: string, certFile: string): void {
  const pages = new Map<number, Buffer>();
  const server = createServer({ key: readFileSync(keyFile), cert: readFileSync(certFile) }, (request, response) => {
    const url = new URL(request.url ?? '', 'https://bench');
    const resource = url.pathname.split('/').at(-1) ?? '';
    response.setHeader('content-type', 'application/json');
    if (url.searchParams.get('watch') === 'true') {
      response.flushHeaders();
      if (resource === 'busy') void writeEvents(response);
      if (resource === 'paced') writePaced(response);
      return;
    }
    if (resource === 'apiexportendpointslices') response.end(slices(url, (server.address() as AddressInfo).port));
    else if (resource === 'vpcs') {
      const at = Number(url.searchParams.get('continue') ?? 0);
      const page = pages.get(at) ?? Buffer.from(JSON.stringify(pageAt(at)));
      pages.set(at, page);
      response.end(page);
    } else response.end(JSON.stringify(listOf(resource === 'few' ? 10 : CHANGED_OBJECTS, '')));
  });
  server.keepAliveTimeout = 120_000;
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
  process.once('disconnect', () => process.exit());
}

/** The slice of the export that is asked for: `one`, `many` or `dead`. */
function slices(url: URL, port: number): string {
  const name = (url.searchParams.get('fieldSelector') ?? '').split('=')[1] ?? 'one';
  const urls = Array.from(
    { length: name === 'one' ? 1 : ENDPOINTS },
    (_, index) => `https://127.0.0.1:${String(port)}/services/e${String(index)}`,
  );
  const all = name === 'dead' ? [...urls, 'https://127.0.0.1:1/services/dead'] : urls;
  const metadata = { name, uid: name, resourceVersion: '1', annotations: { 'kcp.io/cluster': 'root' } };
  const slice = { metadata, status: { endpoints: all.map((each) => ({ url: each })) } };
  const kind = 'APIExportEndpointSliceList';
  return JSON.stringify({ apiVersion: 'apis.kcp.io/v1alpha1', items: [slice], kind, metadata: { resourceVersion: '1' } });
}

async function writeEvents(response: ServerResponse): Promise<void> {
  for (let index = 0; index < EVENTS; index += EVENTS_PER_WRITE) {
    const lines = Array.from({ length: EVENTS_PER_WRITE }, (_, offset) =>
      lineOf(objectOf((index + offset) % CHANGED_OBJECTS, 10_000 + index + offset)),
    );
    if (!response.write(lines.join(''))) await new Promise((resolve) => response.once('drain', resolve));
  }
}

function writePaced(response: ServerResponse): void {
  const began = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    for (const due = ((performance.now() - began) / 1_000) * PER_SECOND; sent < due && sent < PACED; sent += 1) {
      response.write(lineOf({ ...objectOf(sent % CHANGED_OBJECTS, 10_000 + sent), sentMs: performance.timeOrigin + performance.now() }));
    }
    if (sent >= PACED || response.destroyed) clearInterval(timer);
  }, TICK_MS);
}

function lineOf(object: object): string {
  return `${JSON.stringify({ type: 'MODIFIED', object })}\n`;
}

function pageAt(at: number): object {
  const next = at + PAGE;
  const items = Array.from({ length: PAGE }, (_, offset) => objectOf(at + offset));
  return { ...listOf(0, next < OBJECTS ? String(next) : ''), items };
}

function listOf(count: number, more: string): object {
  const items = Array.from({ length: count }, (_, index) => objectOf(index));
  return { apiVersion: 'network.example.com/v1', items, kind: 'VPCList', metadata: { continue: more, resourceVersion: '200000' } };
}

function objectOf(index: number, version = index + 2): object {
  const metadata = {
    name: `vpc-${String(index)}`,
    uid: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    resourceVersion: String(version),
    creationTimestamp: '2026-01-01T00:00:00Z',
    labels: { tier: 'gold', region: `r${String(index % 7)}` },
    annotations: { 'kcp.io/cluster': `c${String(index % CLUSTERS)}` },
  };
  const object = { apiVersion: 'network.example.com/v1', kind: 'VPC', metadata };
  const conditions = [
    { type: 'Ready', status: 'True', reason: 'Fine', message: 'all is well', lastTransitionTime: '2026-01-01T00:00:00Z' },
  ];
  const rest = { spec: { cidr: `10.${String(index % 256)}.0.0/16`, note: '' }, status: { conditions } };
  const note = 'x'.repeat(Math.max(0, OBJECT_BYTES - JSON.stringify({ ...object, ...rest }).length));
  return { ...object, ...rest, spec: { ...rest.spec, note } };
}
