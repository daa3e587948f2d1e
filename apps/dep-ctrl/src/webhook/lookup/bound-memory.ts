import { groupVersionResourceKey, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { SchemaRef } from './consumer-bindings.js';
import type { TypeQuestion } from './type-question.js';

// One per consumer and dependent type that was asked about lately.
const MOST = 2_000;

/**
 * Which schema a consumer's binding named when it was last read. A hint: it spares a read before a list whose answer is checked against
 * the binding after it anyway. Never an answer by itself.
 */
export class BoundMemory {
  readonly #known = new Map<string, SchemaRef>();

  /** The schema that was last seen. */
  last(consumer: LogicalClusterName, question: TypeQuestion): SchemaRef | undefined {
    return this.#known.get(keyOf(consumer, question));
  }

  /** Remembers what was seen; undefined: nothing that a hint could be. */
  keep(consumer: LogicalClusterName, question: TypeQuestion, schema: SchemaRef | undefined): void {
    const key = keyOf(consumer, question);
    this.#known.delete(key);
    if (schema === undefined) return;
    const [oldest] = this.#known.keys();
    if (this.#known.size >= MOST && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(key, schema);
  }
}

function keyOf(consumer: LogicalClusterName, { exporter, type }: TypeQuestion): string {
  return `${consumer}/${exporter}/${groupVersionResourceKey(type)}`;
}
