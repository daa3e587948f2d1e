export { LifecycleController, type LifecycleControllerOptions, type LifecycleState } from './lifecycle-controller.js';
export { type AgainLater, type LifecycleHandler, type WaitingWorkspace } from './lifecycle-handler.js';
export { type LifecycleKind } from './lifecycle-kind.js';
export { type LifecycleConnection } from './run-connection.js';
