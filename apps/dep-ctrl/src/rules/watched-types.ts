import { groupVersionResourceKey, type GroupVersionResource } from '@dep-ctrl/kcp-names';
import { API_BINDINGS } from '@dep-ctrl/kcp-objects';
import { GUARDS, RULES } from '@dep-ctrl/rule-registry';
import { WEBHOOK_CONFIGURATIONS } from '@dep-ctrl/webhook-installer';
import type { SeenKind } from './seen-objects.js';

/** The types that are watched at every endpoint. Every virtual workspace serves the bindings of its own export. */
export const WATCHED_TYPES: Readonly<Record<SeenKind, GroupVersionResource>> = {
  rules: RULES,
  guards: GUARDS,
  bindings: API_BINDINGS,
  configurations: WEBHOOK_CONFIGURATIONS,
};

const KINDS = new Map(Object.entries(WATCHED_TYPES).map(([kind, type]) => [groupVersionResourceKey(type), kind as SeenKind]));

/** Which of the watched kinds a type is. */
export function seenKindOf(type: GroupVersionResource): SeenKind | undefined {
  return KINDS.get(groupVersionResourceKey(type));
}
