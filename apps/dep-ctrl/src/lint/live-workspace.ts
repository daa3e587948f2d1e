// Reads from a kcp the workspace that rules are for, and those that they name, as far as the credentials allow. Reads only.
import { isKcpError, listAll, type Clock, type Connection } from '@dep-ctrl/kcp-client';
import { clusterOf, record, recordAt, text, type KubeObject, type LogicalClusterName, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { EXPORT_NAME, RULES, type PathAnswers, type PathResolution } from '@dep-ctrl/rule-registry';
import { inside, type NamedWorkspace } from '@dep-ctrl/kcp-objects';
import { isRefusal, lookForWorkspace } from '@dep-ctrl/kcp-objects';
import { API_BINDINGS, LOGICAL_CLUSTERS } from '@dep-ctrl/kcp-objects';
import { ExportReader } from '@dep-ctrl/exported-types';
import type { FactSource } from './rule-facts.js';

/** A workspace as it is now. */
export interface LiveWorkspace {
  readonly named: NamedWorkspace;
  readonly cluster: LogicalClusterName;
  /** Whether it binds dep-ctrl; undefined: these credentials may not tell. */
  readonly isBound: boolean | undefined;
  /** The rules that it has; undefined: these credentials may not tell. */
  readonly rules: readonly KubeObject[] | undefined;
  /** The rules of the workspaces that it names, as far as these credentials may read them. */
  readonly rulesAround: readonly PlacedObject[];
  readonly paths: PathAnswers;
  readonly facts: FactSource;
}

/** An object and the workspace that it is in. */
export interface PlacedObject {
  readonly cluster: LogicalClusterName;
  readonly object: KubeObject;
}

interface Options {
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

interface Seen {
  readonly resolution: PathResolution;
  readonly isBound: boolean | undefined;
  readonly rules: readonly PlacedObject[];
}

/** Reads the workspace and those at the given paths. Throws where the workspace itself cannot be entered. */
export async function readLiveWorkspace(
  connection: Connection,
  named: NamedWorkspace,
  others: readonly WorkspacePath[],
  { signal, clock }: Options,
): Promise<LiveWorkspace> {
  const client = connection.cluster(named.path);
  const own = clusterOf(await inside(connection, named, () => client.get(LOGICAL_CLUSTERS, { name: 'cluster' }, { signal }), { signal }));
  if (!own.ok) throw new Error(own.problem);
  const cluster = own.value;
  const isBound = await bindsDepCtrl(connection, cluster, signal);
  const rules = await rulesIn(connection, { cluster, isBound }, signal);
  const seen = new Map<NamedWorkspace['path'], Seen>();
  await Promise.all([...new Set(others)].map(async (path) => seen.set(path, await lookAt(connection, path, signal))));
  // Rules elsewhere may refer back to it.
  seen.set(named.path, { resolution: cluster, isBound, rules: [] });
  const paths: PathAnswers = {
    clusterOf: (path) => seen.get(path)?.resolution ?? 'unknown',
    pathOf: (of) => others.find((path) => seen.get(path)?.resolution === of),
  };
  const rulesAround = [...seen.values()].flatMap((each) => each.rules);
  return { named, cluster, isBound, rules, rulesAround, paths, facts: liveFacts(connection, { cluster, seen, paths }, { signal, clock }) };
}

function liveFacts(
  connection: Connection,
  { cluster, seen, paths }: { readonly cluster: LogicalClusterName; readonly seen: ReadonlyMap<string, Seen>; readonly paths: PathAnswers },
  { signal, clock }: Options,
): FactSource {
  const reader = new ExportReader({ connection, clock });
  return {
    dependent: ({ dependent }) => reader.find({ ...dependent, cluster, workspace: 'this workspace', isOwn: true }, { signal }),
    target: async ({ export: { path, name: exportName }, group, version, resource }) => {
      const there = paths.clusterOf(path);
      if (there === 'unknown' || there === 'missing') return undefined;
      // A user who may enter the workspace may be told what is in it.
      const type = { cluster: there, exportName, workspace: `workspace "${path}"`, isOwn: true, group, version, resource };
      const found = await reader.find(type, { signal });
      return found.state === 'not-verified' ? undefined : found;
    },
    isBound: (path) => Promise.resolve(seen.get(path)?.isBound),
  };
}

async function lookAt(connection: Connection, path: WorkspacePath, signal: AbortSignal): Promise<Seen> {
  const found = await unlessRefused(() => connection.cluster(path).get(LOGICAL_CLUSTERS, { name: 'cluster' }, { signal }));
  if (found === undefined) {
    const { state } = await lookForWorkspace(connection, path, { signal });
    return state === 'missing'
      ? { resolution: 'missing', isBound: false, rules: [] }
      : { resolution: 'unknown', isBound: undefined, rules: [] };
  }
  const parsed = clusterOf(found);
  if (!parsed.ok) return { resolution: 'unknown', isBound: undefined, rules: [] };
  const cluster = parsed.value;
  const isBound = await bindsDepCtrl(connection, cluster, signal);
  const rules = (await rulesIn(connection, { cluster, isBound }, signal)) ?? [];
  return { resolution: cluster, isBound, rules: rules.map((object) => ({ cluster, object })) };
}

async function rulesIn(
  connection: Connection,
  { cluster, isBound }: Pick<LiveWorkspace, 'cluster' | 'isBound'>,
  signal: AbortSignal,
): Promise<readonly KubeObject[] | undefined> {
  if (isBound !== true) return undefined;
  return unlessRefused(async () => (await listAll(connection.cluster(cluster), RULES, {}, { signal })).objects);
}

async function bindsDepCtrl(connection: Connection, cluster: LogicalClusterName, signal: AbortSignal): Promise<boolean | undefined> {
  const bindings = await unlessRefused(() => listAll(connection.cluster(cluster), API_BINDINGS, {}, { signal }));
  return bindings?.objects.some(
    (binding) => text(record(recordAt(recordAt(binding, 'spec'), 'reference')['export'])?.['name']) === EXPORT_NAME,
  );
}

async function unlessRefused<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isKcpError(error) && isRefusal(error)) return undefined;
    throw error;
  }
}
