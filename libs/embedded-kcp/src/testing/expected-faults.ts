// Faults of which a test says that they happen: one that was never hit fails the test, which has proved nothing.
import type { RequestFault } from '../faults/request-faults.js';
import type { RequestMatch } from '../faults/request-log.js';
import type { EmbeddedKcp } from '../installation/embedded-kcp.js';

/** A fault that has to be hit. */
export interface ExpectedFault {
  /** How many requests have met it. */
  readonly hits: number;
  /** Ends it. Throws where it was never hit. */
  remove(): void;
  /** `using fault = kcp.fault(...)` does as `remove` at the end of the block. */
  [Symbol.dispose](): void;
}

/** How many requests are shown where none has met a fault. */
const SHOWN = 5;

/** The faults of one kcp that were not checked yet. */
export class ExpectedFaults {
  readonly #kcp: Pick<EmbeddedKcp, 'faults' | 'requests'>;
  readonly #open = new Map<ExpectedFault, () => string | undefined>();

  constructor(kcp: Pick<EmbeddedKcp, 'faults' | 'requests'>) {
    this.#kcp = kcp;
  }

  /** Adds one. */
  add(match: RequestMatch, fault: RequestFault, options: { readonly times?: number } = {}): ExpectedFault {
    const since = this.#kcp.requests.count();
    const injected = this.#kcp.faults.onRequest(match, fault, options);
    const remove = (): void => {
      const check = this.#open.get(expected);
      this.#open.delete(expected);
      const problem = check?.();
      if (problem !== undefined) throw new Error(problem);
    };
    const expected: ExpectedFault = {
      get hits() {
        return injected.hits();
      },
      remove,
      [Symbol.dispose]: remove,
    };
    this.#open.set(expected, () => {
      injected();
      return injected.hits() > 0 ? undefined : this.#neverHit(match, fault, since);
    });
    return expected;
  }

  /** Does the work with a fault. What the work throws comes first. */
  async during<T>(
    match: RequestMatch,
    fault: RequestFault,
    work: (fault: ExpectedFault) => Promise<T>,
    options: { readonly times?: number } = {},
  ): Promise<T> {
    const expected = this.add(match, fault, options);
    let result: T;
    try {
      result = await work(expected);
    } catch (failure) {
      this.#open.get(expected)?.();
      this.#open.delete(expected);
      throw failure;
    }
    expected.remove();
    return result;
  }

  /** Removes all; throws where one was never hit. */
  expectHits(): void {
    const problems = [...this.#open.values()].flatMap((check) => check() ?? []);
    this.#open.clear();
    if (problems.length > 0) throw new Error(problems.join('\n'));
  }

  #neverHit(match: RequestMatch, fault: RequestFault, since: number): string {
    const came = this.#kcp.requests.count() - since;
    const last = came > 0 ? this.#kcp.requests.recorded().slice(-Math.min(came, SHOWN)) : [];
    const shown = last.map(({ listener, method, path, query }) => `${listener}: ${method} ${path}${query === '' ? '' : `?${query}`}`);
    return [
      `the fault ${print(fault)} on ${print(match)} was never hit; ${came} requests came meanwhile${shown.length > 0 ? ', the last ones:' : ''}`,
      ...shown,
    ].join('\n  ');
  }
}

function print(value: object): string {
  return JSON.stringify(value, (_key, one: unknown) => (one instanceof RegExp ? String(one) : one));
}
