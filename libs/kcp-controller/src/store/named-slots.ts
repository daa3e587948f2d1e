import type { Entry, ObjectName } from './stored.js';

/** Where an endpoint shows one object: what refers to the object need not be told of each version that comes here. */
export interface Slot<T> {
  entry: Entry<T>;
}

/** The name of an object within its workspace. */
export type LocalName = Partial<Pick<ObjectName, 'namespace' | 'name'>>;

/**
 * What an endpoint shows of one workspace, by namespace and name. Two maps, one in the other: a key made of both would be a new text with each event, to be
 * written and hashed, and that was a third of what a store costs beside the watch.
 */
export class NamedSlots<T> implements Iterable<Slot<T>> {
  readonly #byNamespace = new Map<string, Map<string, Slot<T>>>();

  get isEmpty(): boolean {
    return this.#byNamespace.size === 0;
  }

  get({ namespace = '', name = '' }: LocalName): Slot<T> | undefined {
    return this.#byNamespace.get(namespace)?.get(name);
  }

  set(slot: Slot<T>): void {
    const { namespace = '', name = '' } = slot.entry.metadata;
    const slots = this.#byNamespace.get(namespace);
    if (slots === undefined) this.#byNamespace.set(namespace, new Map([[name, slot]]));
    else slots.set(name, slot);
  }

  delete({ namespace = '', name = '' }: LocalName): void {
    const slots = this.#byNamespace.get(namespace);
    slots?.delete(name);
    if (slots?.size === 0) this.#byNamespace.delete(namespace);
  }

  *[Symbol.iterator](): Iterator<Slot<T>> {
    for (const slots of this.#byNamespace.values()) yield* slots.values();
  }
}
