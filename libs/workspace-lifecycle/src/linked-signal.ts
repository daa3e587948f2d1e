import { setMaxListeners } from 'node:events';

/** A signal that ends with any of several; `end` ends it, and `unlink` has to be called when it is not needed any more. */
export interface LinkedSignal {
  readonly signal: AbortSignal;
  readonly end: (reason: unknown) => void;
  readonly unlink: () => void;
}

/** Not `AbortSignal.any`: where one of the signals lives as long as the process, Node 20 keeps a trace of every other one for ever. */
export function linkedSignal(...signals: readonly AbortSignal[]): LinkedSignal {
  const own = new AbortController();
  // Many requests share a run, and many runs a term: no leak, as each unlinks.
  setMaxListeners(0, own.signal, ...signals);
  const stops = signals.map((signal) => {
    const stop = (): void => own.abort(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    return () => signal.removeEventListener('abort', stop);
  });
  return {
    signal: own.signal,
    end: (reason) => own.abort(reason),
    unlink: () => {
      for (const stop of stops) stop();
    },
  };
}

/** Reads the signal anew: it may have aborted while something was awaited, which the type checker cannot know. */
export function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}
