// Reads the types that a workspace serves, with every name that kubectl knows, from its discovery.
import type { Connection, Stoppable } from '@dep-ctrl/kcp-client';
import type { GroupResource, GroupVersionResource, LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';

/** A type in one version, with its other names. */
export interface ServedType extends GroupVersionResource {
  readonly kind: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly isNamespaced: boolean;
}

interface DiscoveredResource {
  readonly name?: string;
  readonly singularName?: string;
  readonly kind?: string;
  readonly shortNames?: readonly string[];
  readonly namespaced?: boolean;
}

interface DiscoveredGroup {
  readonly name: string;
  readonly preferredVersion?: { readonly version?: string };
  readonly versions?: readonly { readonly version?: string }[];
}

/** All of them, the preferred version of each group first. */
export async function servedTypes(
  connection: Connection,
  workspace: LogicalClusterName | WorkspacePath,
  options: Stoppable,
): Promise<readonly ServedType[]> {
  const { groups = [] } = await discover<{ readonly groups?: readonly DiscoveredGroup[] }>(connection, workspace, 'apis', options);
  const versions = [{ group: '', version: 'v1' }, ...groups.flatMap(versionsOf)];
  const lists = await Promise.all(
    versions.map(async ({ group, version }) => {
      const path = group === '' ? `api/${version}` : `apis/${group}/${version}`;
      const { resources = [] } = await discover<{ readonly resources?: readonly DiscoveredResource[] }>(
        connection,
        workspace,
        path,
        options,
      );
      return resources.flatMap(({ name = '', singularName = '', kind = '', shortNames = [], namespaced = false }): readonly ServedType[] =>
        // What follows a slash is a subresource.
        name.includes('/') ? [] : [{ group, version, resource: name, kind, singular: singularName, shortNames, isNamespaced: namespaced }],
      );
    }),
  );
  return lists.flat();
}

/**
 * The version in which a workspace serves a type, the one that its group prefers if that is among them; undefined where it serves none. The preferred
 * version of a group need not have each of its types.
 */
export async function versionServing(
  connection: Connection,
  workspace: LogicalClusterName | WorkspacePath,
  { group, resource }: GroupResource,
  options: Stoppable,
): Promise<string | undefined> {
  const found = await discover<DiscoveredGroup>(connection, workspace, `apis/${group}`, options);
  for (const { version } of versionsOf({ ...found, name: group })) {
    const { resources = [] } = await discover<{ readonly resources?: readonly DiscoveredResource[] }>(
      connection,
      workspace,
      `apis/${group}/${version}`,
      options,
    );
    if (resources.some(({ name }) => name === resource)) return version;
  }
  return undefined;
}

/** Whether kubectl would take the word for the type: its plural, singular or short name, or its kind in any case. */
export function isNameOf(word: string, { resource, singular, kind, shortNames }: ServedType): boolean {
  return [resource, singular, kind, ...shortNames].some((name) => name.toLowerCase() === word.toLowerCase());
}

function versionsOf({ name, preferredVersion, versions = [] }: DiscoveredGroup): readonly { group: string; version: string }[] {
  const all = [preferredVersion?.version, ...versions.map(({ version }) => version)];
  return [...new Set(all)].flatMap((version) => (version === undefined ? [] : [{ group: name, version }]));
}

async function discover<T>(
  connection: Connection,
  workspace: LogicalClusterName | WorkspacePath,
  path: string,
  options: Stoppable,
): Promise<T> {
  const url = `${connection.baseUrl}/clusters/${workspace}/${path}`;
  const { body } = await connection.request({ method: 'GET', url, asked: `discover /${path} in "${workspace}"` }, options);
  return JSON.parse(body.toString('utf8')) as T; // the shape of Kubernetes' discovery, every field optional
}
