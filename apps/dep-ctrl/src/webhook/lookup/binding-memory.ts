// Remembers the bindings of consumers from their last list. The memory tells which bindings to GET, and never is the answer itself: a LIST waits for kcp's
// watch cache (100 ms while others write, kcp 0.32), a GET by name does not (8 ms).
import { groupResourceKey, type GroupResource, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { ApiBinding, SchemaRef } from '@dep-ctrl/exported-types';
import { boundType } from '../bindings/consumer-bindings.js';
import { questionsOf, type GuardingMatch } from './type-question.js';

/** Bindings and bound types in all: of some 2 000 workspaces; a type takes 100 to 700 bytes. A forgotten workspace costs one list. */
const MOST = 20_000;
/** The same for one workspace. A workspace with more is always listed. */
const MOST_OF_ONE = 100;

/** The bindings of consumer workspaces, as they were. */
export class BindingMemory {
  /** The least recently used come first. */
  readonly #known = new Map<LogicalClusterName, readonly ApiBinding[]>();
  #size = 0;

  /** The bindings of the last list; undefined: not remembered. */
  of(consumer: LogicalClusterName): readonly ApiBinding[] | undefined {
    const bindings = this.#known.get(consumer);
    if (bindings === undefined) return undefined;
    this.#known.delete(consumer);
    this.#known.set(consumer, bindings);
    return bindings;
  }

  /** Notes the bindings of a list. */
  note(consumer: LogicalClusterName, bindings: readonly ApiBinding[]): void {
    this.#forget(consumer);
    const size = sizeOf(bindings);
    if (size > MOST_OF_ONE) return;
    this.#known.set(consumer, bindings);
    this.#size += size;
    for (const oldest of this.#known.keys()) {
      if (this.#size <= MOST) break;
      this.#forget(oldest);
    }
  }

  #forget(consumer: LogicalClusterName): void {
    this.#size -= sizeOf(this.#known.get(consumer) ?? []);
    this.#known.delete(consumer);
  }
}

function sizeOf(bindings: readonly ApiBinding[]): number {
  return bindings.reduce((sum, { bound }) => sum + 1 + bound.size, 0);
}

/**
 * The bindings on which an answer depends: the one of the subject's type, and those of the dependent types. If none of them has changed, a list would give
 * the same answer. Undefined if the answer depends on a type that is not bound: only a list shows that.
 */
export function bindingsItStandsOn(
  subject: GroupResource,
  matches: readonly GuardingMatch[],
  bindings: readonly ApiBinding[],
): readonly ApiBinding[] | undefined {
  const own = bindings.find(({ bound }) => bound.has(groupResourceKey(subject)));
  if (own === undefined) return undefined;
  const needed = new Set([own]);
  for (const question of questionsOf(matches)) {
    const bound = boundType(bindings, { ...question.type, ...question });
    const binding = bound.state === 'bound' ? bindings.find(({ name }) => name === bound.binding) : undefined;
    if (binding === undefined) return undefined;
    needed.add(binding);
  }
  return [...needed];
}

/** Whether two readings of a binding say the same. */
export function isSameBinding(one: ApiBinding | undefined, other: ApiBinding | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return (
    one.name === other.name &&
    one.exporter === other.exporter &&
    one.reference.path === other.reference.path &&
    one.reference.exportName === other.reference.exportName &&
    one.bound.size === other.bound.size &&
    [...one.bound].every(([type, schema]) => other.bound.has(type) && isSameSchema(schema, other.bound.get(type)))
  );
}

function isSameSchema(one: SchemaRef | undefined, other: SchemaRef | undefined): boolean {
  return one?.name === other?.name && one?.uid === other?.uid;
}
