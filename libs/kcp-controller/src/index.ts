export { ExportStores, type EventGate, type ExportStoresOptions, type StoreOptions } from './store/export-stores.js';
export { type ExportStore, type StoreConnection, type StoreListener, type SyncOptions } from './store/export-store.js';
export { type EndpointListing } from './store/endpoint-listings.js';
export { UnboundProofs, type MissedWorkspace, type UnboundProofsOptions } from './store/unbound-proofs.js';
export { type ParseObject } from './store/store-content.js';
export { type IndexValues } from './store/store-index.js';
export {
  nameOf,
  type BrokenObject,
  type GoneBecause,
  type ObjectName,
  type ObjectPlace,
  type Stored,
  type StoreChange,
} from './store/stored.js';
export { createController, type Controller, type ControllerState } from './controller/create-controller.js';
export { type ControllerOptions, type ObservedRun, type ReconcileContext, type Reconciled } from './controller/controller-options.js';
export { Leadership, type LeadershipOptions } from './controller/leadership.js';
export { mapped, owned, type PrimaryStore, type Watch, type WatchListener } from './controller/watches.js';
export { TimeLimitError } from './controller/within-time.js';
export { addFinalizer, removeFinalizer, type FinalizedObject, type FinalizerAnswer } from './objects/finalizers.js';
export { conditionsOf, withCondition, type Condition, type SaidCondition } from './objects/conditions.js';
export { EventRecorder, type EventRecorderOptions } from './events/event-recorder.js';
export { type EventSubject, type SaidEvent } from './events/event-object.js';
