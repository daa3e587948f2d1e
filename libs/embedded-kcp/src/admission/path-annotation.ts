import { PATH_ANNOTATION } from '@dep-ctrl/kcp-names';
import { withAnnotations } from '../json/json.js';
import { pathOf, type ShardView } from '../kcp/shards/shard-view.js';
import type { AdmissionPlugin } from './admission-chain.js';

const ANNOTATED = new Set(['apis.kcp.io/apiexports', 'apis.kcp.io/apibindings', 'tenancy.kcp.io/workspacetypes']);

/** Sets the workspace path annotation on the kinds that are named by path from other workspaces, and corrects the value that a client wrote. */
export function pathAnnotation(view: ShardView): AdmissionPlugin {
  return {
    mutate: ({ definition, cluster }, object) => {
      const isNamed = ANNOTATED.has(`${definition.group}/${definition.resource}`);
      const carries = object.metadata.annotations?.[PATH_ANNOTATION] !== undefined;
      if ((!isNamed && !carries) || definition.resource === 'logicalclusters') return object;
      const logicalCluster = view.logicalCluster(cluster);
      return logicalCluster === undefined ? object : withAnnotations(object, { [PATH_ANNOTATION]: pathOf(logicalCluster.object, cluster) });
    },
  };
}
