// A schema that is new on a shard is served after a pause, and a binding that needs it waits.
import type { StoredObject } from '../storage/stored-object.js';

/** When the schemas of one shard are established. */
export class EstablishingSchemas {
  readonly #establishedAt = new Map<string, number>();
  readonly #now: () => number;
  readonly #takesMs: number;

  constructor(now: () => number, takesMs: number) {
    this.#now = now;
    this.#takesMs = takesMs;
  }

  /** The names of those that are not established yet, and how long to wait for the last of them. New ones begin now. */
  waitingFor(schemas: readonly StoredObject[]): { readonly names: readonly string[]; readonly ms: number } | undefined {
    const now = this.#now();
    const waits = schemas
      .map(({ uid, name }) => {
        const at = this.#establishedAt.get(uid) ?? now + this.#takesMs;
        this.#establishedAt.set(uid, at);
        return { name, ms: at - now };
      })
      .filter(({ ms }) => ms > 0);
    if (waits.length === 0) return undefined;
    return { names: waits.map(({ name }) => name).sort(), ms: Math.max(...waits.map(({ ms }) => ms)) };
  }
}
