// The webhook role: an HTTPS server with its certificate, and the reviews behind it. Its only state is what makes it fast; replicas share nothing.
import type { AddressInfo } from 'node:net';
import { type Clock, type ReadinessAnswer, type ReadinessCheck, runAll, type Runnable } from '@dep-ctrl/kcp-client';
import type { AdmissionServer, CertificateKeeper } from '@dep-ctrl/admission-server';
import { listenFailure } from '@dep-ctrl/command-settings';
import type { RuleSource } from '../rules/rule-source.js';
import { rulesReadiness } from './fresh-rules/rules-readiness.js';

/** The bounds of the role. */
export interface RoleLimits {
  /** How long answering what has begun may take after a stop. */
  readonly drainMs: number;
  /** How long a watch may be broken before the role is not ready. */
  readonly maxDisconnectedMs: number;
}

/** The longest timeout that a webhook can have is the longest that a review can take. */
export const defaultRoleLimits: RoleLimits = { drainMs: 30_000, maxDisconnectedMs: 60_000 };

/** What {@link WebhookRole} needs. */
export interface WebhookRoleDependencies {
  readonly server: AdmissionServer;
  /** The port that the server was told, for a failure to name it. */
  readonly port: number;
  readonly certificate: CertificateKeeper;
  readonly source: Pick<RuleSource, 'state'>;
  readonly limits: RoleLimits;
  readonly clock: Clock;
}

/** Answers the reviews that kcp posts. */
export class WebhookRole implements Runnable {
  /** `tls`: a certificate is served. `rules`: every reachable endpoint has been listed and is being watched. */
  readonly readinessChecks: readonly ReadinessCheck[] = [
    { name: 'tls', check: () => this.#tlsReadiness() },
    { name: 'rules', check: () => this.#rulesReadiness() },
  ];
  /** Where it listens, once it does. */
  readonly listening: Promise<AddressInfo>;
  readonly #dependencies: WebhookRoleDependencies;
  #listens: (address: AddressInfo) => void = () => undefined;
  #address: AddressInfo | undefined;

  constructor(dependencies: WebhookRoleDependencies) {
    this.#dependencies = dependencies;
    this.listening = new Promise((resolve) => (this.#listens = resolve));
  }

  /** Where it listens; undefined before and after. */
  address(): AddressInfo | undefined {
    return this.#address;
  }

  /** Whether it listens and has a certificate. */
  isServing(): boolean {
    return this.#tlsReadiness().ready;
  }

  /** Serves until the signal aborts, then answers what has begun. Rejects when the port is taken. */
  async run(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { server, port, certificate } = this.#dependencies;
    this.#address = await server.listen().catch((error: unknown) => {
      throw listenFailure(error, { flag: '--webhook-port', address: { port } });
    });
    this.#listens(this.#address);
    try {
      await runAll([certificate], signal);
    } finally {
      this.#address = undefined;
      await this.#drain();
    }
  }

  async #drain(): Promise<void> {
    const { server, clock, limits } = this.#dependencies;
    const cut = new AbortController();
    const drained = new AbortController();
    const timer = clock.sleep(limits.drainMs, { signal: drained.signal }).then(
      () => cut.abort(),
      () => undefined, // all was answered
    );
    await server.drain(cut.signal);
    drained.abort();
    await timer;
  }

  #tlsReadiness(): ReadinessAnswer {
    if (this.#address === undefined) return { ready: false, missing: 'it does not listen yet' };
    const { missing, note } = this.#dependencies.certificate;
    if (missing !== undefined) return { ready: false, missing };
    return note === undefined ? { ready: true } : { ready: true, note };
  }

  #rulesReadiness(): ReadinessAnswer {
    const { source, clock, limits } = this.#dependencies;
    return rulesReadiness(source.state(), { nowMs: clock.monotonic(), maxDisconnectedMs: limits.maxDisconnectedMs });
  }
}
