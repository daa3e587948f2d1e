// What kubeconfig files hold, joined as kubectl joins them: the first file that names a cluster, user or context wins, and so does the
// first current-context. Paths in a file are relative to it.
import { isAbsolute, join } from 'node:path';
import { notParsed, parsed, quote, type Parsed } from '@dep-ctrl/kcp-names';

/** A part of a kubeconfig, not understood yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** One cluster, user or context, and the folder that its relative paths start from. */
export interface Entry {
  readonly name: string;
  readonly fields: Fields;
  readonly folder: string;
}

/** The joined content of kubeconfig files. */
export interface KubeconfigEntries {
  readonly currentContext: string;
  readonly contexts: ReadonlyMap<string, Entry>;
  readonly clusters: ReadonlyMap<string, Entry>;
  readonly users: ReadonlyMap<string, Entry>;
}

/** The parts that a context points to. */
export interface PickedContext {
  readonly contextName: string;
  readonly cluster: Entry;
  /** Absent: anonymous. */
  readonly user?: Entry;
}

/** Takes the content of one file apart. */
export function readEntries(content: unknown, folder: string): Parsed<KubeconfigEntries> {
  if (!isFields(content)) return notParsed('is not a kubeconfig: expected a mapping with clusters, users and contexts');
  const lists: Map<string, Entry>[] = [];
  for (const [list, part] of [
    ['contexts', 'context'],
    ['clusters', 'cluster'],
    ['users', 'user'],
  ] as const) {
    const entries = readList(content[list], part, folder);
    if (!entries.ok) return notParsed(`${list}${entries.problem}`);
    lists.push(entries.value);
  }
  const [contexts = new Map(), clusters = new Map(), users = new Map()] = lists;
  return parsed({ currentContext: textOf(content['current-context']) ?? '', contexts, clusters, users });
}

/** Joins files; earlier ones win. */
export function joinEntries(files: readonly KubeconfigEntries[]): KubeconfigEntries {
  const join = (part: 'contexts' | 'clusters' | 'users'): Map<string, Entry> => {
    const joined = new Map<string, Entry>();
    for (const file of files) for (const [name, entry] of file[part]) if (!joined.has(name)) joined.set(name, entry);
    return joined;
  };
  const currentContext = files.find((file) => file.currentContext !== '')?.currentContext ?? '';
  return { currentContext, contexts: join('contexts'), clusters: join('clusters'), users: join('users') };
}

/** Finds what a context points to: the named one, else the current one. */
export function pickContext(entries: KubeconfigEntries, wanted: string | undefined): Parsed<PickedContext> {
  const contextName = wanted ?? entries.currentContext;
  if (contextName === '') return notParsed(`has no current-context; choose one of: ${names(entries.contexts)}`);
  const context = entries.contexts.get(contextName);
  if (context === undefined) return notParsed(`has no context ${quote(contextName)}; it has: ${names(entries.contexts)}`);
  const clusterName = textOf(context.fields['cluster']) ?? '';
  const cluster = entries.clusters.get(clusterName);
  if (cluster === undefined) {
    return notParsed(
      `context ${quote(contextName)} names the cluster ${quote(clusterName)}, which is not there; it has: ${names(entries.clusters)}`,
    );
  }
  const userName = textOf(context.fields['user']) ?? '';
  if (userName === '') return parsed({ contextName, cluster });
  const user = entries.users.get(userName);
  if (user !== undefined) return parsed({ contextName, cluster, user });
  return notParsed(`context ${quote(contextName)} names the user ${quote(userName)}, which is not there; it has: ${names(entries.users)}`);
}

/** A non-empty text field. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A path as the file that named it means it. */
export function pathIn(folder: string, path: string): string {
  return isAbsolute(path) ? path : join(folder, path);
}

/** Whether a value is a mapping. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readList(list: unknown, part: string, folder: string): Parsed<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  if (list === undefined || list === null) return parsed(entries);
  if (!Array.isArray(list)) return notParsed(' should be a list');
  for (const [index, item] of list.entries()) {
    const name = isFields(item) ? textOf(item['name']) : undefined;
    if (!isFields(item) || name === undefined) return notParsed(`[${String(index)}] should have a name`);
    const fields = item[part] ?? {};
    if (!isFields(fields)) return notParsed(`[${String(index)}].${part} should be a mapping`);
    if (!entries.has(name)) entries.set(name, { name, fields, folder });
  }
  return parsed(entries);
}

function names(entries: ReadonlyMap<string, Entry>): string {
  const all = [...entries.keys()].sort();
  const shown = all.slice(0, 10).join(', ');
  return all.length === 0 ? 'none' : all.length > 10 ? `${shown} and ${String(all.length - 10)} more` : shown;
}
