/*
 * Each watch lags on its own: a new leader may see a guard that names a rule, or its last edit, before its watch of rules shows it. An entry of the guard
 * is dropped only if kcp, asked now, has the rule in the version that the watch has shown.
 */
import type { KubeObject, LogicalClusterName } from '@dep-ctrl/kcp-names';
import { collect, type ClusterClient, isKcpError, type VirtualWorkspaces, type VirtualWorkspaceUrl } from '@dep-ctrl/kcp-client';
import { RULES } from '@dep-ctrl/rule-registry';
import { pagesOf } from '../../rules/kept-objects.js';
import { outdated } from '../guard/outdated.js';

/** A rule that a guard names in a later version than any endpoint shows. */
export interface UnseenRule {
  readonly cluster: LogicalClusterName;
  readonly name: string;
  /** Where its workspace is served. */
  readonly endpoint: VirtualWorkspaceUrl;
  /** Its uid and generation as they were seen; undefined: it was not. */
  readonly shown: string | undefined;
}

/** One text per version of a rule. */
export function ruleVersion({ uid = '', generation = 0 }: { readonly uid?: string; readonly generation?: number }): string {
  return `${uid}/${generation}`;
}

/** Fails with a conflict if kcp has another version of a rule than the watch has shown. One list per workspace. */
export async function proveUnseen(
  rules: readonly UnseenRule[],
  workspaces: VirtualWorkspaces,
  { signal }: { readonly signal: AbortSignal },
): Promise<void> {
  const endpoints = new Map(rules.map(({ cluster, endpoint }) => [cluster, endpoint]));
  for (const [cluster, endpoint] of endpoints) {
    const client = workspaces.virtualWorkspace(endpoint).cluster(cluster);
    const versions = await versionsAt(client, signal);
    const changed = rules.find((rule) => rule.cluster === cluster && versions.get(rule.name) !== rule.shown);
    if (changed !== undefined) throw outdated(client, 'list', RULES, `rule ${changed.name} is another one than the watch shows yet`);
  }
}

async function versionsAt(client: ClusterClient, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  try {
    const take = ({ metadata }: KubeObject) => [metadata.name ?? '', ruleVersion(metadata)] as const;
    return new Map(await collect(client, RULES, { take, parseLarge: pagesOf(RULES), signal }));
  } catch (error) {
    // It has just unbound: the watch of bindings is about to say so.
    if (isKcpError(error, 'forbidden', 'not-served')) throw outdated(client, 'list', RULES, error.message);
    throw error;
  }
}
