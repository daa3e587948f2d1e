import type { Clock } from '@dep-ctrl/kcp-client';

interface Limit {
  readonly limit: number;
  readonly untilMs: number;
}

// To find out costs a page of 4 MiB that is thrown away, and kcp as much as all objects of that page.
const REMEMBERED_MS = 60_000;
const MOST = 1_000;

/** How many objects of a list fit on a page, where the usual number does not, for a while. */
export class PageLimits {
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** The one that was found out first comes first. */
  readonly #limits = new Map<string, Limit>();

  constructor({ clock }: { readonly clock: Pick<Clock, 'monotonic'> }) {
    this.#clock = clock;
  }

  /** What fitted the last time; undefined: not known, or the usual number. */
  of(list: string): number | undefined {
    const found = this.#limits.get(list);
    return found === undefined || found.untilMs <= this.#clock.monotonic() ? undefined : found.limit;
  }

  /** So many fit. */
  remember(list: string, limit: number): void {
    this.#limits.delete(list);
    this.#limits.set(list, { limit, untilMs: this.#clock.monotonic() + REMEMBERED_MS });
    for (const oldest of this.#limits.keys()) {
      if (this.#limits.size <= MOST) break;
      this.#limits.delete(oldest);
    }
  }
}
