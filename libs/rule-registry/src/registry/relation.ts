/** A many-to-many relation in which several sources may claim the same pair: it holds until the last one takes it back. */
export class Relation<L, R> {
  readonly #rights = new Map<L, Map<R, number>>();
  readonly #lefts = new Map<R, Map<L, number>>();

  /** Every right side of a left one. */
  rightsOf(left: L): readonly R[] {
    return [...(this.#rights.get(left)?.keys() ?? [])];
  }

  /** Every left side of a right one. */
  leftsOf(right: R): readonly L[] {
    return [...(this.#lefts.get(right)?.keys() ?? [])];
  }

  /** Claims a pair. */
  link(left: L, right: R): void {
    count(this.#rights, left, right, 1);
    count(this.#lefts, right, left, 1);
  }

  /** Takes one claim back. Does nothing for a pair without a claim. */
  unlink(left: L, right: R): void {
    count(this.#rights, left, right, -1);
    count(this.#lefts, right, left, -1);
  }
}

function count<A, B>(index: Map<A, Map<B, number>>, a: A, b: B, step: 1 | -1): void {
  const counts = index.get(a) ?? new Map<B, number>();
  const claims = (counts.get(b) ?? 0) + step;
  if (claims > 0) counts.set(b, claims);
  else counts.delete(b);
  if (counts.size > 0) index.set(a, counts);
  else index.delete(a);
}
