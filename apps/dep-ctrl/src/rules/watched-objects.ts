import { parsed, type GroupVersionResource, type KubeObject } from '@dep-ctrl/kcp-names';
import type { ExportStore, ExportStores, Stored } from '@dep-ctrl/kcp-controller';
import { API_BINDINGS } from '@dep-ctrl/kcp-objects';
import { GUARDS, RULES } from '@dep-ctrl/rule-registry';
import { WEBHOOK_CONFIGURATIONS } from '@dep-ctrl/webhook-installer';
import { keptOf } from './kept-objects.js';

/** An object as an endpoint shows it. */
export type Seen = Stored<KubeObject>;

/** The objects of one type as the endpoints show them now, unparsed. */
export type SeenObjects = ExportStore<KubeObject>;

/** What is watched at every endpoint. Every virtual workspace serves the bindings of its own export. */
export class WatchedObjects {
  readonly rules: SeenObjects;
  readonly guards: SeenObjects;
  readonly bindings: SeenObjects;
  readonly configurations: SeenObjects;

  /** Makes the stores, before anything is watched. */
  constructor(stores: Pick<ExportStores, 'store'>) {
    const storeOf = (type: GroupVersionResource): SeenObjects =>
      stores.store({ type, parse: parsed<KubeObject>, keep: (object) => keptOf(type, object) });
    this.rules = storeOf(RULES);
    this.guards = storeOf(GUARDS);
    this.bindings = storeOf(API_BINDINGS);
    this.configurations = storeOf(WEBHOOK_CONFIGURATIONS);
  }

  all(): readonly SeenObjects[] {
    return [this.rules, this.guards, this.bindings, this.configurations];
  }
}
