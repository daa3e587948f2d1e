/* eslint-disable no-console -- a program that says what it found */
// Needs KUBECONFIG: of a user who may read in "root", such as the admin of a kcp; and @kubernetes/client-node.
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { Connection, isKcpError } from '@dep-ctrl/kcp-client';
import { configurationOf, connectionOptionsOf, kcpErrorOf } from '@dep-ctrl/kcp-client/client-node';
import { parseWorkspacePath } from '@dep-ctrl/kcp-names';

const kubeConfig = new KubeConfig();
kubeConfig.loadFromDefault();
const options = connectionOptionsOf(kubeConfig); // or loadKubeconfig(), which follows the file and knows more of it
const root = parseWorkspacePath('root');
if (!options.ok || !root.ok) throw new Error(options.ok ? 'no path' : options.problem);
const connection = new Connection(options.value);
const signal = AbortSignal.timeout(30_000);

const api = new CoreV1Api(configurationOf(connection.cluster(root.value), { signal }));
const namespaces = await api.listNamespace();
console.log(namespaces.items.map(({ metadata }) => metadata?.name)); // [ 'default' ]
try {
  await api.readNamespacedConfigMap({ namespace: 'default', name: 'other' });
} catch (error) {
  const problem = kcpErrorOf(error); // the cause of an ApiException
  if (!isKcpError(problem, 'not-found')) throw error;
  console.log(problem.retryable); // false
}
await connection.close();
