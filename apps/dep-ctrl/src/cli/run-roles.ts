// The life of a process that runs roles. Health listens first and says not ready; then what the roles need is read, again and again until kcp
// answers; then the roles run. A stop takes readiness away first and closes health last.
import { isKcpError, runAll, systemClock, type Connection, type Logger, type Runnable } from '@dep-ctrl/kcp-client';
import type { Container } from 'inversify';
import { compose } from '../composition/compose.js';
import { controllerModule } from '../composition/controller-module.js';
import type { Home } from '../composition/tokens.js';
import { webhookModule } from '../composition/webhook-module.js';
import { ControllerRole } from '../controller/controller-role.js';
import { RuleSource } from '../rules/rule-source.js';
import { HealthServer } from '../telemetry/health-server.js';
import { listenFailure } from '../telemetry/listen-failure.js';
import { loggerFor } from '../telemetry/logger-for.js';
import { Readiness } from '../telemetry/readiness.js';
import { WebhookRole } from '../webhook/webhook-role.js';
import type { World } from './command.js';
import { connectHome } from './connect.js';
import { prepareRoles, type Prepared } from './prepare-roles.js';
import type { ProcessSettings, RoleSettings } from './role-settings.js';

// Between tries to read what the roles need, while kcp does not answer.
const TRY_AGAIN_MS = 2_000;
// A server listens within milliseconds; nothing else tells us when.
const LISTENS_SOON_MS = 10;

/** Runs the roles until the world says stop. Throws when a part of them breaks, and at once when a flag turns out to be wrong. */
export async function runRoles(settings: ProcessSettings, world: World): Promise<void> {
  const logger = loggerFor(settings, world, 'info');
  const { connection, home } = connectHome(settings, world.env);
  const readiness = new Readiness();
  const health = new HealthServer({
    health: { flag: '--health-probe-bind-address', address: settings.healthAddress },
    metrics: { flag: '--metrics-bind-address', address: settings.metricsAddress },
    readiness,
    renderMetrics: () => Promise.resolve({ contentType: 'text/plain', text: '' }),
    logger,
  });
  try {
    await health.start();
    await runRolesOn({ ...settings, connection, home, readiness, logger, signal: world.signal });
    logger.info('stopped');
  } finally {
    await health.stop();
    await connection.close();
  }
}

/** Roles on a connection that is there. */
export interface RolesOnKcp {
  readonly connection: Connection;
  readonly home: Home;
  readonly roles: RoleSettings;
  readonly urlTokenFile?: string | undefined;
  readonly readiness: Readiness;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Runs the roles until the signal; ends when all of them have ended. */
export async function runRolesOn(process: RolesOnKcp): Promise<void> {
  const { connection, home, readiness, logger, signal } = process;
  const drain = () => readiness.drain();
  signal.addEventListener('abort', drain, { once: true });
  try {
    const prepared = await prepare(process);
    if (prepared === undefined) return;
    const container = compose({ connection, home, clock: systemClock, logger }, prepared.urlSecrets);
    await runAll(partsOf(container, process, prepared), signal);
  } finally {
    signal.removeEventListener('abort', drain);
  }
}

// The order is the order of the start: what answers listens first, what watches follows.
function partsOf(
  container: Container,
  { roles, readiness }: RolesOnKcp,
  { readServingPair, caBundle, followers }: Prepared,
): readonly Runnable[] {
  const parts: Runnable[] = [];
  let webhook: WebhookRole | undefined;
  if (roles.webhook !== undefined && readServingPair !== undefined) {
    container.load(webhookModule({ ...roles.webhook, readServingPair }));
    webhook = container.get(WebhookRole);
    for (const check of webhook.readinessChecks) readiness.add(check);
    parts.push(namingThePort(webhook, roles.webhook.port));
  }
  parts.push(container.get(RuleSource), ...followers);
  if (roles.controller !== undefined) {
    const { leaderElect, webhookUrl } = roles.controller;
    const controllerFor = (url: string) => {
      container.load(controllerModule({ webhookUrl: url, leaderElect, caBundle }));
      return container.get(ControllerRole);
    };
    parts.push(webhookUrl === undefined ? onceListening(webhook, controllerFor) : controllerFor(webhookUrl));
  }
  return parts;
}

/** Everything the roles need; undefined when the process is stopped first. Without kcp they wait, and readiness says for what. */
async function prepare({ roles, urlTokenFile, home, readiness, logger, signal }: RolesOnKcp): Promise<Prepared | undefined> {
  let missing: string | undefined = 'not started yet';
  readiness.add({ name: 'start', check: () => (missing === undefined ? { ready: true } : { ready: false, missing }) });
  const isStopped = () => signal.aborted;
  while (!isStopped()) {
    try {
      const prepared = await prepareRoles({ roles, urlTokenFile, home, clock: systemClock, logger, signal });
      missing = undefined;
      return prepared;
    } catch (error) {
      if (isStopped()) return undefined;
      if (!isKcpError(causeOf(error))) throw error;
      missing = error instanceof Error ? error.message : 'kcp does not answer';
      logger.warn('start waits for kcp', { error });
      await systemClock.sleep(TRY_AGAIN_MS, { signal }).catch(() => undefined);
    }
  }
  return undefined;
}

function causeOf(error: unknown): unknown {
  return isKcpError(error) || !(error instanceof Error) ? error : error.cause;
}

function namingThePort(webhook: WebhookRole, port: number): Runnable {
  return {
    run: (signal) =>
      webhook.run(signal).catch((error: unknown) => {
        throw listenFailure(error, { flag: '--webhook-port', address: { port } });
      }),
  };
}

/** The controller, with the webhook of this process as its webhook: it starts once the port is known. */
function onceListening(webhook: WebhookRole | undefined, controllerFor: (url: string) => ControllerRole): Runnable {
  return {
    run: async (signal) => {
      while (!signal.aborted) {
        const address = webhook?.address();
        if (address !== undefined) return controllerFor(`https://127.0.0.1:${address.port}/validate`).run(signal);
        await systemClock.sleep(LISTENS_SOON_MS, { signal }).catch(() => undefined);
      }
    },
  };
}
