// Reads a consumer's bindings and the schemas behind them. Reviews that arrive in time share a read.
import { inTurns } from '@dep-ctrl/fair-shares';
import { JsonProjection } from '@dep-ctrl/fieldpath';
import { isKcpError, KcpError, type Clock } from '@dep-ctrl/kcp-client';
import { parseKubeObject, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import { API_BINDINGS, API_RESOURCE_SCHEMAS } from '@dep-ctrl/kcp-objects';
import { OBJECT_TIMEOUT_MS, type ObjectPieces, SharedLists, type WholeReader, type WorkspacePages } from '@dep-ctrl/shared-lists';
import { API_BINDING_PARTS, readApiBinding, type ApiBinding, type SchemaRef } from './api-binding.js';
import { readBoundSchema, type BoundSchema } from '../schemas/bound-schema.js';

// A schema may have 1.5 MB: it is parsed in pieces.
const EVERYTHING = new JsonProjection('everything');

// A schema lives on the exporter's shard, and objects can be listed without it: a shard that hangs must not use up a review's time.
const SCHEMA_TIMEOUT_MS = 1_000;

/** The reads. Everything rejects with KcpError, or with the reason of the reader's signal. */
export class BindingReads {
  readonly #pages: WorkspacePages;
  readonly #bindings: SharedLists<readonly ApiBinding[]>;
  readonly #binding: SharedLists<ApiBinding | undefined>;
  readonly #schemas: SharedLists<BoundSchema | undefined>;

  constructor({ pages, clock }: { readonly pages: WorkspacePages; readonly clock: Clock }) {
    this.#pages = pages;
    const atOnePage = { clock, isWhole: () => true };
    this.#bindings = new SharedLists(atOnePage);
    this.#binding = new SharedLists(atOnePage);
    this.#schemas = new SharedLists({ clock });
  }

  /** All APIBindings of a consumer workspace, as they are now. */
  async bindings(cluster: LogicalClusterName, reader: WholeReader): Promise<readonly ApiBinding[]> {
    return (await whole(this.#bindings, cluster, reader, (signal) => this.#openBindings(cluster, signal))) ?? [];
  }

  /** One APIBinding of a consumer workspace, as it is now; undefined: there is none of that name. */
  binding(cluster: LogicalClusterName, name: string, reader: WholeReader): Promise<ApiBinding | undefined> {
    return whole(this.#binding, `${cluster}/${name}`, reader, (signal) => this.#openBinding(cluster, name, signal));
  }

  /** The schema that a binding names; undefined when it is another one by now or lacks what schemas have. */
  async schema(exporter: LogicalClusterName, { name, uid }: SchemaRef, reader: WholeReader): Promise<BoundSchema | undefined> {
    const schema = await whole(this.#schemas, `${exporter}/${uid}`, reader, (signal) => this.#openSchema(exporter, name, signal));
    return schema?.uid === uid ? schema : undefined;
  }

  async *#openBindings(cluster: LogicalClusterName, signal: AbortSignal): AsyncGenerator<readonly ApiBinding[]> {
    let bindings: ApiBinding[] = [];
    const list = { cluster, type: API_BINDINGS, key: `${cluster}/bindings`, of: 'bindings' };
    for await (const page of this.#pages.objects(list, signal)) {
      if (page.restarted) bindings = [];
      await inTurns(bindingsOn(page.all(API_BINDING_PARTS), bindings), { sharer: cluster });
    }
    yield bindings;
  }

  async *#openBinding(cluster: LogicalClusterName, name: string, signal: AbortSignal): AsyncGenerator<ApiBinding | undefined> {
    const object = { cluster, type: API_BINDINGS, ref: { name }, timeoutMs: OBJECT_TIMEOUT_MS };
    try {
      for await (const bytes of this.#pages.bytesOf(object, signal)) {
        const binding = await inTurns(bindingIn(bytes), { sharer: cluster });
        if (binding?.name !== name) throw notThatBinding(cluster, name);
        yield binding;
      }
    } catch (failure) {
      if (!isKcpError(failure, 'not-found')) throw failure;
      yield undefined;
    }
  }

  async *#openSchema(exporter: LogicalClusterName, name: string, signal: AbortSignal): AsyncGenerator<BoundSchema | undefined> {
    const object = { cluster: exporter, type: API_RESOURCE_SCHEMAS, ref: { name }, timeoutMs: SCHEMA_TIMEOUT_MS };
    for await (const bytes of this.#pages.bytesOf(object, signal)) {
      yield await inTurns(schemaIn(bytes), { sharer: exporter });
    }
  }
}

/** The one page of something that comes whole; undefined: none came. */
async function whole<T>(
  lists: SharedLists<T>,
  key: string,
  reader: WholeReader,
  open: (signal: AbortSignal) => AsyncIterable<T>,
): Promise<T | undefined> {
  let found: T | undefined;
  await lists.read(key, { ...reader, open: ({ signal }) => open(signal), accept: (page) => ((found = page), 'more') });
  return found;
}

function* bindingsOn(pieces: ObjectPieces, bindings: ApiBinding[]): Generator<void, void> {
  for (const binding of pieces) {
    if (binding !== undefined) bindings.push(readApiBinding(binding));
    yield;
  }
}

function notThatBinding(cluster: LogicalClusterName, name: string): KcpError {
  return new KcpError({ code: 'invalid-response', asked: `get apibindings ${name}`, at: cluster, problem: 'the answer is no such object' });
}

function* bindingIn(bytes: Buffer): Generator<void, ApiBinding | undefined> {
  const object = parseKubeObject(yield* API_BINDING_PARTS.parse(bytes));
  return object.ok ? readApiBinding(object.value) : undefined;
}

function* schemaIn(bytes: Buffer): Generator<void, BoundSchema | undefined> {
  const object = parseKubeObject(yield* EVERYTHING.parse(bytes));
  return object.ok ? readBoundSchema(object.value) : undefined;
}
