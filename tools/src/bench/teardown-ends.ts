// When workspaces below a parent are ready, let go by us, and gone, as their parent shows it.

import { Reflector, type ClusterClient, type Observed } from '@dep-ctrl/kcp-client';
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import { WORKSPACES } from '@dep-ctrl/kcp-objects';

interface WorkspaceStatus {
  readonly phase?: string;
  readonly terminators?: readonly string[];
}

interface Sight {
  /** Once it is ready. */
  cluster: LogicalClusterName | undefined;
  isLetGo: boolean;
  isGone: boolean;
}

type Change = (sight: Sight) => boolean;

/** Follows the workspaces below a parent. */
export class TeardownEnds {
  readonly #sights = new Map<string, Sight>();
  readonly #waiting = new Set<() => void>();
  readonly #over = new AbortController();
  readonly #following: Promise<void>;

  constructor(parent: ClusterClient, ownType: string) {
    const isOwn = (entry: string): boolean => entry.endsWith(`:${ownType}`);
    const saw = ({ object: { metadata, ...rest } }: Observed): void => {
      const { phase, terminators = [] } = (rest['status'] ?? {}) as WorkspaceStatus;
      const { cluster } = (rest['spec'] ?? {}) as { readonly cluster?: LogicalClusterName };
      const isDying = metadata.deletionTimestamp !== undefined;
      this.#sights.set(metadata.name ?? '', {
        cluster: phase === 'Ready' ? cluster : undefined,
        isLetGo: isDying && !terminators.some(isOwn),
        isGone: false,
      });
    };
    const reflector = new Reflector({
      client: parent,
      type: WORKSPACES,
      onEvent: (event) => {
        if (event.kind === 'applied') saw(event.object);
        if (event.kind === 'deleted')
          this.#sights.set(event.object.object.metadata.name ?? '', { cluster: undefined, isLetGo: true, isGone: true });
        if (event.kind === 'replaced') {
          const there = new Set(event.objects.map(({ object }) => object.metadata.name ?? ''));
          for (const [name, sight] of this.#sights) if (!there.has(name)) Object.assign(sight, { isLetGo: true, isGone: true });
          event.objects.forEach(saw);
        }
        for (const look of [...this.#waiting]) look();
      },
    });
    this.#following = reflector.run(this.#over.signal);
  }

  /** Its cluster, once it is ready. */
  async ready(name: string): Promise<LogicalClusterName> {
    await this.#once(name, ({ cluster }) => cluster !== undefined);
    const cluster = this.#sights.get(name)?.cluster;
    if (cluster === undefined) throw new Error(`workspace ${name} was ready for a moment only`);
    return cluster;
  }

  /** When it was let go: it dies, and our terminator is not among those that hold it. */
  letGo(name: string): Promise<number> {
    return this.#once(name, ({ isLetGo }) => isLetGo);
  }

  /** When it was gone. */
  gone(name: string): Promise<number> {
    return this.#once(name, ({ isGone }) => isGone);
  }

  async stop(): Promise<void> {
    this.#over.abort();
    await this.#following;
  }

  /** Resolves with the moment at which it was seen. */
  #once(name: string, is: Change): Promise<number> {
    return new Promise((resolve) => {
      const look = (): void => {
        const sight = this.#sights.get(name);
        if (sight === undefined || !is(sight)) return;
        this.#waiting.delete(look);
        resolve(performance.now());
      };
      this.#waiting.add(look);
      look();
    });
  }
}
