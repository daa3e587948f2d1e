// One version of one object. Its bytes are made once and serve every response, list and watch that shows it.
import type { KubeObject, LogicalClusterName } from '@dep-ctrl/kcp-names';

/** What identifies an object inside its bucket. `namespace` is empty for a cluster-scoped object. */
export interface ObjectKey {
  readonly cluster: LogicalClusterName;
  readonly namespace: string;
  readonly name: string;
}

/** One stored version of an object. Never changes. */
export class StoredObject implements ObjectKey {
  readonly cluster: LogicalClusterName;
  readonly namespace: string;
  readonly name: string;
  readonly revision: number;
  readonly object: KubeObject;
  #rest: Buffer | undefined;

  /** `object` holds the resourceVersion that `revision` prints. */
  constructor(key: ObjectKey, revision: number, object: KubeObject) {
    this.cluster = key.cluster;
    this.namespace = key.namespace;
    this.name = key.name;
    this.revision = revision;
    this.object = object;
  }

  /** The uid that the server gave the object. */
  get uid(): string {
    return this.object.metadata.uid ?? '';
  }

  /** Everything after apiVersion and kind, from `"metadata"` to the closing brace: what all served versions of an object share. */
  get rest(): Buffer {
    if (this.#rest === undefined) {
      const { apiVersion: _apiVersion, kind: _kind, ...fields } = this.object;
      this.#rest = Buffer.from(JSON.stringify(fields).slice(1));
    }
    return this.#rest;
  }
}
