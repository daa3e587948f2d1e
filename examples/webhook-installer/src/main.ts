// KUBECONFIG=operator.kubeconfig node dist/main.js https://webhook.example.com/validate
import { Connection } from '@dep-ctrl/kcp-client';
import { loadKubeconfig } from '@dep-ctrl/kcp-client/kubeconfig';
import { runOperator } from './operator.js';

const [, , url] = process.argv;
const loaded = loadKubeconfig();
if (!loaded.ok || url === undefined) throw new Error(loaded.ok ? 'where is the webhook?' : loaded.problem);
const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());
await runOperator(new Connection(loaded.value), url, console, stop.signal);
