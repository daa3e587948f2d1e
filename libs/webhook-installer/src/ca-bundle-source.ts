/*
 * The source of the CA bundle of installed entries. A source can change: the installer calls `current()` each time, and subscribes to changes.
 */
import { pause, silentLogger, type Clock, type Logger, type Runnable, type Stoppable } from '@dep-ctrl/kcp-client';
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
  /** With what `remember` was told of this configuration, while that fades. */
  current(configuration?: string): CurrentCaBundle;
  /** Calls back after each change, until the returned function is called. */
  subscribe(listener: () => void): () => void;
  /**
   * Notes the CA that a configuration already holds, so that a rotation which happened while no controller ran overlaps there too. It counts for that
   * configuration alone: the owner of the workspace may have written any CA into it.
   */
  remember(pem: string, configuration: string): void;
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
  readonly read: (options: Stoppable) => Promise<string>;
  readonly clock: Clock;
  /** How often it is read. Files that Kubernetes mounts give no other sign. */
  readonly pollMs?: number;
  /** How long certificates that left the file stay in the bundle. */
  readonly overlapMs?: number;
  readonly logger?: Logger;
}

/** What a configuration held when it was seen first. */
interface Found {
  readonly certificates: readonly string[];
  readonly sinceMs: number;
}

const NOTHING_FOUND: Found = { certificates: [], sinceMs: 0 };

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
  /** The CAs that configurations held when they were seen first. No other configuration should trust them. */
  readonly #found = new Map<string, Found>();
  #bundle: CaBundle | undefined;
  #told: string | undefined;
  #problem = 'it has not been read yet';

  constructor({ read, clock, pollMs = POLL_MS, overlapMs = OVERLAP_MS, logger = silentLogger }: FollowedCaBundleDependencies) {
    this.#read = read;
    this.#clock = clock;
    this.#pollMs = pollMs;
    this.#overlapMs = overlapMs;
    this.#logger = logger;
  }

  current(configuration?: string): CurrentCaBundle {
    if (this.#bundle === undefined) return { kind: 'unread', problem: this.#problem };
    const { certificates, sinceMs } = this.#found.get(configuration ?? '') ?? NOTHING_FOUND;
    const bundle = fadeInto(this.#bundle, certificates, sinceMs, this.#overlapMs);
    return { kind: 'pem', pem: caBundleText(bundle, this.#clock.now()) };
  }

  /** Why the text of the moment cannot be used, although one before could; undefined: it is in use, or none could. */
  get problem(): string | undefined {
    return this.#bundle === undefined || this.#problem === '' ? undefined : this.#problem;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  remember(pem: string, configuration: string): void {
    const certificates = parseCertificates(pem);
    if (!certificates.ok) return;
    const { certificates: before } = this.#found.get(configuration) ?? NOTHING_FOUND;
    this.#found.set(configuration, { certificates: [...new Set([...before, ...certificates.value])], sinceMs: this.#clock.now() });
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#readOnce(signal);
      this.#tell();
      await pause(this.#pauseMs(), { clock: this.#clock, signal });
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
    this.#bundle = followCaBundle(this.#bundle ?? startCaBundle(certificates.value), certificates.value, now, this.#overlapMs);
  }

  #complain(problem: string): void {
    if (problem !== this.#problem) this.#logger.warn('CA bundle cannot be read', { problem });
    this.#problem = problem;
  }

  #tell(): void {
    const hasFaded = this.#forgetFaded();
    const current = this.current();
    const isNew = current.kind === 'pem' && current.pem !== this.#told;
    if (!isNew && !hasFaded) return;
    if (isNew && this.#told !== undefined) this.#logger.info('CA bundle changed', this.#leaving());
    if (isNew) this.#told = current.pem;
    for (const listener of this.#listeners) listener();
  }

  /** Forgets what was found in configurations and is over or trusted everywhere. Answers whether one of them is to be written anew. */
  #forgetFaded(): boolean {
    const trusted = new Set(this.#bundle?.current);
    let hasFaded = false;
    for (const [configuration, { certificates, sinceMs }] of this.#found) {
      const isOver = this.#clock.now() >= sinceMs + this.#overlapMs;
      const isOurs = certificates.every((pem) => trusted.has(pem));
      if (isOver || isOurs) this.#found.delete(configuration);
      hasFaded ||= isOver && !isOurs;
    }
    return hasFaded;
  }

  /** The replaced CAs that are still trusted, and until when. An operator who replaced a CA for a reason needs to know. */
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
