import { FedStores } from '@dep-ctrl/kcp-controller/testing';
import type { Observed, VirtualWorkspaceUrl } from '@dep-ctrl/kcp-client';
import { createRegistry, type RegistryReader, type RegistryWriter, type Touched } from '@dep-ctrl/rule-registry';
import { PathHints } from '@dep-ctrl/workspace-resolver';
import { RegistryFeed } from '../registry-feed.js';
import { SourceChanges } from '../source-changes.js';
import { WatchedObjects } from '../watched-objects.js';
import { EXPORT } from './objects.js';

/** What is watched. */
export type SeenKind = 'rules' | 'guards' | 'bindings' | 'configurations';

/** Stores and a registry without a kcp, wired as the rule source wires its own, and fed by hand. */
export class FedSource {
  readonly #stores = new FedStores({ keepsWithdrawn: true });
  readonly seen = new WatchedObjects(this.#stores);
  readonly reader: RegistryReader;
  readonly writer: RegistryWriter;
  readonly hints = new PathHints();
  /** What there was to look at again, in order. */
  readonly told: Touched[] = [];

  constructor() {
    const { reader, writer } = createRegistry();
    [this.reader, this.writer] = [reader, writer];
    const feed = new RegistryFeed({ exportName: EXPORT, reader, writer, bindings: this.seen.bindings, hints: this.hints });
    const changes = new SourceChanges();
    changes.subscribe((touched) => this.told.push(touched));
    changes.follow(this.seen);
    this.#stores.subscribe((event) => changes.tell(feed.take(event)));
  }

  /** The endpoints that the slice names now. */
  name(...endpoints: readonly VirtualWorkspaceUrl[]): void {
    this.#stores.name(...endpoints);
  }

  list(at: VirtualWorkspaceUrl, kind: SeenKind, ...objects: readonly Observed[]): void {
    const type = this.seen[kind].type;
    this.#stores.list(
      type,
      objects.map(({ object }) => object),
      at,
    );
  }

  apply(at: VirtualWorkspaceUrl, kind: SeenKind, { object }: Observed): void {
    this.#stores.apply(this.seen[kind].type, object, at);
  }

  delete(at: VirtualWorkspaceUrl, kind: SeenKind, { object }: Observed): void {
    this.#stores.delete(this.seen[kind].type, object, at);
  }
}
