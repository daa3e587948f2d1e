import { isKcpError, type Clock, type Page } from '@dep-ctrl/kcp-client';
import type { Decisions, FinishedList } from '../decision/decisions.js';

/** What a list is reported as, and to whom. */
export interface ListObservation extends Pick<FinishedList, 'of' | 'form'> {
  readonly clock: Clock;
  readonly decisions: Pick<Decisions, 'listed'>;
}

/** The same pages; when they end, in whichever way, it is reported how many there were and how long it took. */
export async function* observedList<P extends Page>(
  pages: AsyncIterable<P>,
  { of, form, clock, decisions }: ListObservation,
): AsyncGenerator<P> {
  const begunMs = clock.monotonic();
  let count = 0;
  let bytes = 0;
  let outcome = 'stopped';
  try {
    for await (const page of pages) {
      count += 1;
      bytes += page.bytes.length;
      yield page;
    }
    outcome = 'ok';
  } catch (failure) {
    outcome = isKcpError(failure) ? failure.code : 'stopped';
    throw failure;
  } finally {
    decisions.listed({ of, form, outcome, pages: count, bytes, durationMs: clock.monotonic() - begunMs });
  }
}
