import type { GroupResource } from '@dep-ctrl/kcp-names';
import type { GuardRuleEntry } from '@dep-ctrl/rule-registry';

/** The type that an entry names, from its spelling for people (`vpcs.network.example.com`): no resource holds a dot. */
export function resourceOf({ resource }: Pick<GuardRuleEntry, 'resource'>): GroupResource {
  const dot = resource.indexOf('.');
  return dot === -1 ? { group: '', resource } : { group: resource.slice(dot + 1), resource: resource.slice(0, dot) };
}
