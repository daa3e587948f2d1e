// Finds the few steps of a failing script that fail by themselves, by delta debugging: it takes chunks out, large ones first, and keeps what still
// fails without them.

/** How it is done. */
export interface Shrinking<T> {
  /** Whether these still fail. */
  readonly fails: (items: readonly T[]) => Promise<boolean>;
  /** Whether there is time for another try. */
  readonly goesOn: () => boolean;
}

/** Part of the items, in their order, that fails; none of its items can be left out where the time sufficed. */
export async function shrink<T>(items: readonly T[], { fails, goesOn }: Shrinking<T>): Promise<readonly T[]> {
  let left = items;
  for (let size = Math.ceil(items.length / 2); size >= 1;) {
    let isSmaller = false;
    // From the end: what comes last depends on what comes first.
    for (let end = left.length; end > 0 && goesOn(); end -= size) {
      const without = [...left.slice(0, Math.max(0, end - size)), ...left.slice(end)];
      if (without.length === left.length || !(await fails(without))) continue;
      left = without;
      isSmaller = true;
    }
    if (!goesOn()) return left;
    if (size > 1) size = Math.ceil(size / 2);
    else if (!isSmaller) return left;
  }
  return left;
}
