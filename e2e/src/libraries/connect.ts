import { Connection } from '@dep-ctrl/kcp-client';
import { loadKubeconfig } from '@dep-ctrl/kcp-client/kubeconfig';
import { logicalCluster, type LogicalClusterName } from '@dep-ctrl/kcp-names';

/** A connection by a kubeconfig file that has the context `base`. */
export function connect(file: string): Connection {
  const loaded = loadKubeconfig({ file, context: 'base' });
  if (!loaded.ok) throw new Error(loaded.problem);
  return new Connection(loaded.value);
}

/** The name of a logical cluster that kcp gave. */
export function clusterNamed(text: string): LogicalClusterName {
  return logicalCluster(text);
}
