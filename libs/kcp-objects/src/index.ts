export { deleteIfExists, ensureObject, getIfExists, type Ensured } from './ensure-object.js';
export { ensureWorkspace, isNotThereYet, refuseWithoutOwner, removeWorkspace, type EnsuredWorkspace } from './ensure-workspace.js';
export { exportClusterOf } from './export-cluster.js';
export { onceReady } from './fresh-workspace.js';
export {
  API_BINDINGS,
  API_EXPORT_ENDPOINT_SLICES,
  API_EXPORTS,
  API_RESOURCE_SCHEMAS,
  LOGICAL_CLUSTERS,
  SHARDS,
  WORKSPACE_TYPES,
  WORKSPACES,
} from './kcp-types.js';
export { judgeRefusals, type IsLasting } from './lasting-refusal.js';
export { mergeDesired } from './merge-desired.js';
export {
  describeMissing,
  doubtAbout,
  inside,
  lookForNamed,
  NAME_WITHIN_MS,
  type Doubt,
  type NamedWorkspace,
  type WantedObject,
} from './named-workspace.js';
export { holdingOf, mayEnter, type Holding, type Right } from './own-rights.js';
export { patiently } from './patiently.js';
export { askFor, isRefusal, lookForWorkspace, type Asking, type Sighting } from './surely-missing.js';
export { until, type Patience, type Probed } from './until.js';
