// KUBECONFIG=operator.kubeconfig node dist/main.js team
import { hostname } from 'node:os';
import { Connection } from '@dep-ctrl/kcp-client';
import { loadKubeconfig } from '@dep-ctrl/kcp-client/kubeconfig';
import { runInitializer } from './initializer.js';

const loaded = loadKubeconfig();
if (!loaded.ok) throw new Error(loaded.problem);
const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());
await runInitializer(new Connection(loaded.value), process.argv[2] ?? 'team', `${hostname()}-${process.pid}`, console, stop.signal);
