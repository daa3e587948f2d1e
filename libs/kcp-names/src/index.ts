export { compareText } from './compare-text.js';
export { stagesOf, type EdgeTo } from './stages.js';
export { entryOf, pruneEntry } from './entry-of.js';
export { timestamp } from './timestamp.js';
export { elements, isRecord, record, recordAt, text } from './json-value.js';
export { notParsed, parsed, quote, type Parsed } from './parsed.js';
export { logicalCluster, parseLogicalClusterName, type LogicalClusterName } from './logical-cluster-name.js';
export { childPath, nameOfPath, parseWorkspacePath, splitWorkspacePath, workspacePath, type WorkspacePath } from './workspace-path.js';
export { WILDCARD, type ClusterAddress, type Wildcard } from './cluster-address.js';
export {
  apiVersionOf,
  groupResourceKey,
  groupVersionResourceKey,
  printGroupResource,
  type GroupResource,
  type GroupVersionResource,
} from './resource-type.js';
export {
  CLUSTER_ANNOTATION,
  PATH_ANNOTATION,
  clusterOf,
  hintedPath,
  objectKey,
  parseKubeObject,
  type ExportRef,
  type KubeLike,
  type KubeObject,
  type ObjectMeta,
  type ObjectRef,
  type OwnerReference,
} from './object-identity.js';
