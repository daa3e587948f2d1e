// `dep-ctrl restore`: writes rules and guards of a backup into their workspaces. Guards first, so that rules they do not admit are never in force.
import { isDeepStrictEqual } from 'node:util';
import { isKcpError, type Connection } from '@dep-ctrl/kcp-client';
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import { describeFailure, type World } from '@dep-ctrl/command-settings';
import { getIfExists } from '@dep-ctrl/kcp-objects';
import { GUARDS, RULES } from '@dep-ctrl/rule-registry';
import { connectAnswering, type ConnectionSettings } from '../command-line/connect.js';
import { withRole } from '../command-line/missing-role.js';
import { readSources } from '../manifest-files/source-text.js';
import { readBackup, type Saved } from './backup-document.js';
import { provenPath } from './proven-path.js';

/** The settings of `restore`. */
export interface RestoreSettings extends ConnectionSettings {
  readonly files: readonly string[];
  readonly overwrite: boolean;
  readonly dryRun: boolean;
}

type Outcome = 'restored' | 'replaced' | 'unchanged' | 'differs';

/** Restores what is not there. Throws when something is not as the backup says afterwards. */
export async function runRestore(settings: RestoreSettings, world: World): Promise<void> {
  const saved = await readAll(settings, world);
  if (saved.length === 0) throw new Error(`${settings.files.join(', ')}: there is no rule and no guard in it, so nothing was restored`);
  const connection = await connectAnswering(settings, world);
  let failures = 0;
  const placeOf = places(connection, world);
  try {
    for (const one of [
      ...saved.filter(({ kind }) => kind === 'DependencyGuard'),
      ...saved.filter(({ kind }) => kind === 'DependencyRule'),
    ]) {
      const { line, isRight } = await restored(connection, one, { ...settings, place: await placeOf(one.cluster) }, world.signal);
      if (!isRight) failures += 1;
      world.stdout.write(`${line}\n`);
    }
  } finally {
    await connection.close();
  }
  if (failures > 0) throw new Error(`${failures} of ${saved.length} rules and guards are not as the backup says`);
}

/** What to call a logical cluster: `root:team (2i5azvsxaasqvbmg)`. Each is asked about once. */
function places(connection: Connection, options: { readonly signal: AbortSignal }): (cluster: LogicalClusterName) => Promise<string> {
  const known = new Map<LogicalClusterName, string>();
  return async (cluster) => {
    const before = known.get(cluster);
    if (before !== undefined) return before;
    const path = await provenPath(connection, cluster, options);
    const place = path === undefined ? cluster : `${path} (${cluster})`;
    known.set(cluster, place);
    return place;
  };
}

/** All of it, before anything is written. */
async function readAll({ files }: RestoreSettings, world: World): Promise<readonly Saved[]> {
  const sources = await readSources(files, 'FILE', world);
  return sources.flatMap(({ file, text }) => {
    const saved = readBackup(text ?? '\0');
    if (!saved.ok) throw new Error(`${file} is no backup: ${saved.problem}`);
    return saved.value;
  });
}

async function restored(
  connection: Connection,
  saved: Saved,
  how: Pick<RestoreSettings, 'overwrite' | 'dryRun'> & { readonly place: string },
  signal: AbortSignal,
): Promise<{ readonly line: string; readonly isRight: boolean }> {
  const what = `${how.place}: ${saved.kind} ${saved.object.metadata.name ?? ''}`;
  try {
    const outcome = await restoreOne(connection, saved, how, signal);
    const would = how.dryRun && (outcome === 'restored' || outcome === 'replaced') ? 'would be ' : '';
    return { line: `${what} ${would}${WORDS[outcome]}`, isRight: outcome !== 'differs' };
  } catch (error) {
    if (!isKcpError(error) || signal.aborted) throw error;
    const missing = withRole(error, { path: saved.cluster, clusterRole: 'cluster-admin' }, connection.baseUrl);
    return { line: `${what} not restored: ${describeFailure(missing)}`, isRight: false };
  }
}

const WORDS: Readonly<Record<Outcome, string>> = {
  restored: 'restored',
  replaced: 'replaced',
  unchanged: 'unchanged',
  differs: 'is there with another spec, and left as it is: --overwrite replaces it',
};

async function restoreOne(
  connection: Connection,
  { cluster, kind, object }: Saved,
  { overwrite, dryRun }: Pick<RestoreSettings, 'overwrite' | 'dryRun'>,
  signal: AbortSignal,
): Promise<Outcome> {
  const client = connection.cluster(cluster);
  const type = kind === 'DependencyRule' ? RULES : GUARDS;
  const there = await getIfExists(client, type, object.metadata, { signal });
  if (there === undefined) {
    if (!dryRun) await client.create(type, object, { signal });
    return 'restored';
  }
  if (isDeepStrictEqual(there['spec'], object['spec'])) return 'unchanged';
  // The controller makes guards without a spec: there is nothing to restore in them.
  const isEmpty = there['spec'] === undefined;
  if (!isEmpty && !overwrite) return 'differs';
  if (!dryRun) await client.replace(type, { ...there, spec: object['spec'] }, { signal });
  return isEmpty ? 'restored' : 'replaced';
}
