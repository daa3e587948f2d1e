// Whether a record still says something about the code as it is. Pure: git has been asked before.
import type { Since } from './checkout.js';
import { keyOf, type Ran, type RunRecord } from './run-record.js';

/** After more commits than this to the code that a test covers, its last run says too little. */
export const MOST_COMMITS = 30;

/** What a record is worth now. */
export type Freshness = { readonly state: 'fresh' } | { readonly state: 'failed' | 'stale' | 'cannot-tell'; readonly why: string };

/** A run with what it is worth. */
export interface Judged {
  readonly record: Ran;
  readonly freshness: Freshness;
}

/** Judges each run; `since` counts the commits to what its test covers. */
export function judge(records: readonly RunRecord[], since: (commit: string, test: string) => Since): readonly Judged[] {
  const skips = new Map(records.flatMap((record) => (record.state === 'skipped' ? [[keyOf(record), record.why] as const] : [])));
  return records.flatMap((record) => {
    if (record.state === 'skipped') return [];
    return [{ record, freshness: freshnessOf(record, { skipped: skips.get(keyOf(record)), since }) }];
  });
}

function freshnessOf(
  { test, state, kcp, on, commit, dirty }: Ran,
  { skipped, since }: { readonly skipped: string | undefined; readonly since: (commit: string, test: string) => Since },
): Freshness {
  if (state === 'failed') return { state: 'failed', why: 'failed when it ran last' };
  if (on === undefined || commit === undefined) return stale('without date and commit');
  if (skipped !== undefined) return stale(`skipped when it was to run last: ${skipped}`);
  if (dirty === true) return stale('made from files that no commit holds');
  if (!/^\d/.test(kcp)) return stale('made on a kcp of an unknown version');
  const counted = since(commit, test);
  if ('commits' in counted) {
    return counted.commits > MOST_COMMITS ? stale(`older than ${counted.commits} commits to what it covers`) : { state: 'fresh' };
  }
  if (counted.unknown === 'commit') return stale('its commit is in no history here');
  return { state: 'cannot-tell', why: 'the history here does not reach back to its commit' };
}

function stale(why: string): Freshness {
  return { state: 'stale', why };
}
