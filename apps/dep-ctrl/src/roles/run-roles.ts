// The life of a process that runs roles: 1. check the files that flags name; 2. serve health, not ready yet; 3. prepare the roles, again and again until kcp
// answers and has the export; 4. run the roles. After a stop the process is not ready at once, and health closes last.
import { Brake, type BrakeSettings, fitHeap, isKcpError, type Logger, pause, Readiness, runAll, systemClock } from '@dep-ctrl/kcp-client';
import { describeFailure, type World } from '@dep-ctrl/command-settings';
import { compose, partsOf, readyLinesOf } from '../composition/compose.js';
import { telemetryModule } from '../composition/telemetry-module.js';
import { ControllerRole } from '../controller/controller-role.js';
import { RuleSource } from '../rules/rule-source.js';
import { HealthServer } from '../health/health-server.js';
import { loggerFor } from '../telemetry/logger-for.js';
import { ProcessMetrics } from '../telemetry/process-metrics.js';
import { awaitedExport } from './awaited-export.js';
import { connectHome } from '../command-line/connect.js';
import { filesReadiness } from './files-readiness.js';
import { readNamedFiles, type NamedFiles } from './named-files.js';
import { keepsSecrets, prepareRoles, type Prepared } from './prepare-roles.js';
import { roleModules, type RoleParts } from './role-modules.js';
import type { ProcessSettings } from './role-settings.js';

// Between tries to read what the roles need, while kcp does not answer.
const TRY_AGAIN_MS = 2_000;
/** How often the log repeats the same reason for not starting. */
const LINES: BrakeSettings = { atOnce: 0, backoff: { firstMs: 4_000, factor: 2, capMs: 60_000 }, forgetMs: Infinity };

/** Runs the roles until the world says stop. Throws when a part of them breaks, and at once when a flag turns out to be wrong. */
export async function runRoles(settings: ProcessSettings, world: World): Promise<void> {
  const logger = loggerFor(settings, world, 'info');
  const { connection, home, kubeconfig } = connectHome(settings, { env: world.env, logger });
  const telemetry = compose({ process: [telemetryModule({ ...settings, logger })] });
  const health = telemetry.get(HealthServer);
  try {
    const files = await readNamedFiles(settings, { clock: systemClock, logger, signal: world.signal });
    warnWithoutToken(settings, logger);
    await health.start();
    const [readiness, metrics] = [telemetry.get(Readiness), telemetry.get(ProcessMetrics)];
    readiness.add(filesReadiness({ kubeconfig, files }));
    await runRolesOn({ roles: settings.roles, files, connection, home, readiness, metrics, logger, signal: world.signal });
    logger.info('stopped');
  } finally {
    await health.stop();
    await connection.close();
  }
}

/** Both roles in one process make a token for themselves; apart they have only what the file says. */
function warnWithoutToken({ urlTokenFile, roles }: ProcessSettings, logger: Logger): void {
  const isApart = roles.controller === undefined || roles.webhook === undefined;
  if (urlTokenFile !== undefined || !isApart) return;
  logger.warn('no --url-token-file: every client that reaches the webhook can ask what refers to what', {
    fix: 'give both roles the same file, such as the url-token of "dep-ctrl bootstrap --kubeconfig-dir"',
  });
}

/** Roles on a connection that is there. */
export interface RolesOnKcp extends RoleParts {
  readonly files: NamedFiles;
  readonly readiness: Readiness;
  readonly metrics?: ProcessMetrics;
  readonly signal: AbortSignal;
}

/** Runs the roles until the signal; ends when all of them have ended. */
export async function runRolesOn(process: RolesOnKcp): Promise<void> {
  const { roles, readiness, metrics, signal } = process;
  const drain = () => readiness.drain();
  signal.addEventListener('abort', drain, { once: true });
  try {
    const prepared = await prepare(process);
    if (prepared === undefined) return;
    if (roles.webhook !== undefined) fitHeap();
    const { registry, ...modules } = roleModules(process, prepared);
    const container = compose(modules);
    for (const line of readyLinesOf(container)) readiness.add(line);
    const controller = container.get(ControllerRole, { optional: true });
    metrics?.observe({ clock: systemClock, registry, source: container.get(RuleSource), controller });
    await runAll([...partsOf(container), ...prepared.followers], signal);
  } finally {
    signal.removeEventListener('abort', drain);
  }
}

/** Everything the roles need; undefined when the process is stopped first. Without kcp or the export they wait, and readiness says for what. */
async function prepare({ roles, files, home, readiness, logger, signal }: RolesOnKcp): Promise<Prepared | undefined> {
  let missing: string | undefined = 'not started yet';
  readiness.add({ name: 'start', check: () => (missing === undefined ? { ready: true } : { ready: false, missing }) });
  const lines = new Brake<'start', string>(systemClock, LINES);
  const isStopped = () => signal.aborted;
  while (!isStopped()) {
    try {
      const awaited = keepsSecrets({ roles, files }) ? await awaitedExport(home, { signal }) : undefined;
      if (awaited === undefined) {
        const prepared = await prepareRoles({ roles, files, home, clock: systemClock, logger, signal });
        missing = undefined;
        return prepared;
      }
      const waiting = `it waits for ${awaited}`;
      if (missing !== waiting) logger.info('waiting', { for: awaited });
      missing = waiting;
    } catch (error) {
      if (isStopped()) return undefined;
      if (!isKcpError(causeOf(error))) throw error;
      missing = error instanceof Error ? error.message : 'kcp does not answer';
      if (lines.tryNow('start', describeFailure(error))) logger.warn('waiting for kcp before the roles start', { error });
    }
    await pause(TRY_AGAIN_MS, { clock: systemClock, signal });
  }
  return undefined;
}

function causeOf(error: unknown): unknown {
  return isKcpError(error) || !(error instanceof Error) ? error : error.cause;
}
