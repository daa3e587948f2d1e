// The webhook role: an HTTPS server, its certificate, and behind it the reviews. Holds no state of its own beyond what makes it fast;
// replicas share nothing.
import type { AddressInfo } from 'node:net';
import { runAll, silentLogger, type Clock, type ClusterClient, type Connection, type Logger, type Runnable } from '@dep-ctrl/kcp-client';
import type { RegistryReader } from '@dep-ctrl/rule-registry';
import type { WorkspaceResolver } from '@dep-ctrl/workspace-resolver';
import type { RuleSource } from '../rules/rule-source.js';
import type { ReadinessAnswer, ReadinessCheck } from '../telemetry/readiness.js';
import { AdmissionServer, defaultServerLimits, type ServerLimits } from './server/admission-server.js';
import { CertificateKeeper, type CertificateKeeperDependencies } from '../certificate/certificate-keeper.js';
import { noDecisions, type Decisions } from './review/decisions.js';
import { makeDeletionGuard } from './make-deletion-guard.js';
import { ReviewDesk } from './review/review-desk.js';
import { makeAdmissionDesk } from './rule-admission/make-admission-desk.js';
import { isAdmissionTarget, type ServedTarget } from './server/review-target.js';
import { rulesReadiness } from './fresh-rules/rules-readiness.js';
import type { ReadServingPair } from '../certificate/serving-pair.js';
import { isAdmissionTokenAccepted, isUrlTokenAccepted, type UrlSecrets } from '../url-tokens/url-token.js';
import { defaultReadLimits, type ReadLimits } from './lists/workspace-reads.js';
import type { CollectYoung } from './lists/young-garbage.js';

/** What the webhook role is told. */
export interface WebhookRoleSettings {
  readonly port: number;
  readonly host?: string;
  /** How long a watch may be silent before its rules are looked up live. */
  readonly maxRuleAgeMs: number;
}

/** The bounds of the role; each has a default. */
export interface WebhookLimits extends ServerLimits, ReadLimits {
  /** How long answering what has begun may take after a stop. */
  readonly drainMs: number;
  /** How long a watch may be broken before the role is not ready. */
  readonly maxDisconnectedMs: number;
}

/** What {@link WebhookRole} needs. */
export interface WebhookRoleDependencies {
  /** The front-proxy: consumer workspaces, schemas, and the credentials for virtual workspaces. */
  readonly connection: Connection;
  /** The export and its workspace. */
  readonly home: { readonly exportName: string; readonly workspace: ClusterClient };
  readonly registry: RegistryReader;
  readonly source: RuleSource;
  readonly resolver: Pick<WorkspaceResolver, 'resolve'>;
  readonly settings: WebhookRoleSettings;
  readonly readServingPair: ReadServingPair;
  /** Absent: URLs need no token. */
  readonly urlSecrets?: () => UrlSecrets;
  /** PEM CA bundles of the configurations that are installed: a new certificate is held back until they verify it. */
  readonly installedBundles?: CertificateKeeperDependencies['installedBundles'];
  readonly decisions?: Decisions;
  readonly clock: Clock;
  readonly logger?: Logger;
  readonly limits?: Partial<WebhookLimits>;
  /** Keeps memory from growing with the lists that are read. */
  readonly collectYoung?: CollectYoung;
}

// The longest timeout that a webhook can have, and so the longest that a review can take.
const DEFAULT_DRAIN_MS = 30_000;
const DEFAULT_MAX_DISCONNECTED_MS = 60_000;

/** Answers the reviews that kcp posts. */
export class WebhookRole implements Runnable {
  /** `tls`: a certificate is served. `rules`: every reachable endpoint has been listed and is being watched. */
  readonly readinessChecks: readonly ReadinessCheck[];
  readonly #dependencies: WebhookRoleDependencies;
  readonly #limits: WebhookLimits;
  readonly #server: AdmissionServer;
  readonly #certificate: CertificateKeeper;
  #address: AddressInfo | undefined;

  constructor(dependencies: WebhookRoleDependencies) {
    const { settings, clock, logger = silentLogger, decisions = noDecisions } = dependencies;
    this.#dependencies = dependencies;
    this.#limits = {
      ...defaultServerLimits,
      ...defaultReadLimits,
      drainMs: DEFAULT_DRAIN_MS,
      maxDisconnectedMs: DEFAULT_MAX_DISCONNECTED_MS,
      ...dependencies.limits,
    };
    const guard = makeDeletionGuard({ ...dependencies, decisions, limits: this.#limits, maxRuleAgeMs: settings.maxRuleAgeMs });
    const desk = new ReviewDesk({ guard, decisions, clock, logger });
    const admission = makeAdmissionDesk(dependencies);
    this.#server = new AdmissionServer({
      host: settings.host,
      port: settings.port,
      parse: async (body, target) => {
        if (isAdmissionTarget(target)) {
          const write = await admission.parse(body);
          return (_, options) => admission.answer(write, options);
        }
        const review = await desk.parse(body);
        return (timeoutMs, options) => desk.answer(review, { ...target, timeoutMs }, options);
      },
      isAdmitted: (target) => this.#isAdmitted(target),
      limits: this.#limits,
    });
    this.#certificate = new CertificateKeeper({
      readServingPair: dependencies.readServingPair,
      installedBundles: dependencies.installedBundles ?? (() => []),
      serve: (pair) => {
        this.#server.use(pair);
        decisions.certificateServed(pair);
      },
      clock,
      logger,
    });
    this.readinessChecks = [
      { name: 'tls', check: () => this.#tlsReadiness() },
      { name: 'rules', check: () => this.#rulesReadiness() },
    ];
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
    this.#address = await this.#server.listen();
    try {
      await runAll([this.#certificate], signal);
    } finally {
      this.#address = undefined;
      await this.#drain();
    }
  }

  async #drain(): Promise<void> {
    const { clock } = this.#dependencies;
    const cut = new AbortController();
    const drained = new AbortController();
    const timer = clock.sleep(this.#limits.drainMs, { signal: drained.signal }).then(
      () => cut.abort(),
      () => undefined, // all was answered
    );
    await this.#server.drain(cut.signal);
    drained.abort();
    await timer;
  }

  #isAdmitted(target: ServedTarget): boolean {
    const { urlSecrets } = this.#dependencies;
    if (urlSecrets === undefined) return true;
    const { token } = target;
    if (isAdmissionTarget(target)) return token !== undefined && isAdmissionTokenAccepted(urlSecrets(), token);
    const { guardedCluster } = target;
    return guardedCluster !== undefined && token !== undefined && isUrlTokenAccepted(urlSecrets(), guardedCluster, token);
  }

  #tlsReadiness(): ReadinessAnswer {
    if (this.#address === undefined) return { ready: false, missing: 'it does not listen yet' };
    const { missing } = this.#certificate;
    return missing === undefined ? { ready: true } : { ready: false, missing };
  }

  #rulesReadiness(): ReadinessAnswer {
    const { source, clock } = this.#dependencies;
    return rulesReadiness(source.state(), { nowMs: clock.monotonic(), maxDisconnectedMs: this.#limits.maxDisconnectedMs });
  }
}
