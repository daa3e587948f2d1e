// A workspace that a user named: the message if it does not exist, and how long to wait if that is not certain.
import { isKcpError, type Connection, type Stoppable } from '@dep-ctrl/kcp-client';
import { splitWorkspacePath, type GroupVersionResource, type LogicalClusterName, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { mayEnter } from './own-rights.js';
import { askFor, isRefusal, lookForWorkspace, type Sighting } from './surely-missing.js';

/** The workspace, and how it was named: `--workspace`. */
export interface NamedWorkspace {
  readonly path: LogicalClusterName | WorkspacePath;
  readonly by: string;
  /** How kubectl reaches this kcp, such as `--kubeconfig FILE`. */
  readonly flags?: readonly string[];
}

/** What else a refusal that lasts may mean than that kcp has not caught up with itself. */
export interface Doubt {
  readonly text: string;
  /** How long such a refusal is worth waiting at most. */
  readonly withinMs?: number;
}

/**
 * How long to wait for the name of a logical cluster, at the top of a path too. kcp makes these names, so a user who has one knows of a cluster that the
 * front-proxy soon knows as well.
 */
export const NAME_WITHIN_MS = 3_000;

/** Does what needs the workspace; where kcp refuses, the failure says whether the workspace is there at all. */
export async function inside<T>(connection: Connection, named: NamedWorkspace, work: () => Promise<T>, options: Stoppable): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isRefusal(error) ? await whyRefused(connection, named, error, options) : error;
  }
}

/** What is looked for in a workspace that was named for it, such as an export. */
export interface WantedObject {
  readonly type: GroupVersionResource;
  readonly name: string;
  /** The owner of that workspace, for people. */
  readonly whose: string;
  /** What the credentials are needed for. */
  readonly purpose: string;
  /** What makes the object; begins with a semicolon, or is empty. */
  readonly cure: string;
}

/** Looks for an object in the workspace that was named for it. Throws if that is surely the wrong one; returns a doubt if that cannot be told. */
export async function lookForNamed(
  connection: Connection,
  named: NamedWorkspace,
  wanted: WantedObject,
  options: Stoppable,
): Promise<Doubt | undefined> {
  const { path, by } = named;
  const { cure, whose } = wanted;
  const asking = await askFor(connection.cluster(path), wanted.type, wanted.name, options);
  if (asking === 'found') return undefined;
  if (asking === 'absent') {
    throw new Error(`workspace "${path}" (${by}) is not the one of ${whose}: it has no ${wanted.type.resource}/${wanted.name}${cure}`);
  }
  const sighting = await lookForWorkspace(connection, path, options);
  if (sighting.state !== 'missing') return doubtAbout(named, sighting, wanted.purpose);
  throw new Error(`${describeMissing(named, sighting.path, connection.baseUrl)}${sighting.path === path ? cure : ''}`);
}

/** What to say of a workspace that was not let in, and how long to wait for it. Pure. */
export function doubtAbout(
  { path, by }: NamedWorkspace,
  { state }: Exclude<Sighting, { readonly state: 'missing' }>,
  purpose: string,
): Doubt {
  if (state === 'there') return { text: `workspace "${path}" (${by}) exists, and these credentials may not ${purpose}` };
  const may = `may not exist, or these credentials may not ${purpose}`;
  if (path === 'root' || path.startsWith('root:')) return { text: `workspace "${path}" (${by}) ${may}` };
  const noun = path.includes(':') ? 'workspace' : 'logical cluster';
  return { text: `${noun} "${path}" (${by}) ${may}; a path begins with "root", as "root:${path}"`, withinMs: NAME_WITHIN_MS };
}

/** What to say of a workspace that is surely not there, or one above it, and where to look for the right one. Pure. */
export function describeMissing({ path, by, flags = [] }: NamedWorkspace, missing: WorkspacePath, baseUrl: string): string {
  const above = missing === path ? '' : `, and so no "${path}"`;
  const parent = splitWorkspacePath(missing)?.parent ?? 'root';
  const list = ['kubectl get workspaces', ...flags, `--server ${baseUrl}/clusters/${parent}`].join(' ');
  return `there is no workspace "${missing}"${above} (${by}): "${list}" lists what there is`;
}

async function whyRefused(connection: Connection, named: NamedWorkspace, refusal: unknown, options: Stoppable): Promise<unknown> {
  if (isKcpError(refusal, 'forbidden') && (await mayEnter(connection.cluster(named.path), options))) return refusal;
  const sighting = await lookForWorkspace(connection, named.path, options);
  if (sighting.state === 'there') return refusal;
  if (sighting.state === 'missing') return new Error(describeMissing(named, sighting.path, connection.baseUrl));
  return new Error(doubtAbout(named, sighting, 'enter it').text, { cause: refusal });
}
