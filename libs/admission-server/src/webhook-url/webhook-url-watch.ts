// Checks whether the webhook answers at the installed URL. With a wrong port, host or CA every part here works, but kcp cannot call the webhook and refuses
// each request. So this watch makes a TLS handshake every few seconds: readiness tells what the last one met, and a failure that stays is logged once. kcp
// may be in another network, so the message says "from here", and the process stays ready.
import { isDeepStrictEqual } from 'node:util';
import type { Clock, Logger, ReadinessCheck, Runnable } from '@dep-ctrl/kcp-client';
import type { CaBundleSource } from '@dep-ctrl/webhook-installer';
import { hostOf } from '../certificates/host-of.js';
import { tryHandshake, type HandshakeFailure } from './try-handshake.js';

/** What {@link WebhookUrlWatch} needs. */
export interface WebhookUrlWatchDependencies {
  /** What configurations are written with; undefined while that is not known. */
  readonly webhookUrl: () => string | undefined;
  readonly caBundle: Pick<CaBundleSource, 'current' | 'subscribe'>;
  /** Whether there is something to look at yet: a webhook in the same process that has still to start is none. */
  readonly isServing: () => boolean;
  /** Whether this process tells what is wrong with the certificate by its file: then it is not told twice. */
  readonly isCertificateJudged: boolean;
  /** What to do about a failure, for people; by its cause, of the host that is called. */
  readonly fixes: Readonly<Record<HandshakeFailure['cause'], (host: string) => string>>;
  readonly clock: Clock;
  readonly logger: Logger;
}

// A handshake takes the webhook about a millisecond, and a wrong URL has kcp refuse every delete: so a failure that stays shows within 10 s.
const LOOK_EVERY_MS = 5_000;
const LOOK_SOON_MS = 1_000;

/** Logs when the webhook does not answer at its URL, and when it does again. */
export class WebhookUrlWatch implements Runnable {
  readonly #dependencies: WebhookUrlWatchDependencies;
  /** What the last look met. */
  #failure: HandshakeFailure | undefined;
  #hasLooked = false;
  #told: HandshakeFailure | undefined;

  constructor(dependencies: WebhookUrlWatchDependencies) {
    this.#dependencies = dependencies;
  }

  /** For `readyz?verbose`. */
  readonly readiness: ReadinessCheck = {
    name: 'webhook-url',
    check: () => {
      if (!this.#hasLooked) return { ready: true, note: 'not checked yet' };
      if (this.#failure === undefined) return { ready: true };
      return { ready: true, note: `${this.#origin() ?? 'it'} does not answer from here: ${this.#failure.problem}` };
    },
  };

  async run(signal: AbortSignal): Promise<void> {
    const { caBundle, clock } = this.#dependencies;
    while (!signal.aborted) {
      const changed = new AbortController();
      const leave = caBundle.subscribe(() => changed.abort());
      const looked = await this.#look(signal);
      const pause = AbortSignal.any([signal, changed.signal]);
      await clock.sleep(looked ? LOOK_EVERY_MS : LOOK_SOON_MS, { signal: pause }).catch(() => undefined); // told to stop, or to look
      leave();
    }
  }

  /** Answers whether there was something to look at. */
  async #look(signal: AbortSignal): Promise<boolean> {
    const { webhookUrl, caBundle, isServing } = this.#dependencies;
    const url = webhookUrl();
    const trusted = caBundle.current();
    if (url === undefined || trusted.kind === 'unread' || !isServing()) return false;
    const address = { host: hostOf(url), port: Number(new URL(url).port || HTTPS_PORT) };
    const failure = await tryHandshake({ ...address, ...(trusted.kind === 'pem' ? { ca: trusted.pem } : {}) }, { signal });
    if (!signal.aborted) this.#found(failure);
    return true;
  }

  #found(failure: HandshakeFailure | undefined): void {
    const before = this.#failure;
    this.#failure = failure;
    this.#hasLooked = true;
    if (failure === undefined) this.#answers();
    else if (before !== undefined && (this.#told === undefined || isDeepStrictEqual(failure, before))) this.#fails(failure);
  }

  #fails(failure: HandshakeFailure): void {
    if (isDeepStrictEqual(failure, this.#told)) return;
    this.#told = failure;
    if (this.#isSaidElsewhere(failure)) return;
    const { problem, cause } = failure;
    this.#dependencies.logger.warn('webhook does not answer from here', {
      webhookUrl: this.#origin(),
      problem,
      fix: this.#dependencies.fixes[cause](this.#host()),
    });
  }

  #answers(): void {
    if (this.#told !== undefined && !this.#isSaidElsewhere(this.#told))
      this.#dependencies.logger.info('webhook answers from here', { webhookUrl: this.#origin() });
    this.#told = undefined;
  }

  #isSaidElsewhere(failure: HandshakeFailure): boolean {
    return failure.of === 'certificate' && this.#dependencies.isCertificateJudged;
  }

  #host(): string {
    const url = this.#dependencies.webhookUrl();
    return url === undefined ? '' : hostOf(url);
  }

  #origin(): string | undefined {
    const url = this.#dependencies.webhookUrl();
    return url === undefined ? undefined : new URL(url).origin;
  }
}

const HTTPS_PORT = 443;
