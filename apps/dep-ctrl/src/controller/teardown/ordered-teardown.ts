import type { Runnable } from '@dep-ctrl/kcp-client';
import type { TeardownHandler } from '@dep-ctrl/ordered-teardown';
import type { LifecycleController } from '@dep-ctrl/workspace-lifecycle';

/** How many workspaces are being torn down. */
export interface TeardownCounts {
  readonly workspaces: number;
  /** Of those, how many wait for finalizers or refusals of others. */
  readonly held: number;
}

/** Follows the WorkspaceType and tears down its dying workspaces until the signal aborts. */
export class OrderedTeardown implements Runnable {
  readonly #lifecycle: Pick<LifecycleController, 'run' | 'state'>;
  readonly #handler: Pick<TeardownHandler, 'held'>;

  constructor({ lifecycle, handler }: { lifecycle: Pick<LifecycleController, 'run' | 'state'>; handler: Pick<TeardownHandler, 'held'> }) {
    this.#lifecycle = lifecycle;
    this.#handler = handler;
  }

  counts(): TeardownCounts {
    return { workspaces: this.#lifecycle.state().waiting, held: this.#handler.held };
  }

  run(signal: AbortSignal): Promise<void> {
    return this.#lifecycle.run(signal);
  }
}
