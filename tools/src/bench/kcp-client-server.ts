// A TLS server that answers from memory, in a thread of its own, so that a client's cost is the client's.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { ServerResponse } from 'node:http';
import { parentPort } from 'node:worker_threads';

/** Objects in the long list, and the bytes of each. */
export const LISTED = 5_000;
export const OBJECT_BYTES = 2_048;
/** Logical clusters in the wildcard list. */
export const CLUSTERS = 1_000;
/** Events of the watch, as fast as they are taken. */
export const EVENTS = 100_000;
const EVENTS_PER_WRITE = 100;

/** Answers requests until the thread ends; tells its port to the thread that started it. */
export function serve(keyFile: string, certFile: string): void {
  const list = JSON.stringify(listOf(LISTED, () => 'root'));
  const clusters = JSON.stringify(listOf(CLUSTERS, (index) => `c${String(index)}`));
  const small = JSON.stringify(objectOf(1, 'root', 200));
  const server = createServer({ key: readFileSync(keyFile), cert: readFileSync(certFile) }, (request, response) => {
    const url = request.url ?? '';
    response.setHeader('content-type', 'application/json');
    if (url.includes('watch=true')) {
      response.flushHeaders();
      if (!url.includes('/vpcs')) return; // idle for ever
      void writeEvents(response);
    } else if (url.includes('/vpcs/')) response.end(small);
    else response.end(url.includes('/clusters/*/') ? clusters : list);
  });
  server.keepAliveTimeout = 120_000;
  server.listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as AddressInfo).port));
}

async function writeEvents(response: ServerResponse): Promise<void> {
  for (let index = 0; index < EVENTS; index += EVENTS_PER_WRITE) {
    const lines = Array.from({ length: EVENTS_PER_WRITE }, (_, offset) => {
      return `${JSON.stringify({ type: 'MODIFIED', object: objectOf(index + offset, `c${String(offset)}`, 1_024) })}\n`;
    });
    if (!response.write(lines.join(''))) await new Promise((resolve) => response.once('drain', resolve));
  }
}

function listOf(count: number, clusterOf: (index: number) => string): object {
  const items = Array.from({ length: count }, (_, index) => objectOf(index, clusterOf(index), OBJECT_BYTES));
  return { apiVersion: 'network.example.com/v1', items, kind: 'VPCList', metadata: { continue: '', resourceVersion: '1' } };
}

function objectOf(index: number, cluster: string, bytes: number): object {
  const metadata = { name: `vpc-${String(index)}`, resourceVersion: String(index + 2), annotations: { 'kcp.io/cluster': cluster } };
  const object = { apiVersion: 'network.example.com/v1', kind: 'VPC', metadata, spec: { note: '' } };
  return { ...object, spec: { note: 'x'.repeat(Math.max(0, bytes - JSON.stringify(object).length)) } };
}
