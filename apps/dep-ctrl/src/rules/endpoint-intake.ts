// Takes in the events of the watches: rules wait for their turn, then the registry and the stored objects are updated, then the subscribers are called.
import type { Clock, EndpointEvent, ReflectorEvent, Runnable, VirtualWorkspaceUrl } from '@dep-ctrl/kcp-client';
import type { RegistryReader, RegistryWriter } from '@dep-ctrl/rule-registry';
import { EventPace } from '@dep-ctrl/fair-shares';
import type { RegistryFeed, SourceChange } from './registry-feed.js';
import type { SeenKind, SeenReader } from './seen-objects.js';
import type { SourceChanges } from './source-changes.js';
import { seenKindOf } from './watched-types.js';

/** What an `EndpointIntake` needs. */
export interface EndpointIntakeDependencies {
  readonly reader: Pick<RegistryReader, 'guardedWorkspaces'>;
  readonly writer: Pick<RegistryWriter, 'endpointsRead'>;
  readonly seen: SeenReader;
  readonly feed: RegistryFeed;
  readonly changes: SourceChanges;
  readonly clock: Clock;
}

/** Takes in the events of the export's endpoints. */
export class EndpointIntake implements Runnable {
  readonly #dependencies: EndpointIntakeDependencies;
  readonly #pace: EventPace<SeenKind>;

  constructor(dependencies: EndpointIntakeDependencies) {
    this.#dependencies = dependencies;
    const { clock } = dependencies;
    this.#pace = new EventPace<SeenKind>({ clock, paced: 'rules', handOn: (endpoint, kind, event) => this.#handOn(endpoint, kind, event) });
  }

  take(event: EndpointEvent): void {
    switch (event.kind) {
      case 'named':
        this.#dependencies.changes.tellTouched(this.#dependencies.writer.endpointsRead(event.endpoints));
        break;
      case 'appeared':
        break; // told together by 'named'
      case 'withdrawn':
        this.#pace.withdraw(event.endpoint);
        break;
      case 'observed': {
        const kind = seenKindOf(event.type);
        if (kind !== undefined) this.#pace.take(event.endpoint, kind, event.event);
        break;
      }
      default:
        event satisfies never;
    }
  }

  run(signal: AbortSignal): Promise<void> {
    return this.#pace.run(signal);
  }

  #handOn(endpoint: VirtualWorkspaceUrl, kind: SeenKind, event: ReflectorEvent): void {
    const { feed, changes } = this.#dependencies;
    const change = feed.take(endpoint, kind, event);
    changes.tell(event.kind === 'replaced' ? this.#alsoAllWaiting(change) : change);
  }

  /** A whole list is an answer also where it touches nothing: workspaces may have waited for just that, an empty one included. */
  #alsoAllWaiting({ workspaces, rules }: SourceChange): SourceChange {
    const { reader, seen } = this.#dependencies;
    const bound = [...seen.all('bindings')].map(({ cluster }) => cluster);
    return { workspaces: new Set([...workspaces, ...reader.guardedWorkspaces(), ...bound]), rules };
  }
}
