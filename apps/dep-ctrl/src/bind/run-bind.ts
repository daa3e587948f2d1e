import { systemClock, type Clock, type KcpError } from '@dep-ctrl/kcp-client';
import type { WorkspacePath } from '@dep-ctrl/kcp-names';
import { EXPORT_NAME } from '@dep-ctrl/rule-registry';
import { API_EXPORTS, type Doubt, inside, onceReady } from '@dep-ctrl/kcp-objects';
import { printFirst, readExport, type Bound, type ExportNow } from '@dep-ctrl/exported-types';
import { printResult, type World } from '@dep-ctrl/command-settings';
import { connectAnswering, connectionFlags, connectShard, type ConnectionSettings } from '../command-line/connect.js';
import { lookForExport } from '../command-line/own-export.js';
import { printAccess, type AccessReport } from '../read-access/describe-access.js';
import { withRole } from '../command-line/missing-role.js';
import { bindDepCtrl } from './bind-dep-ctrl.js';
import { grantReading } from './grant-reading.js';
import { checkRightToBind } from './check-right.js';
import { handOverConfiguration, letGo, refuseByFormer } from './hand-over.js';
import { unseenRules } from './unseen-rules.js';
import { howToRebind } from './how-to-rebind.js';

/** The settings of `bind`. */
export interface BindSettings extends ConnectionSettings {
  readonly workspace: WorkspacePath;
  readonly paths: readonly WorkspacePath[];
  readonly shardKubeconfigs: readonly string[];
  readonly rulesAreBack: boolean;
  readonly output: 'json' | 'yaml' | undefined;
}

interface BindResult {
  readonly bindings: readonly BoundWorkspace[];
  /** What the webhook may read now, on each shard that was given. */
  readonly reading: readonly AccessReport[];
  /** Types whose objects the ordered teardown may delete from now on. */
  readonly teardown?: readonly string[];
  /** What a person should do next. */
  readonly notes: readonly string[];
}

interface BoundWorkspace {
  readonly path: WorkspacePath;
  readonly binding: Bound | 'failed';
  /** Present if a former installation had left a configuration; `let-go`: the rules are back. */
  readonly configuration?: 'handed-over' | 'let-go';
}

/** What bind knows of the export before the first binding. */
interface Known {
  readonly doubt: Doubt | undefined;
  readonly found: ExportNow | undefined;
}

// kcp takes half a second for a binding, and some 5 s for the first one of a new schema: most of it waits, and in parallel.
const AT_A_TIME = 8;

// Rules and guards are kept by the identity of the export that they were written through.
const REBOUND = ': dep-ctrl was set up anew since, so apply the rules and guards of this workspace again';

const HANDED_OVER =
  '; the configuration of the former installation was handed over: it refuses every delete. When all rules about this workspace are applied again, run: ';

const LET_GO = '; the rules are back: the configuration asks about deletes again';

const REAL = { clock: systemClock };

/**
 * Binds the workspaces, some at a time, then lets the webhook read the types that they export. One workspace that cannot be bound does not stop the
 * others. Throws the first failure at the end.
 */
export async function runBind(settings: BindSettings, world: World, { clock }: { readonly clock: Clock } = REAL): Promise<void> {
  const shards = settings.shardKubeconfigs.map(connectShard);
  const connection = await connectAnswering(settings, world);
  const { signal } = world;
  const depCtrlExport = { path: settings.workspace, name: EXPORT_NAME };
  try {
    const home = { path: settings.workspace, by: '--workspace', flags: connectionFlags(settings) };
    const doubt = await lookForExport(connection, home, { type: API_EXPORTS, name: EXPORT_NAME, purpose: 'bind its export' }, { signal });
    const found = await readExport(connection, depCtrlExport, { signal });
    if (settings.rulesAreBack) {
      const unseen = await unseenRules(connection, connection.cluster(settings.workspace), { signal });
      if (unseen !== undefined) throw new Error(`nothing is let go: ${unseen}`);
    }
    const bindings: BoundWorkspace[] = [];
    const failures: unknown[] = [];
    for (let at = 0; at < settings.paths.length; at += AT_A_TIME) {
      const paths = settings.paths.slice(at, at + AT_A_TIME);
      const outcomes = await Promise.allSettled(paths.map((path) => bindOne(path, { doubt, found })));
      for (const [index, path] of paths.entries()) {
        const bound = outcomes[index];
        bindings.push(bound?.status === 'fulfilled' ? bound.value : { path, binding: 'failed' });
        if (bound?.status === 'rejected') failures.push(bound.reason);
      }
    }
    const paths = bindings.filter(({ binding }) => binding !== 'failed').map(({ path }) => path);
    const granted = await grantReading({
      connection,
      home: found?.cluster,
      homeClient: connection.cluster(settings.workspace),
      paths,
      shards,
      signal,
    });
    failures.push(...granted.failures);
    // Rules are back where a bind before this one has granted already.
    const isGrantOpen = granted.ungranted.length > 0 && !settings.rulesAreBack;
    const notes = isGrantOpen ? [howToGrant(granted.ungranted, settings)] : [];
    // Half a result would blame workspaces that were not reached.
    if (failures.length > 0) signal.throwIfAborted();
    printResult<BindResult>(
      { bindings, reading: granted.reading, ...(granted.teardown.length > 0 && { teardown: granted.teardown }), notes },
      { output: settings.output, stdout: world.stdout, asText: (result) => asText(result, settings) },
    );
    if (failures.length > 0) throw failures[0];
  } finally {
    await Promise.all([connection, ...shards.map((shard) => shard.connection)].map((each) => each.close()));
  }

  async function bindOne(path: WorkspacePath, { doubt, found }: Known): Promise<BoundWorkspace> {
    try {
      const { baseUrl } = connection;
      const named = { path, by: 'PATH', flags: connectionFlags(settings) };
      const client = connection.cluster(path);
      const now = found && {
        ...found,
        howToRebind: (former: string, name: string) => howToRebind(former, { baseUrl, path, name, flags: named.flags }),
      };
      const checkRights = (refusal: KcpError) =>
        checkRightToBind(connection, { path, home: settings.workspace, refusal, doubt }, { signal });
      const bindNow = () => bindDepCtrl(client, depCtrlExport, { clock, signal, doubt, now, checkRights });
      const bind = () => onceReady(connection, path, bindNow, { clock, signal });
      if (found !== undefined) await inside(connection, named, () => refuseByFormer(client, found.cluster, { signal }), { signal });
      const binding = await inside(connection, named, bind, { signal });
      const isHandedOver = await handOverConfiguration(client, depCtrlExport, { signal });
      if (settings.rulesAreBack && (await letGo(client, { signal }))) return { path, binding, configuration: 'let-go' };
      return isHandedOver ? { path, binding: 'rebound', configuration: 'handed-over' } : { path, binding };
    } catch (error) {
      const admin = { path, clusterRole: 'cluster-admin' };
      throw new Error(`cannot bind workspace "${path}"`, { cause: withRole(error, admin, connection.baseUrl) });
    }
  }
}

/** `bind` on the same kcp and installation. */
function bindAgain(paths: readonly WorkspacePath[], settings: BindSettings, ...more: readonly string[]): string {
  return ['dep-ctrl bind', ...paths, '--workspace', settings.workspace, ...connectionFlags(settings), ...more].join(' ');
}

/** The command that grants the webhook the right to read. Whether it has the right already cannot be seen from here. */
function howToGrant(paths: readonly WorkspacePath[], settings: BindSettings): string {
  const command = bindAgain(paths, settings, '--shard-kubeconfig FILE');
  return `so that the webhook may read what is exported there, an admin of kcp's shards must run, with FILE once per shard (not needed after bootstrap --read-access wildcard): ${command}`;
}

function asText({ bindings, reading, teardown = [], notes }: BindResult, settings: BindSettings): string {
  const lines = bindings.map(({ path, binding, configuration }) => {
    const told =
      configuration === undefined
        ? ''
        : configuration === 'let-go'
          ? LET_GO
          : `${HANDED_OVER}${bindAgain([path], settings, '--rules-are-back')}`;
    return `${path}: binding ${binding}${binding === 'rebound' ? REBOUND : ''}${told}`;
  });
  const added =
    teardown.length === 0 ? [] : [`${settings.workspace}: the ordered teardown may delete ${printFirst(teardown, { most: 10 })} too`];
  return [...lines, ...reading.map(printAccess), ...added, ...notes.map((note) => `next: ${note}`), ''].join('\n');
}
