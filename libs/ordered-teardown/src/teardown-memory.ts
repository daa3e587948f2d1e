// What is remembered of a dying workspace between two calls: nothing that the order depends on. Bounded; what is forgotten begins anew, and its time is
// still counted from its deletion.
import { createHash } from 'node:crypto';
import type { Clock } from '@dep-ctrl/kcp-client';
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';

/** Notes about one workspace. */
export interface TeardownNotes {
  readonly firstSeenMs: number;
  /** How often it had to wait. */
  waits: number;
  /** Whether finalizers or refusals held it at the last call. */
  isHeld: boolean;
  deleted: number;
  annotated: number;
  /** How often it was called for. */
  calls: number;
  /** How many calls in a row ended with a request that was not answered in time. */
  slowCalls: number;
  /** What it waited for at the last call. */
  waitsFor: string;
  /** Of the lines that were logged, so that each is logged once. */
  readonly told: Set<string>;
  touchedMs: number;
}

const MOST_WORKSPACES = 1_000;
const MOST_LINES = 20;
/** A workspace that waits is called for at least this often, unless it is gone. */
const TOUCHED_WITHIN_MS = 60_000;

/** The notes about all dying workspaces. */
export class TeardownMemory {
  readonly #clock: Pick<Clock, 'monotonic'>;
  // Last touched last.
  readonly #notes = new Map<LogicalClusterName, TeardownNotes>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** The notes about a workspace that is worked on now. */
  of(cluster: LogicalClusterName): TeardownNotes {
    const now = this.#clock.monotonic();
    const notes = this.#notes.get(cluster) ?? {
      firstSeenMs: now,
      waits: 0,
      isHeld: false,
      calls: 0,
      slowCalls: 0,
      waitsFor: '',
      deleted: 0,
      annotated: 0,
      told: new Set<string>(),
      touchedMs: now,
    };
    notes.touchedMs = now;
    this.#notes.delete(cluster);
    this.#notes.set(cluster, notes);
    const [oldest] = this.#notes.keys();
    if (this.#notes.size > MOST_WORKSPACES && oldest !== undefined) this.#notes.delete(oldest);
    return notes;
  }

  /** The workspace is let go. */
  forget(cluster: LogicalClusterName): void {
    this.#notes.delete(cluster);
  }

  /** How many workspaces are held by finalizers or refusals of others. */
  get held(): number {
    const now = this.#clock.monotonic();
    return [...this.#notes.values()].filter(({ isHeld, touchedMs }) => isHeld && now - touchedMs < TOUCHED_WITHIN_MS).length;
  }
}

/** Whether a line is new for this workspace. */
export function isNewLine(notes: TeardownNotes, line: string): boolean {
  // Tenants choose how long a line is.
  const digest = createHash('sha256').update(line).digest('base64');
  if (notes.told.has(digest) || notes.told.size >= MOST_LINES) return false;
  notes.told.add(digest);
  return true;
}
