/**
 * The readiness of one part of the process. `missing` is a phrase for people: "no endpoint has listed its rules yet". A part that is ready may have a `note`
 * about a problem elsewhere that neither a restart nor another replica would fix, or a `remark` about its state.
 */
export type ReadinessAnswer =
  | { readonly ready: true; readonly note?: string }
  | { readonly ready: true; readonly remark: string }
  | { readonly ready: false; readonly missing: string };

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

  /** From now on the process is not ready, so that it gets no new work. */
  drain(): void {
    this.#draining = true;
  }

  /** Whether the process is ready, with one line per check as Kubernetes prints them. */
  report(): { readonly ready: boolean; readonly lines: readonly string[] } {
    const answers = this.#checks.map((each) => ({ name: each.name, answer: each.check() }));
    const lines = answers.map(({ name, answer }) => lineOf(name, answer));
    if (this.#draining) lines.push('[-]shutdown draining');
    return { ready: !this.#draining && answers.every(({ answer }) => answer.ready), lines };
  }
}

function lineOf(name: string, answer: ReadinessAnswer): string {
  if (!answer.ready) return `[-]${name} ${answer.missing}`;
  if ('remark' in answer) return `[+]${name} ok, ${answer.remark}`;
  return answer.note === undefined ? `[+]${name} ok` : `[+]${name} ok, but ${answer.note}`;
}
