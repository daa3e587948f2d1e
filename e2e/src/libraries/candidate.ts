// A candidate for a Lease, as a program of its own: node candidate.mjs KUBECONFIG CLUSTER LEASE IDENTITY FILE
// Every 10 ms it appends to FILE whether it may act as the leader, with the time of the clock that all processes of a machine share.
import { appendFileSync } from 'node:fs';
import { LeaderElector } from '@dep-ctrl/kcp-client';
import { clusterNamed, connect } from './connect.js';

const [kubeconfig = '', cluster = '', name = '', identity = '', file = ''] = process.argv.slice(2);
const connection = connect(kubeconfig);
const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());

const elector = new LeaderElector({ client: connection.cluster(clusterNamed(cluster)), namespace: 'default', name, identity });
const record = (): void => appendFileSync(file, `${elector.isLeader() ? 'leads' : 'stands'} ${String(process.hrtime.bigint())}\n`);
const recording = setInterval(record, 10);
await elector.run(
  (signal) => new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true })),
  stop.signal,
);
clearInterval(recording);
record();
await connection.close();
