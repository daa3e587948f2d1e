// A candidate for a Lease, as a program of its own: node candidate.mjs KUBECONFIG CLUSTER LEASE IDENTITY FILE
// FILE says when it led.
import { LeaderElector } from '@dep-ctrl/kcp-client';
import { clusterNamed, connect } from './connect.js';
import { recordTerms } from './recorded-terms.js';

const [kubeconfig = '', cluster = '', name = '', identity = '', file = ''] = process.argv.slice(2);
const connection = connect(kubeconfig);
const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());

const elector = new LeaderElector({ client: connection.cluster(clusterNamed(cluster)), namespace: 'default', name, identity });
const ended = recordTerms(file, () => elector.isLeader());
await elector.run(
  (signal) => new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true })),
  stop.signal,
);
ended();
await connection.close();
