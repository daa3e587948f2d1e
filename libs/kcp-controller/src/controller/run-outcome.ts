import { isKcpError, type QueueOutcome } from '@dep-ctrl/kcp-client';
import type { ObservedRun, Reconciled } from './controller-options.js';
import type { TimedRun } from './within-time.js';

/** What follows from a run. */
export interface RunOutcome {
  readonly queue: QueueOutcome;
  readonly outcome: ObservedRun['outcome'];
  readonly error?: unknown;
}

const DONE = { kind: 'done' } as const;

/**
 * What follows from how a run ended. Pure. A failure is tried again with back-off, and not before kcp asked for it. `isOver`: the term has ended; the next
 * one begins with everything. A run that hung has no successor before its end.
 */
export function outcomeOf(run: TimedRun<Reconciled>, isOver: boolean): RunOutcome {
  switch (run.kind) {
    case 'ended': {
      const queue = run.value ?? DONE;
      return { queue, outcome: queue.kind };
    }
    case 'failed': {
      const { error } = run;
      const outcome = isKcpError(error, 'conflict', 'already-exists') ? 'conflict' : 'failed';
      if (isOver) return { queue: DONE, outcome, error };
      const afterMs = isKcpError(error) ? error.retryAfterMs : undefined;
      return { queue: afterMs === undefined ? { kind: 'retry' } : { kind: 'retry', afterMs }, outcome, error };
    }
    case 'hung':
      return { queue: DONE, outcome: 'hung' };
    default:
      return run satisfies never;
  }
}

/** A failure for people, one line. */
export function problemOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
