// The client of kcp's own controllers: it writes through the same machinery as all clients, as the loopback user.
import type { KubeObject, LogicalClusterName } from '@dep-ctrl/kcp-names';
import { LOOPBACK, type UserInfo } from '../../authentication/user.js';
import { ApiError } from '../../http/api-status.js';
import { createObject } from '../../machinery/objects/create-object.js';
import { deleteCollection, deleteObject, type Deleted } from '../../machinery/objects/delete-object.js';
import { versionOf, type ResourceDefinition, type ResourceVersion } from '../../machinery/resources/resource-definition.js';
import { updateObject } from '../../machinery/objects/update-object.js';
import { PLAIN_DELETE, type DeleteOptions, type WriteOptions } from '../../machinery/requests/write-options.js';
import type { Machinery, WriteTarget } from '../../machinery/objects/write-target.js';
import type { StoredObject } from '../../storage/stored-object.js';

/** Where an object of the loopback client is. */
export interface Place {
  readonly cluster: LogicalClusterName;
  readonly namespace?: string;
}

const OPTIONS: WriteOptions = { dryRun: false, fieldManager: 'kcp', fieldValidation: 'Ignore', force: false };

/** Reads and writes objects of one shard on behalf of kcp itself. */
export class Loopback {
  readonly #machinery: Machinery;
  readonly #user: UserInfo;

  constructor(machinery: Machinery, user: UserInfo = LOOPBACK) {
    this.#machinery = machinery;
    this.#user = user;
  }

  /** An object, if it is there. */
  get({ bucket }: Pick<ResourceDefinition, 'bucket'>, { cluster, namespace = '' }: Place, name: string): StoredObject | undefined {
    return this.#machinery.store.bucket(bucket).get({ cluster, namespace, name });
  }

  /** The objects of a cluster. */
  list({ bucket }: Pick<ResourceDefinition, 'bucket'>, cluster: LogicalClusterName | '*'): readonly StoredObject[] {
    return this.#machinery.store.bucket(bucket).list({ cluster });
  }

  /** Creates an object; one that exists already is fine. */
  async ensure(definition: ResourceDefinition, place: Place, object: KubeObject): Promise<void> {
    if (this.get(definition, place, object.metadata.name ?? '') !== undefined) return;
    try {
      await createObject(this.#machinery, this.#target(definition, place), object, OPTIONS);
    } catch (error) {
      if (!(error instanceof ApiError && error.body.reason === 'AlreadyExists')) throw error;
    }
  }

  /** Changes an object; one that has gone meanwhile is left alone. A change that returns its argument writes nothing. */
  async change(
    definition: ResourceDefinition,
    place: Place,
    name: string,
    make: (current: KubeObject) => KubeObject,
    subresource?: string,
  ): Promise<void> {
    const claim = { operation: 'Update', manager: OPTIONS.fieldManager } as const;
    try {
      await updateObject(this.#machinery, this.#target(definition, place, subresource), name, { make, retries: true, claim }, OPTIONS);
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 404)) throw error;
    }
  }

  /** Deletes an object. Throws what admission says. */
  async delete(
    definition: ResourceDefinition,
    place: Place,
    name: string,
    options: DeleteOptions = PLAIN_DELETE,
  ): Promise<Deleted | undefined> {
    try {
      return await deleteObject(this.#machinery, this.#target(definition, place), name, options);
    } catch (error) {
      if (error instanceof ApiError && error.code === 404) return undefined;
      throw error;
    }
  }

  /** Deletes all objects of a cluster or namespace, no further than the first refusal. */
  async deleteAll(definition: ResourceDefinition, place: Place): Promise<void> {
    const target = { ...this.#target(definition, place), namespace: place.namespace };
    await deleteCollection(this.#machinery, target, { labels: [], fields: [] }, { ...PLAIN_DELETE, propagationPolicy: 'Background' });
  }

  #target(definition: ResourceDefinition, { cluster, namespace = '' }: Place, subresource?: string): WriteTarget {
    return { definition, version: storageVersionOf(definition), cluster, namespace, user: this.#user, subresource };
  }
}

function storageVersionOf(definition: ResourceDefinition): ResourceVersion {
  const version = versionOf(definition, definition.storageVersion) ?? definition.versions[0];
  if (version === undefined) throw new Error(`no version of ${definition.resource} is served`);
  return version;
}
