// One controller as `dep-ctrl controller` runs it, but for its certificate and its logs.
import { runAll, systemClock, type Clock, type Connection, type LeaderElector, type Logger } from '@dep-ctrl/kcp-client';
import type { WorkspacePath } from '@dep-ctrl/kcp-names';
import { createRegistry, type RegistryReader } from '@dep-ctrl/rule-registry';
import { StaticCaBundle, type CaBundleSource } from '@dep-ctrl/webhook-installer';
import { WorkspaceResolver } from '@dep-ctrl/workspace-resolver';
import { RuleSource } from '../../rules/rule-source.js';
import { ControllerRole } from '../controller-role.js';
import type { LeaseHolder } from '../leadership/lease-holder.js';
import type { UrlTokens } from '../../url-tokens/url-tokens.js';

/** How a controller differs from the usual one. */
export interface ControllerChange {
  readonly caBundle?: CaBundleSource;
  readonly urlTokens?: UrlTokens;
  readonly leaderElector?: LeaderElector;
  readonly lease?: LeaseHolder;
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
  {
    connection,
    caBundle = new StaticCaBundle(undefined),
    urlTokens,
    leaderElector,
    lease,
    clock = systemClock,
  }: ControllerChange & { readonly connection: Connection },
): RunningController {
  const registry = createRegistry();
  const logged: string[] = [];
  const logger = recordingLogger(logged);
  const resolver = new WorkspaceResolver({ connection });
  const source = new RuleSource({
    connection,
    exportWorkspace: connection.cluster(path),
    exportName,
    registry,
    resolver,
    clock,
    logger,
  });
  const role = new ControllerRole({
    source,
    registry: registry.reader,
    resolver,
    connection,
    home: connection.cluster(path),
    settings: { exportName, webhookUrl: 'https://dep-ctrl.example.com/validate' },
    caBundle,
    ...(urlTokens !== undefined && { urlTokens }),
    ...(leaderElector !== undefined && { leaderElector }),
    ...(lease !== undefined && { lease }),
    clock,
    logger,
  });
  const stopping = new AbortController();
  const ended = runAll([source, role], stopping.signal);
  return {
    role,
    source,
    registry: registry.reader,
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
