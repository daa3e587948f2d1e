import { entryOf, pruneEntry } from '@dep-ctrl/kcp-names';

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
    addClaim(this.#rights, left, right);
    addClaim(this.#lefts, right, left);
  }

  /** Takes one claim back. Does nothing for a pair without a claim. */
  unlink(left: L, right: R): void {
    takeClaim(this.#rights, left, right);
    takeClaim(this.#lefts, right, left);
  }
}

function addClaim<A, B>(index: Map<A, Map<B, number>>, a: A, b: B): void {
  const claims = entryOf(index, a, () => new Map<B, number>());
  claims.set(b, (claims.get(b) ?? 0) + 1);
}

function takeClaim<A, B>(index: Map<A, Map<B, number>>, a: A, b: B): void {
  pruneEntry(index, a, (claims) => {
    const left = (claims.get(b) ?? 0) - 1;
    if (left > 0) claims.set(b, left);
    else claims.delete(b);
  });
}
