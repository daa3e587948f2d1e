import { elements, record, recordAt, text } from '@dep-ctrl/kcp-names';
import { parse } from 'yaml';
import { DEV_CONTEXTS } from './dev-paths.js';

/** The server of the kcp, where the text is a kubeconfig that `dev` has written: it has each of the contexts that `dev` adds. */
export function serverOfDev(kubeconfig: string): URL | undefined {
  const { contexts, clusters } = asKubeconfig(kubeconfig);
  const names = new Set(elements(contexts).map((context) => record(context)?.['name']));
  if (![...DEV_CONTEXTS.keys()].every((name) => names.has(name))) return undefined;
  const root = elements(clusters).find((entry) => record(entry)?.['name'] === 'root');
  const server = text(recordAt(record(root) ?? {}, 'cluster')['server']);
  return server !== undefined && URL.canParse(server) ? new URL(server) : undefined;
}

function asKubeconfig(yaml: string): Readonly<Record<string, unknown>> {
  try {
    return record(parse(yaml)) ?? {};
  } catch {
    return {};
  }
}
