import type { Stage } from './stage.js';

/** What a backend must have for a case to make sense there. */
export type Need = 'front-proxy' | 'two-shards' | 'restarts';

/** One assertion about kcp: a title that says what is true, and a function that fails where it is not. */
export interface ConformanceCase {
  /** Group letter, number of the fact and a running number: `A1.2`. */
  readonly id: string;
  /** A sentence in the present tense. */
  readonly title: string;
  readonly needs?: readonly Need[];
  /** The first kcp version of which this is true; older ones skip it. */
  readonly since?: string;
  /** Takes parts of the server away: nothing else runs meanwhile. */
  readonly exclusive?: boolean;
  /** Longer than the usual two minutes. */
  readonly timeoutMs?: number;
  run(kcp: Stage): Promise<void>;
}
