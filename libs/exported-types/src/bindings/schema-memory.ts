// Keeps schemas: they are immutable, so each is read once per UID. A schema that cannot be read is not asked for again at once; without it a type is listed
// as whole objects, which needs no schema.
import { type Clock, isKcpError } from '@dep-ctrl/kcp-client';
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { WholeReader } from '@dep-ctrl/shared-lists';
import type { SchemaRef } from './api-binding.js';
import { sizeOf, type BoundSchema } from '../schemas/bound-schema.js';

/** Reads a schema; rejects with KcpError. */
export type ReadSchema = (exporter: LogicalClusterName, schema: SchemaRef, reader: WholeReader) => Promise<BoundSchema | undefined>;

// Far more than one installation has dependent types; a forgotten one costs one read. A field takes about a hundred bytes.
const MOST = 256;
const MOST_FIELDS = 300_000;
const ASK_AGAIN_MS = 10_000;

/** What is remembered of schemas. */
export class SchemaMemory {
  readonly #read: ReadSchema;
  readonly #clock: Clock;
  readonly #known = new Map<string, BoundSchema>();
  #fields = 0;
  readonly #unreadableSinceMs = new Map<string, number>();

  constructor({ read, clock }: { readonly read: ReadSchema; readonly clock: Clock }) {
    this.#read = read;
    this.#clock = clock;
  }

  /** The schema, or undefined where it cannot be read now. Rejects only when the signal aborts. */
  async schema(exporter: LogicalClusterName, ref: SchemaRef, reader: WholeReader): Promise<BoundSchema | undefined> {
    const key = `${exporter}/${ref.uid}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const since = this.#unreadableSinceMs.get(key);
    if (since !== undefined && this.#clock.monotonic() - since < ASK_AGAIN_MS) return undefined;
    const schema = await this.#tryRead(exporter, ref, reader);
    if (schema === undefined) this.#noteUnreadable(key);
    else this.#keep(key, schema);
    return schema;
  }

  #noteUnreadable(key: string): void {
    if (this.#unreadableSinceMs.size >= MOST) forgetOldest(this.#unreadableSinceMs);
    this.#unreadableSinceMs.set(key, this.#clock.monotonic());
  }

  #keep(key: string, schema: BoundSchema): void {
    this.#unreadableSinceMs.delete(key);
    const size = sizeOf(schema);
    if (this.#known.has(key) || size > MOST_FIELDS) return;
    while (this.#known.size >= MOST || this.#fields + size > MOST_FIELDS) {
      const oldest = forgetOldest(this.#known);
      if (oldest !== undefined) this.#fields -= sizeOf(oldest);
    }
    this.#known.set(key, schema);
    this.#fields += size;
  }

  async #tryRead(...[exporter, ref, reader]: Parameters<ReadSchema>): Promise<BoundSchema | undefined> {
    try {
      return await this.#read(exporter, ref, reader);
    } catch (failure) {
      if (isKcpError(failure) && !reader.signal.aborted) return undefined;
      throw failure;
    }
  }
}

function forgetOldest<V>(memory: Map<string, V>): V | undefined {
  const [entry] = memory;
  if (entry === undefined) return undefined;
  memory.delete(entry[0]);
  return entry[1];
}
