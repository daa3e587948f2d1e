// Whether the controller has looked at every rule as it is now. It says so in the status of the rule.
import { collect, type ClusterClient, type Connection, type Stoppable } from '@dep-ctrl/kcp-client';
import { record, type KubeObject } from '@dep-ctrl/kcp-names';
import { EXPORT_NAME, RULES } from '@dep-ctrl/rule-registry';
import { readSlices } from '@dep-ctrl/exported-types';

const TIMEOUT_MS = 4_000;

/** What the controller has not looked at yet, for people; undefined: it has looked at all rules that there are. */
export async function unseenRules(connection: Connection, home: ClusterClient, { signal }: Stoppable): Promise<string | undefined> {
  const { endpoints } = await readSlices({ workspace: home, exportName: EXPORT_NAME }, { signal, timeoutMs: TIMEOUT_MS });
  if (endpoints.size === 0) return 'no shard shows what is bound yet; try again in some seconds';
  const lists = await Promise.all(
    [...endpoints].map((url) => collect(connection.virtualWorkspace(url).wildcard(), RULES, { take: nameAndState, signal })),
  );
  const rules = lists.flat();
  if (rules.length === 0) return 'there is no rule; apply the rules first';
  const unseen = rules.filter((rule) => !rule.isSeen).map(({ name }) => name);
  if (unseen.length === 0) return undefined;
  return `the controller has not looked at ${unseen.length} of ${rules.length} rules, such as ${unseen[0]}; try again in some seconds, with a controller that runs`;
}

function nameAndState(rule: KubeObject): { readonly name: string; readonly isSeen: boolean } {
  return { name: rule.metadata.name ?? '', isSeen: isSeen(rule) };
}

/** Whether its status is about the rule as it is now. */
export function isSeen({ metadata, ...rule }: KubeObject): boolean {
  return metadata.generation !== undefined && record(rule['status'])?.['observedGeneration'] === metadata.generation;
}
