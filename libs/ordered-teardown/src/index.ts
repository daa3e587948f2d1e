export { type Ordering, type TypeEdge, type TypeOrder } from './ordering.js';
export { type TeardownEnd } from './teardown-end.js';
export { TeardownHandler, type TeardownHandlerOptions } from './teardown-handler.js';
export { silentTeardown, type TeardownObserver } from './teardown-observer.js';
