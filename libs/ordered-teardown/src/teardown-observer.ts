import type { TeardownEnd } from './teardown-end.js';

/** Told of what happens in dying workspaces, for metrics. */
export interface TeardownObserver {
  /** A delete was accepted. */
  objectDeleted(): void;
  /** An object was annotated, so that it goes although others refer to it. */
  objectAnnotated(): void;
  /** A workspace is let go. */
  teardownEnded(end: TeardownEnd, seconds: number): void;
}

/** Tells nobody. */
export const silentTeardown: TeardownObserver = {
  objectDeleted: () => undefined,
  objectAnnotated: () => undefined,
  teardownEnded: () => undefined,
};
