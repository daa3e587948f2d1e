// One controller as `dep-ctrl controller` runs it, but for its certificate, its logs and the checks of rules as they are written.
import { runAll, systemClock, type Clock, type Connection, type Logger } from '@dep-ctrl/kcp-client';
import type { WorkspacePath } from '@dep-ctrl/kcp-names';
import { createRegistry, type RegistryReader } from '@dep-ctrl/rule-registry';
import { StaticCaBundle } from '@dep-ctrl/webhook-installer';
import { compose } from '../../composition/compose.js';
import { controllerModules, webhookElsewhere, type ControllerOptions } from '../../composition/controller-modules.js';
import { leadershipModules, type LeadershipOptions } from '../../composition/leadership-modules.js';
import { rulesModule } from '../../composition/rules-module.js';
import { RuleSource } from '../../rules/rule-source.js';
import { ControllerRole } from '../controller-role.js';

/** How a controller differs from the usual one. */
export interface ControllerChange extends Partial<ControllerOptions & Omit<LeadershipOptions, 'webhookUrl'>> {
  readonly clock?: Clock;
  readonly connection?: Connection;
}

/** A controller that runs. */
export interface RunningController {
  readonly role: ControllerRole;
  readonly source: RuleSource;
  readonly registry: RegistryReader;
  /** What it logged, as `message key=value …`. */
  readonly logged: readonly string[];
  readonly stop: () => Promise<void>;
}

/** Starts a controller of an export. */
export function runController(
  { path, name: exportName }: { readonly path: WorkspacePath; readonly name: string },
  { connection, clock = systemClock, ...change }: ControllerChange & { readonly connection: Connection },
): RunningController {
  const logged: string[] = [];
  const { reader: registry, writer } = createRegistry();
  const shared = {
    connection,
    home: { exportName, workspace: connection.cluster(path) },
    registry,
    clock,
    logger: recordingLogger(logged),
  };
  const options = { caBundle: new StaticCaBundle(undefined), isCertificateJudged: false, ...change };
  const container = compose({
    process: [
      rulesModule(shared, writer),
      webhookElsewhere('https://dep-ctrl.example.com/validate'),
      ...controllerModules(shared, options),
    ],
    leadership: (webhookUrl) => leadershipModules(shared, { ...options, webhookUrl }),
  });
  const [source, role] = [container.get(RuleSource), container.get(ControllerRole)];
  const stopping = new AbortController();
  const ended = runAll([source, role], stopping.signal);
  return {
    role,
    source,
    registry,
    logged,
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
}

function recordingLogger(lines: string[]): Logger {
  const record = (message: string, fields: Readonly<Record<string, unknown>> = {}): void => {
    lines.push([message, ...Object.entries(fields).map(([key, value]) => `${key}=${String(value)}`)].join(' '));
  };
  return { debug: () => undefined, info: record, warn: record, error: record };
}
