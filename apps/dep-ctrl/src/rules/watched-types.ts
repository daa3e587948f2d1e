import { groupVersionResourceKey, type GroupVersionResource } from '@dep-ctrl/kcp-names';
import { GUARDS, RULES } from '@dep-ctrl/rule-registry';
import { WEBHOOK_CONFIGURATIONS } from '@dep-ctrl/webhook-installer';
import type { SeenKind } from './seen-objects.js';

/** APIBindings in the version that we read and write. Every virtual workspace serves those of its own export. */
export const APIBINDINGS: GroupVersionResource = { group: 'apis.kcp.io', version: 'v1alpha2', resource: 'apibindings' };

/** What every endpoint is watched for. */
export const WATCHED_TYPES: Readonly<Record<SeenKind, GroupVersionResource>> = {
  rules: RULES,
  guards: GUARDS,
  bindings: APIBINDINGS,
  configurations: WEBHOOK_CONFIGURATIONS,
};

const KINDS = new Map(Object.entries(WATCHED_TYPES).map(([kind, type]) => [groupVersionResourceKey(type), kind as SeenKind]));

/** Which of the watched kinds a type is. */
export function seenKindOf(type: GroupVersionResource): SeenKind | undefined {
  return KINDS.get(groupVersionResourceKey(type));
}
