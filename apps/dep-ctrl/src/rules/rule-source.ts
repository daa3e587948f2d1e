/*
 * The knowledge of both roles: watches every endpoint of the export for rules, guards, bindings and configurations, stores the objects, feeds the registry,
 * and tells subscribers what to look at again. One per process.
 */
import type { WorkspacePath } from '@dep-ctrl/kcp-names';
import { runAll, type EndpointsState, type Runnable } from '@dep-ctrl/kcp-client';
import type { ExportStores } from '@dep-ctrl/kcp-controller';
import type { Touched } from '@dep-ctrl/rule-registry';
import type { PathLookups, Resolution } from '@dep-ctrl/workspace-resolver';
import type { AbsenceProofs } from './absence-proofs.js';
import type { RegistryFeed } from './registry-feed.js';
import type { SourceChanges } from './source-changes.js';
import type { WatchedObjects } from './watched-objects.js';

/** What a `RuleSource` needs. */
export interface RuleSourceDependencies {
  readonly seen: WatchedObjects;
  readonly stores: Pick<ExportStores, 'run' | 'state' | 'subscribe'>;
  readonly feed: RegistryFeed;
  readonly lookups: PathLookups;
  readonly proofs: AbsenceProofs;
  readonly changes: SourceChanges;
}

/** Watches the endpoints of the export and keeps the registry true. Starts from nothing: no kcp, no export, no binding, no rule. */
export class RuleSource implements Runnable {
  /** The objects that the endpoints show now, unparsed. */
  readonly seen: WatchedObjects;
  readonly #dependencies: RuleSourceDependencies;

  constructor(dependencies: RuleSourceDependencies) {
    this.seen = dependencies.seen;
    this.#dependencies = dependencies;
  }

  /** Freshness per endpoint and type, and the state of the endpoint slice. */
  state(): EndpointsState {
    return this.#dependencies.stores.state();
  }

  /** The last resolution of a workspace path; undefined before the first answer. */
  resolutionOf(path: WorkspacePath): Resolution | undefined {
    return this.#dependencies.lookups.resolutionOf(path);
  }

  /** Whether kcp has been asked at least once for every path that rules, guards and bindings name. */
  haveAskedForPaths(): boolean {
    return this.#dependencies.lookups.haveAsked();
  }

  /** Calls back after every change, until the returned function is called. */
  subscribe(listener: (touched: Touched) => void): () => void {
    return this.#dependencies.changes.subscribe(listener);
  }

  async run(signal: AbortSignal): Promise<void> {
    const { seen, stores, feed, lookups, proofs, changes } = this.#dependencies;
    const endings = [
      changes.subscribe(() => lookups.wake()),
      ...changes.follow(seen),
      stores.subscribe((event) => changes.tell(feed.take(event))),
    ];
    try {
      await runAll([stores, lookups, proofs], signal);
    } finally {
      for (const end of endings) end();
    }
  }
}
