import type { WorkspacePath } from '@dep-ctrl/kcp-names';

/** What to do about a binding that kcp does not move: a guard of the former installation would keep it. Pure. */
export function howToRebind(
  former: string,
  { baseUrl, path, name }: { readonly baseUrl: string; readonly path: WorkspacePath; readonly name: string },
): string {
  return `it belongs to an installation that is gone, in logical cluster "${former}": release its guard (dep-ctrl uninstall --workspace ${former} --shard-kubeconfig FILE --yes), delete the binding (kubectl --server ${baseUrl}/clusters/${path} delete apibinding ${name}) and bind again`;
}
