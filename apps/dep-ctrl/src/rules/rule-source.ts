/*
 * What both roles know comes from here: every endpoint of the export is watched for rules, guards, bindings and configurations; what
 * they show goes into the registry and the raw objects, and subscribers hear who should look again. One per process.
 */
import type { GroupVersionResource, WorkspacePath } from '@dep-ctrl/kcp-names';
import {
  ExportEndpoints,
  runAll,
  silentLogger,
  type Clock,
  type ClusterClient,
  type Connection,
  type EndpointEvent,
  type EndpointsState,
  type Logger,
  type ReflectorEvent,
  type Runnable,
  type VirtualWorkspaceUrl,
} from '@dep-ctrl/kcp-client';
import type { RegistryReader, RegistryWriter, Touched } from '@dep-ctrl/rule-registry';
import type { Resolution, WorkspaceResolver } from '@dep-ctrl/workspace-resolver';
import { AbsenceProofs } from './absence-proofs.js';
import { EventPace } from './event-pace.js';
import { keptOf, parseKept } from './kept-objects.js';
import { PathHints } from './path-hints.js';
import { PathLookups } from './path-lookups.js';
import { RegistryFeed, type SourceChange } from './registry-feed.js';
import { SeenObjects, type SeenKind, type SeenReader } from './seen-objects.js';
import { seenKindOf, WATCHED_TYPES } from './watched-types.js';

/** What a `RuleSource` needs. */
export interface RuleSourceDependencies {
  readonly connection: Connection;
  /** The workspace that the export and its endpoint slice live in. */
  readonly exportWorkspace: ClusterClient;
  readonly exportName: string;
  readonly registry: { readonly reader: RegistryReader; readonly writer: RegistryWriter };
  readonly resolver: Pick<WorkspaceResolver, 'resolve'>;
  readonly clock: Clock;
  readonly logger?: Logger;
}

const TYPES: readonly GroupVersionResource[] = Object.values(WATCHED_TYPES);

/** Watches the endpoints of the export and keeps the registry true. Starts from nothing: no kcp, no export, no binding, no rule. */
export class RuleSource implements Runnable {
  /** What the endpoints show now, raw. */
  readonly seen: SeenReader;
  readonly #registry: RuleSourceDependencies['registry'];
  readonly #feed: RegistryFeed;
  readonly #pace: EventPace;
  readonly #endpoints: ExportEndpoints;
  readonly #lookups: PathLookups;
  readonly #proofs: AbsenceProofs;
  readonly #listeners = new Set<(change: SourceChange) => void>();

  constructor(dependencies: RuleSourceDependencies) {
    const { connection, exportWorkspace, exportName, registry, clock, logger = silentLogger } = dependencies;
    const seen = new SeenObjects();
    const hints = new PathHints();
    this.seen = seen;
    this.#registry = registry;
    this.#feed = new RegistryFeed({ ...dependencies, registry: registry.writer, seen, hints });
    this.#pace = new EventPace({ clock, handOn: (endpoint, kind, event) => this.#takeIn(endpoint, kind, event) });
    this.#endpoints = new ExportEndpoints({
      connection,
      workspace: exportWorkspace,
      exportName,
      types: TYPES,
      keep: keptOf,
      parseLarge: parseKept,
      clock,
      logger,
      onEvent: (event) => this.#take(event),
    });
    const { reader, writer } = registry;
    this.#lookups = new PathLookups({ ...dependencies, reader, writer, hints, onChange: (touched) => this.#tellTouched(touched) });
    this.#proofs = new AbsenceProofs({ ...dependencies, reader, writer, seen, onChange: (touched) => this.#tellTouched(touched) });
  }

  /** Freshness per endpoint and type, and what is known about the endpoints themselves. */
  state(): EndpointsState {
    return this.#endpoints.state();
  }

  /** What a workspace path means now, as far as anybody could tell; undefined before the first answer. */
  resolutionOf(path: WorkspacePath): Resolution | undefined {
    return this.#lookups.resolutionOf(path);
  }

  /** Whether kcp has been asked, once at least, for every workspace path that anybody names. */
  haveAskedForPaths(): boolean {
    return this.#lookups.haveAsked();
  }

  /** Calls back after every change, until the returned function is called. */
  subscribe(listener: (change: SourceChange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async run(signal: AbortSignal): Promise<void> {
    await runAll([this.#endpoints, this.#pace, this.#lookups, this.#proofs], signal);
  }

  #take(event: EndpointEvent): void {
    switch (event.kind) {
      case 'named':
        this.#tellTouched(this.#registry.writer.endpointsRead(event.endpoints));
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

  #takeIn(endpoint: VirtualWorkspaceUrl, kind: SeenKind, event: ReflectorEvent): void {
    const change = this.#feed.take(endpoint, kind, event);
    this.#tell(event.kind === 'replaced' ? this.#alsoAllWaiting(change) : change);
  }

  /** A whole list is an answer also where it touches nothing: workspaces may have waited for just that, an empty one included. */
  #alsoAllWaiting({ workspaces, rules }: SourceChange): SourceChange {
    const guarded = this.#registry.reader.guardedWorkspaces();
    const bound = [...this.seen.all('bindings')].map(({ cluster }) => cluster);
    return { workspaces: new Set([...workspaces, ...guarded, ...bound]), rules };
  }

  #tellTouched({ guarded, rules }: Touched): void {
    this.#tell({ workspaces: guarded, rules });
  }

  #tell(change: SourceChange): void {
    this.#lookups.wake();
    for (const listener of this.#listeners) listener(change);
  }
}
