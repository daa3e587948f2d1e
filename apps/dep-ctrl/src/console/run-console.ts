// `dep-ctrl console`: everything at a glance in a browser, with the rights of the kubeconfig. Reads only.
import { randomBytes } from 'node:crypto';
import { systemClock, type Clock } from '@dep-ctrl/kcp-client';
import type { WorkspacePath } from '@dep-ctrl/kcp-names';
import type { World } from '@dep-ctrl/command-settings';
import { WorkspaceResolver } from '@dep-ctrl/workspace-resolver';
import type { ConnectionSettings } from '../command-line/connect.js';
import type { LoopbackAddress } from '../command-line/parse-own-values.js';
import { VERSION } from '../command-line/version.js';
import { connectionFlags, reach } from '../command-line/connect.js';
import { rehearseReviews } from '../explain/rehearse-reviews.js';
import { connectAsker } from '../installation/connect-asker.js';
import { WorkspacePaths } from '../installation/workspace-paths.js';
import { readStatus } from '../status/read-status.js';
import { loggerFor } from '../telemetry/logger-for.js';
import type { LogFormat, LogLevel } from '../telemetry/winston-logger.js';
import { ConsoleServer } from './console-server.js';
import { LiveRules } from './live-rules.js';
import { openInBrowser } from './open-in-browser.js';
import { FeedReader } from './read-feed.js';
import { viewsOf } from './views.js';

/** What `console` is told. */
export interface ConsoleSettings extends ConnectionSettings {
  /** Of dep-ctrl. */
  readonly workspace: WorkspacePath;
  readonly address: LoopbackAddress;
  /** Whether a browser is to show it. */
  readonly open: boolean;
  readonly urlTokenFile: string | undefined;
  readonly logFormat: LogFormat | undefined;
  readonly logLevel: LogLevel | undefined;
}

// Of each rule and field: more than a refusal names, and still a list that a person reads.
const MOST_REFERRERS = 50;

/** Serves until the world says stop; prints the address once there is one. */
export async function runConsole(
  settings: ConsoleSettings,
  world: World,
  { clock, print = printAddress(world) }: { readonly clock: Clock; readonly print?: (address: string) => void } = { clock: systemClock },
): Promise<void> {
  const asker = connectAsker(settings, world, clock);
  const { connection } = asker;
  const { workspace, urlTokenFile } = settings;
  const means = { depCtrlWorkspace: workspace, wanted: MOST_REFERRERS, clock, logger: loggerFor(settings, world, 'error') };
  const rules = new LiveRules({ rehearse: (work, signal) => rehearseReviews(connection, { ...means, signal }, work), clock });
  const paths = new WorkspacePaths({ connection, resolver: new WorkspaceResolver({ connection }), clock });
  const server = new ConsoleServer({
    address: settings.address,
    // 128 bits: beyond guessing.
    token: randomBytes(16).toString('base64url'),
    pages: viewsOf({
      connection,
      flags: connectionFlags(settings),
      rules,
      clock,
      feed: new FeedReader({ home: connection.cluster(workspace), paths, urlTokenFile }),
      readStatus: (signal) => readStatus({ ...asker, signal }, { ...settings, workspace }),
    }),
    frame: { depCtrl: VERSION, server: connection.baseUrl, context: asker.options.contextName },
  });
  let closeFile = (): void => undefined;
  try {
    await reach(connection, world);
    const address = await server.start();
    print(address);
    if (settings.open) closeFile = openInBrowser(address, world);
    await rules.run(world.signal);
  } finally {
    closeFile();
    await server.stop();
    await connection.close();
  }
}

function printAddress({ stdout }: World): (address: string) => void {
  return (address) =>
    stdout.write(
      `console at ${address}\nWhoever has this address reads with the rights of your kubeconfig: keep it to yourself. Ctrl-C ends it.\n`,
    );
}
