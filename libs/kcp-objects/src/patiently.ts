import { isNotThereYet } from './ensure-workspace.js';
import { until, type Patience } from './until.js';

/** Does something again and again while kcp, which has not caught up with itself, says that what it needs is not there yet. */
export async function patiently(what: string, act: () => Promise<unknown>, patience: Patience): Promise<void> {
  await until(
    what,
    async () => {
      try {
        await act();
        return { done: true };
      } catch (error) {
        if (isNotThereYet(error)) return { waitingFor: error.message };
        throw error;
      }
    },
    patience,
  );
}
