// How many objects the next page of a list is asked for. kcp makes a page ready before it knows how large it is, so a page that is too large costs kcp all of
// it. Therefore one object is asked for after it: its size tells how many fit.

/** What the pages of a list have taught so far. */
export interface PageSize {
  /** As many as the list was to have on a page. */
  readonly most: number;
  /** As many as one page is asked for. */
  readonly cap: number;
  /** As many as the next page is asked for. */
  readonly limit: number;
}

/** What follows a page that was too large has at most so small a part of its objects, however small the first of them is. */
const SHRINK = 4;
/** How much of a page is filled: objects differ. */
const FILLED = 0.75;

/** The first page. `fitting`: as many as are known to fit, if they are fewer; what follows may be smaller. */
export function firstPageSize(most: number, fitting = most): PageSize {
  return { most, cap: most, limit: Math.max(1, Math.min(most, fitting)) };
}

/** The page was too large. Undefined: it was a single object. */
export function afterTooLarge({ most, limit }: PageSize): PageSize | undefined {
  return limit <= 1 ? undefined : { most, cap: Math.ceil(limit / SHRINK), limit: 1 };
}

/** The page fitted, and another one follows. */
export function afterFitting(size: PageSize, { bytes, maxBytes }: { readonly bytes: number; readonly maxBytes: number }): PageSize {
  const { most, limit } = size;
  if (limit === most) return size;
  // Only a page of so many shows that as many fit here: a few small ones say nothing about their neighbours.
  const cap = limit < size.cap ? size.cap : Math.min(most, 2 * size.cap);
  const fitting = Math.floor((FILLED * maxBytes * limit) / bytes);
  return { most, cap, limit: Math.max(1, Math.min(cap, fitting)) };
}
