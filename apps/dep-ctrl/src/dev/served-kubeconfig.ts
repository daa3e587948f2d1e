import { parse } from 'yaml';
import { DEV_CONTEXTS } from './dev-paths.js';

interface ClusterEntry {
  readonly name: string;
  readonly cluster?: { readonly server?: string };
}

/** The server of the kcp, where the text is a kubeconfig that `dev` has written: it has each of the contexts that `dev` adds. */
export function serverOfDev(text: string): URL | undefined {
  const { contexts, clusters } = asKubeconfig(text);
  if (!Array.isArray(contexts) || !Array.isArray(clusters)) return undefined;
  const names = new Set((contexts as readonly { readonly name?: unknown }[]).map(({ name }) => name));
  if (![...DEV_CONTEXTS.keys()].every((name) => names.has(name))) return undefined;
  const server = (clusters as readonly ClusterEntry[]).find(({ name }) => name === 'root')?.cluster?.server;
  return server !== undefined && URL.canParse(server) ? new URL(server) : undefined;
}

function asKubeconfig(text: string): { readonly contexts?: unknown; readonly clusters?: unknown } {
  try {
    return (parse(text) as object | null) ?? {};
  } catch {
    return {};
  }
}
