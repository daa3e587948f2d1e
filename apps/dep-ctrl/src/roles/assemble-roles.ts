// Takes the roles of a process out of the container, in the order in which they start: what answers listens first, what watches follows.
import { systemClock, type Logger, type Runnable } from '@dep-ctrl/kcp-client';
import { parseLogicalClusterName, type WorkspacePath } from '@dep-ctrl/kcp-names';
import type { RegistryReader } from '@dep-ctrl/rule-registry';
import type { Container } from 'inversify';
import { compose } from '../composition/compose.js';
import { controllerModule } from '../composition/controller-module.js';
import { Rules } from '../composition/tokens.js';
import { webhookModule } from '../composition/webhook-module.js';
import { ControllerRole, type ControllerState } from '../controller/controller-role.js';
import { RuleSource } from '../rules/rule-source.js';
import { decisionLog, tellAll } from '../telemetry/decision-log.js';
import { listenFailure } from '../health/listen-failure.js';
import { namingPaths } from '../telemetry/naming-paths.js';
import type { ReadinessCheck } from '../health/readiness.js';
import { noDecisions, type Decisions } from '../webhook/decision/decisions.js';
import { WebhookRole } from '../webhook/webhook-role.js';
import type { CertificateFit } from '../self-checks/certificate-fit.js';
import type { Prepared } from './prepare-roles.js';
import { OWN_HOST } from './role-settings.js';
import type { RolesOnKcp } from './run-roles.js';
import { WebhookRights } from '../self-checks/webhook-rights.js';
import { WebhookUrlWatch } from '../self-checks/webhook-url-watch.js';

// A server listens within milliseconds; nothing else tells us when.
const LISTENS_SOON_MS = 10;

/** Builds the parts to run. Readiness and metrics look at them from now on; none is started. */
export function assembleRoles(process: RolesOnKcp, prepared: Prepared): readonly Runnable[] {
  const { connection, home, readiness, metrics, roles } = process;
  const logger = namingPaths(process.logger, (cluster) => pathIn(container.get(Rules).value.reader, cluster));
  const container = compose({ connection, home, clock: systemClock, logger }, prepared.urlSecrets);
  const source = container.get(RuleSource);
  const webhook = assembleWebhook(container, { ...process, logger }, prepared);
  const controller = roles.controller === undefined ? undefined : new LateController(container, roles.controller, webhook, prepared);
  const rights = webhook === undefined ? undefined : new WebhookRights({ connection, source, clock: systemClock, logger });
  for (const check of webhook?.readinessChecks ?? [kcpAnswers(source)]) readiness.add(check);
  const urlWatch = controller === undefined ? undefined : watchUrl(controller, webhook, prepared, logger);
  const leadership = roles.controller?.leaderElect === true ? leadershipOf(() => controller?.role?.state()) : undefined;
  const notes = [rights?.readiness, prepared.certificate?.readiness, urlWatch?.readiness, leadership];
  for (const note of notes.filter((each) => each !== undefined)) readiness.add(note);
  const { reader } = container.get(Rules).value;
  metrics?.observe({
    clock: systemClock,
    endpoints: () => source.state(),
    rules: () => reader.snapshot(),
    completeness: () => reader.completeness(),
    controller: () => controller?.role?.state(),
  });
  return [
    ...(webhook === undefined ? [] : [namingThePort(webhook, roles.webhook?.port ?? 0)]),
    source,
    ...[rights, ...prepared.followers, controller, urlWatch].filter((each) => each !== undefined),
  ];
}

function pathIn({ paths }: RegistryReader, name: string): WorkspacePath | undefined {
  const cluster = parseLogicalClusterName(name);
  return cluster.ok ? paths.pathOf(cluster.value) : undefined;
}

function assembleWebhook(
  container: Container,
  { roles, logger, metrics }: RolesOnKcp,
  { readServingPair, certificate }: Prepared,
): WebhookRole | undefined {
  if (roles.webhook === undefined || readServingPair === undefined) return undefined;
  const { host, port, maxRuleAgeMs } = roles.webhook;
  const log = decisionLog(logger);
  const decisions = tellAll(log, ...(metrics === undefined ? [] : [metrics]), ...(certificate === undefined ? [] : [noting(certificate)]));
  container.load(webhookModule({ port, ...(host === undefined ? {} : { host }), maxRuleAgeMs, readServingPair, decisions }));
  return container.get(WebhookRole);
}

/** Tells by which hosts reviews come. */
function noting(certificate: CertificateFit): Decisions {
  return { ...noDecisions, decided: ({ host }) => certificate.calledAs(host) };
}

function watchUrl(controller: LateController, webhook: WebhookRole | undefined, prepared: Prepared, logger: Logger): WebhookUrlWatch {
  return new WebhookUrlWatch({
    webhookUrl: () => controller.webhookUrl,
    caBundle: prepared.caBundle,
    isServing: () => webhook?.isServing() ?? true,
    isCertificateJudged: prepared.certificate !== undefined,
    clock: systemClock,
    logger,
  });
}

function leadershipOf(state: () => ControllerState | undefined): ReadinessCheck {
  return {
    name: 'leadership',
    check: () => {
      const { isLeading = false, otherLeader, leaseProblem } = state() ?? {};
      if (leaseProblem !== undefined) return { ready: true, note: `the lease is neither taken nor renewed: ${leaseProblem}` };
      if (isLeading) return { ready: true };
      return { ready: true, remark: `standing by: ${otherLeader === undefined ? 'who leads is not known yet' : `${otherLeader} leads`}` };
    },
  };
}

/** The controller. Where no URL was given it is the webhook of this process, and starts once that one's port is known. */
class LateController implements Runnable {
  readonly #container: Container;
  readonly #settings: NonNullable<RolesOnKcp['roles']['controller']>;
  readonly #webhook: WebhookRole | undefined;
  readonly #prepared: Prepared;
  role: ControllerRole | undefined;
  /** Undefined until it is known. */
  webhookUrl: string | undefined;

  constructor(
    container: Container,
    settings: NonNullable<RolesOnKcp['roles']['controller']>,
    webhook: WebhookRole | undefined,
    prepared: Prepared,
  ) {
    this.#container = container;
    this.#settings = settings;
    this.#webhook = webhook;
    this.#prepared = prepared;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { leaderElect, webhookUrl = await this.#ownUrl(signal) } = this.#settings;
    if (webhookUrl === undefined) return;
    this.webhookUrl = webhookUrl;
    const isWebhookServing = (): boolean => this.#webhook?.isServing() ?? true;
    this.#container.load(controllerModule({ webhookUrl, leaderElect, caBundle: this.#prepared.caBundle, isWebhookServing }));
    this.role = this.#container.get(ControllerRole);
    await this.role.run(signal);
  }

  async #ownUrl(signal: AbortSignal): Promise<string | undefined> {
    while (!signal.aborted) {
      const address = this.#webhook?.address();
      if (address !== undefined) return `https://${OWN_HOST}:${address.port}/validate`;
      await systemClock.sleep(LISTENS_SOON_MS, { signal }).catch(() => undefined);
    }
    return undefined;
  }
}

/** Without the webhook nobody waits for rules; but a controller that has never reached kcp is of no use. */
function kcpAnswers(source: RuleSource): ReadinessCheck {
  return {
    name: 'kcp',
    check: () =>
      source.state().slice.kind === 'unknown'
        ? { ready: false, missing: 'the endpoints of the export have not been read' }
        : { ready: true },
  };
}

function namingThePort(webhook: WebhookRole, port: number): Runnable {
  return {
    run: (signal) =>
      webhook.run(signal).catch((error: unknown) => {
        throw listenFailure(error, { flag: '--webhook-port', address: { port } });
      }),
  };
}
