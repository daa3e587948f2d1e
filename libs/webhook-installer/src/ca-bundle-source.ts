/*
 * Where the CA bundle of the installed entries comes from. A source can change; who installs asks for `current()` each time and
 * subscribes to hear when to look again.
 */
import { silentLogger, type Clock, type Logger, type Runnable } from '@dep-ctrl/kcp-client';
import { caBundleText, fadeInto, followCaBundle, nextFadeMs, parseCertificates, startCaBundle, type CaBundle } from './ca-bundle.js';

/** What API servers should trust now. */
export type CurrentCaBundle =
  /** PEM of the certificate authorities. */
  | { readonly kind: 'pem'; readonly pem: string }
  /** No bundle: the serving certificate is one that every API server trusts by itself. */
  | { readonly kind: 'system' }
  /** It could not be read yet: installed bundles stay as they are. */
  | { readonly kind: 'unread'; readonly problem: string };

/** A CA bundle that may change. */
export interface CaBundleSource {
  current(): CurrentCaBundle;
  /** Calls back after each change, until the returned function is called. */
  subscribe(listener: () => void): () => void;
  /** Tells what is installed already, so that a rotation which happened while nobody looked overlaps too. */
  remember(pem: string): void;
}

/** A bundle that never changes. */
export class StaticCaBundle implements CaBundleSource {
  readonly #current: CurrentCaBundle;

  /** `undefined`: trust is the system's. */
  constructor(pem: string | undefined) {
    this.#current = pem === undefined ? { kind: 'system' } : { kind: 'pem', pem };
  }

  current(): CurrentCaBundle {
    return this.#current;
  }

  subscribe(): () => void {
    return () => undefined;
  }

  remember(): void {
    // What is installed gives way to the one bundle at once.
  }
}

/** What a `FollowedCaBundle` needs. */
export interface FollowedCaBundleDependencies {
  /** Reads the PEM text of the moment, from a file for example. Throws when it cannot. */
  readonly read: (options: { readonly signal: AbortSignal }) => Promise<string>;
  readonly clock: Clock;
  /** How often it is read. Files that Kubernetes mounts give no other sign. */
  readonly pollMs?: number;
  /** How long certificates that left the file stay in the bundle. */
  readonly overlapMs?: number;
  readonly logger?: Logger;
}

/** Ten seconds behind the file at most. */
const POLL_MS = 10_000;
/** Longer than the five minutes for which a new serving pair waits for the installed bundles. */
const OVERLAP_MS = 10 * 60_000;

/** A bundle that follows its file; old and new overlap. A file that cannot be read, or holds no certificate, changes nothing. */
export class FollowedCaBundle implements CaBundleSource, Runnable {
  readonly #read: FollowedCaBundleDependencies['read'];
  readonly #clock: Clock;
  readonly #pollMs: number;
  readonly #overlapMs: number;
  readonly #logger: Logger;
  readonly #listeners = new Set<() => void>();
  #bundle: CaBundle | undefined;
  #remembered: readonly string[] = [];
  #told: string | undefined;
  #problem = 'it has not been read yet';

  constructor({ read, clock, pollMs = POLL_MS, overlapMs = OVERLAP_MS, logger = silentLogger }: FollowedCaBundleDependencies) {
    this.#read = read;
    this.#clock = clock;
    this.#pollMs = pollMs;
    this.#overlapMs = overlapMs;
    this.#logger = logger;
  }

  current(): CurrentCaBundle {
    if (this.#bundle === undefined) return { kind: 'unread', problem: this.#problem };
    return { kind: 'pem', pem: caBundleText(this.#bundle, this.#clock.now()) };
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  remember(pem: string): void {
    const found = parseCertificates(pem);
    if (!found.ok) return;
    if (this.#bundle === undefined) this.#remembered = [...this.#remembered, ...found.value];
    else this.#bundle = fadeInto(this.#bundle, found.value, this.#clock.now(), this.#overlapMs);
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#readOnce(signal);
      this.#tell();
      await this.#clock.sleep(this.#pauseMs(), { signal }).catch(ignoreAbort(signal));
    }
  }

  async #readOnce(signal: AbortSignal): Promise<void> {
    try {
      this.#take(await this.#read({ signal }));
    } catch (error) {
      if (!signal.aborted) this.#complain(error instanceof Error ? error.message : String(error));
    }
  }

  #take(text: string): void {
    const certificates = parseCertificates(text);
    if (!certificates.ok) {
      this.#complain(certificates.problem);
      return;
    }
    this.#problem = '';
    const now = this.#clock.now();
    const started = this.#bundle ?? fadeInto(startCaBundle(certificates.value), this.#remembered, now, this.#overlapMs);
    this.#bundle = followCaBundle(started, certificates.value, now, this.#overlapMs);
  }

  #complain(problem: string): void {
    if (problem !== this.#problem) this.#logger.warn('CA bundle cannot be read', { problem });
    this.#problem = problem;
  }

  #tell(): void {
    const current = this.current();
    if (current.kind !== 'pem' || current.pem === this.#told) return;
    const isFirst = this.#told === undefined;
    this.#told = current.pem;
    if (!isFirst) this.#logger.info('CA bundle changed', this.#leaving());
    for (const listener of this.#listeners) listener();
  }

  /** What is still trusted and on its way out, and until when: whoever replaced a CA for a reason wants to know. */
  #leaving(): { readonly leaving: number; readonly trustedUntil?: string } {
    const now = this.#clock.now();
    const until = (this.#bundle?.fading ?? []).map(({ untilMs }) => untilMs).filter((untilMs) => untilMs > now);
    return { leaving: until.length, ...(until.length > 0 && { trustedUntil: new Date(Math.max(...until)).toISOString() }) };
  }

  #pauseMs(): number {
    const now = this.#clock.now();
    const fade = this.#bundle === undefined ? undefined : nextFadeMs(this.#bundle, now);
    return fade === undefined ? this.#pollMs : Math.min(this.#pollMs, fade - now);
  }
}

/** The base64 form in which a configuration holds a bundle. */
export function encodeCaBundle(pem: string): string {
  return Buffer.from(pem, 'utf8').toString('base64');
}

function ignoreAbort(signal: AbortSignal): (error: unknown) => void {
  return (error) => {
    if (!signal.aborted) throw error;
  };
}
