import type { WorkspacePath } from '@dep-ctrl/kcp-names';

/** How to replace a binding that kcp does not move to the new export: a guard of the former installation may hold it. Pure. */
export function howToRebind(
  former: string,
  {
    baseUrl,
    path,
    name,
    flags,
  }: { readonly baseUrl: string; readonly path: WorkspacePath; readonly name: string; readonly flags: readonly string[] },
): string {
  const reach = flags.map((flag) => ` ${flag}`).join('');
  return `it belongs to an installation that is gone, in logical cluster "${former}": release its guard (dep-ctrl uninstall --workspace ${former} --shard-kubeconfig FILE --yes${reach}), delete the binding (kubectl${reach} --server ${baseUrl}/clusters/${path} delete apibinding ${name}) and bind again`;
}
