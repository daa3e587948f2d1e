// An operator on the kit, as its author writes one: it says in the status of each zone what it read in its spec, and who it is.
import { LeaderElector, runAll, type ClusterClient, type LogFields, type Logger, type ReflectorBounds } from '@dep-ctrl/kcp-client';
import { createController, ExportStores, Leadership, type ExportStore, type StoreConnection } from '@dep-ctrl/kcp-controller';
import { ZONES } from '../writer.js';
import { parseZone, type Zone } from './observed-zones.js';

/** What an operator is made of. */
export interface ZonesOperatorOptions {
  readonly connection: StoreConnection;
  /** The workspace of the export; replicas share a Lease there. */
  readonly workspace: ClusterClient;
  readonly exportName: string;
  readonly identity: string;
  readonly bounds?: Partial<ReflectorBounds>;
  readonly timeLimitMs?: number;
  readonly concurrency?: number;
  /** What a reconcile does first. */
  readonly before?: (zone: string) => Promise<void>;
}

/** A line that it logged for somebody to read. */
export interface ToldLine {
  readonly message: string;
  readonly fields: LogFields;
}

/** The operator. Runs until its signal aborts. */
export class ZonesOperator {
  /** What it said at the levels warn and error. */
  readonly told: ToldLine[] = [];
  readonly zones: ExportStore<Zone, 'region'>;
  readonly controller: ReturnType<typeof createController>;
  readonly leadership: Leadership;
  readonly #stores: ExportStores;

  constructor(options: ZonesOperatorOptions) {
    const { connection, workspace, exportName, identity, bounds, timeLimitMs, concurrency, before } = options;
    const tell = (message: string, fields: LogFields = {}): void => void this.told.push({ message, fields });
    const logger: Logger = { debug: () => undefined, info: () => undefined, warn: tell, error: tell };
    this.#stores = new ExportStores({ connection, workspace, exportName, logger, ...(bounds === undefined ? {} : { bounds }) });
    this.zones = this.#stores.store({ type: ZONES, parse: parseZone, indexes: { region: ({ value }) => [value.region] } });
    this.leadership = new Leadership({
      elector: new LeaderElector({ client: workspace, namespace: 'default', name: 'zones-operator', identity }),
    });
    this.controller = createController({
      name: 'zones',
      store: this.zones,
      leadership: this.leadership,
      logger,
      ...(timeLimitMs === undefined ? {} : { timeLimitMs }),
      ...(concurrency === undefined ? {} : { concurrency }),
      reconcile: async ({ metadata: { name = '', resourceVersion }, value: { region, seen } }, { client, signal }) => {
        await before?.(name);
        if (seen === region) return;
        const body = { metadata: { resourceVersion }, status: { region, by: identity } };
        await client.patch(ZONES, { name, subresource: 'status' }, { kind: 'merge', body }, { signal });
      },
    });
  }

  run(signal: AbortSignal): Promise<void> {
    return runAll([this.#stores, this.leadership, this.controller], signal);
  }
}
