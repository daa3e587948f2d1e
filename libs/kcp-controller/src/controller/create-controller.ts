import { silentLogger, systemClock, type Runnable } from '@dep-ctrl/kcp-client';
import type { ControllerOptions } from './controller-options.js';
import { ControllerTerm } from './controller-term.js';

/** What a controller has to do now. */
export interface ControllerState {
  /** Whether it works: it leads, or there is no election. */
  readonly isWorking: boolean;
  /** Objects that wait for their turn or for a time. */
  readonly queued: number;
  /** Objects that wait until their endpoint has listed all types of the controller. */
  readonly held: number;
  /** Objects whose last run failed. */
  readonly failing: number;
  /** Objects whose run goes on although its time is over. */
  readonly hung: number;
}

/** A controller, to be run beside its stores and its leadership. */
export interface Controller extends Runnable {
  state(): ControllerState;
}

const IDLE = { queued: 0, held: 0, failing: 0 };

/** Makes a controller. It works until its signal aborts; no reconcile ends it, whatever that throws. */
export function createController<T, I extends string = never>(options: ControllerOptions<T, I>): Controller {
  const { clock = systemClock, logger = silentLogger, leadership } = options;
  const hung = new Map<string, () => void>();
  let term: ControllerTerm<T, I> | undefined;
  const work = async (signal: AbortSignal): Promise<void> => {
    term = new ControllerTerm({ ...options, clock, logger, hung });
    try {
      await term.run(signal);
    } finally {
      term = undefined;
    }
  };
  return {
    run: (signal) => (leadership === undefined ? work(signal) : leadership.during(work, signal)),
    state: () => ({ isWorking: term !== undefined, ...(term?.counts() ?? IDLE), hung: hung.size }),
  };
}
