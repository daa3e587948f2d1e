import { setMaxListeners } from 'node:events';

/**
 * Lets any number of calls wait for one signal: an operator has one signal for its shutdown, and Node would warn of a leak at the
 * eleventh concurrent call. Everybody here removes its listener when it is done.
 */
export function allowManyListeners(signal: AbortSignal): void {
  setMaxListeners(0, signal);
}

/** Reads the signal anew: it may have aborted while something was awaited, which the type checker cannot know. */
export function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}
