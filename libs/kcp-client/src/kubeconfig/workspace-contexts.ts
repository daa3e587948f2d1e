import { notParsed, parsed, quote, type Parsed, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { parse, stringify } from 'yaml';

type ReadFile = (path: string) => string | undefined;

interface Named {
  readonly name: string;
  readonly [field: string]: unknown;
}

interface KubeconfigShape {
  readonly 'current-context'?: string;
  readonly clusters?: readonly (Named & { readonly cluster?: Readonly<Record<string, unknown>> & { readonly server?: string } })[];
  readonly contexts?: readonly (Named & { readonly context: { readonly cluster: string; readonly user: string } })[];
  readonly users?: readonly (Named & { readonly user?: Readonly<Record<string, unknown>> })[];
}

/**
 * The kubeconfig with one more context per workspace, each with the credentials of `from` (its current context when absent). Contexts of other
 * names stay. `readFile` inlines credentials that are kept in files, so that the result can be put anywhere; one that it cannot read is left as it is,
 * which is no concern of the contexts that are added.
 */
export function withWorkspaceContexts(
  kubeconfig: string,
  workspaces: ReadonlyMap<string, WorkspacePath>,
  { from, readFile }: { readonly from?: string | undefined; readonly readFile: ReadFile },
): Parsed<string> {
  const source = parse(kubeconfig) as KubeconfigShape | null;
  const name = from ?? source?.['current-context'] ?? '';
  const context = source?.contexts?.find((each) => each.name === name)?.context;
  const cluster = source?.clusters?.find((each) => each.name === context?.cluster)?.cluster;
  if (source === null || context === undefined || cluster?.server === undefined) {
    return notParsed(`the kubeconfig has no context ${quote(name)} with a server`);
  }
  const server = cluster.server.replace(/\/clusters(?:\/.*)?$/, '').replace(/\/$/, '');
  const added = [...workspaces].map(([each, path]) => ({
    cluster: { name: each, cluster: { ...inlined(cluster, readFile), server: `${server}/clusters/${path}` } },
    context: { name: each, context: { cluster: each, user: context.user } },
  }));
  const others = <T extends Named>(items: readonly T[] | undefined) => (items ?? []).filter((item) => !workspaces.has(item.name));
  return parsed(
    stringify({
      ...source,
      clusters: [
        ...others(source.clusters).map((each) => ({ ...each, cluster: inlined(each.cluster, readFile) })),
        ...added.map((each) => each.cluster),
      ],
      contexts: [...others(source.contexts), ...added.map((each) => each.context)],
      users: (source.users ?? []).map((each) => ({ ...each, user: inlined(each.user, readFile) })),
      'current-context': workspaces.has('root') ? 'root' : name,
    }),
  );
}

const FILE_FIELDS = ['certificate-authority', 'client-certificate', 'client-key'];

function inlined(entry: Readonly<Record<string, unknown>> | undefined, readFile: ReadFile): Record<string, unknown> {
  const result: Record<string, unknown> = { ...entry };
  for (const field of FILE_FIELDS) {
    const path = result[field];
    const content = typeof path === 'string' ? readFile(path) : undefined;
    if (content === undefined) continue;
    result[`${field}-data`] = Buffer.from(content).toString('base64');
    result[field] = undefined;
  }
  return result;
}
