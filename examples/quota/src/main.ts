// KUBECONFIG=operator.kubeconfig node dist/main.js
import { hostname } from 'node:os';
import { Connection } from '@dep-ctrl/kcp-client';
import { loadKubeconfig } from '@dep-ctrl/kcp-client/kubeconfig';
import { runOperator } from './operator.js';

const loaded = loadKubeconfig();
if (!loaded.ok) throw new Error(loaded.problem);
const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());
await runOperator(new Connection(loaded.value), `${hostname()}-${process.pid}`, console, stop.signal);
