/** What one part of the process says about itself; `missing` is a phrase for people: "no endpoint has listed its rules yet". */
export type ReadinessAnswer = { readonly ready: true } | { readonly ready: false; readonly missing: string };

/** One line of `/readyz?verbose`. Asked at every request, so it must be cheap and must not do I/O. */
export interface ReadinessCheck {
  readonly name: string;
  check(): ReadinessAnswer;
}

/** All checks of the process. Draining overrules them: a process that was told to stop is not ready. */
export class Readiness {
  readonly #checks: ReadinessCheck[] = [];
  #draining = false;

  /** Adds a check; the process is ready once all of them say so. */
  add(check: ReadinessCheck): void {
    this.#checks.push(check);
  }

  /** From now on the process is not ready, so that nobody sends it anything new. */
  drain(): void {
    this.#draining = true;
  }

  /** Whether the process is ready, with one line per check as Kubernetes prints them. */
  report(): { readonly ready: boolean; readonly lines: readonly string[] } {
    const answers = this.#checks.map((each) => ({ name: each.name, answer: each.check() }));
    const lines = answers.map(({ name, answer }) => (answer.ready ? `[+]${name} ok` : `[-]${name} ${answer.missing}`));
    if (this.#draining) lines.push('[-]shutdown draining');
    return { ready: !this.#draining && answers.every(({ answer }) => answer.ready), lines };
  }
}
