import { isKcpError, type Clock, type Page } from '@dep-ctrl/kcp-client';

/** One list that was read; `outcome` is `ok`, `stopped`, or the code of the failure. */
export interface FinishedList {
  /** The subject of the list, for metrics. */
  readonly of: string;
  readonly form: 'table' | 'objects';
  readonly outcome: string;
  readonly pages: number;
  readonly bytes: number;
  readonly durationMs: number;
}

/** Observes each list that was read. Must not throw and must not wait. */
export interface ListObserver {
  listed(list: FinishedList): void;
}

/** How a list is reported, and to which observer. */
export interface ListObservation extends Pick<FinishedList, 'of' | 'form'> {
  readonly clock: Clock;
  readonly observer: ListObserver;
}

/** The same pages; when they end, in whichever way, it is reported how many there were and how long it took. */
export async function* observedList<P extends Page>(
  pages: AsyncIterable<P>,
  { of, form, clock, observer }: ListObservation,
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
    observer.listed({ of, form, outcome, pages: count, bytes, durationMs: clock.monotonic() - begunMs });
  }
}
