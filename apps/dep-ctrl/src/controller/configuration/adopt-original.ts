import { elements, record, type KubeObject } from '@dep-ctrl/kcp-names';
import { DENY_ENTRY } from './desired-webhooks.js';

/**
 * Whether an unlabelled configuration was left by the original dependency-controller, which labels nothing: every entry has its
 * name and asks about deletes only. Anything else of that name is somebody else's and stays untouched.
 */
export function isLeftByOriginal(configuration: KubeObject): boolean {
  const entries = elements(configuration['webhooks']).map(record);
  return entries.length > 0 && entries.every((entry) => entry?.['name'] === DENY_ENTRY && asksAboutDeletesOnly(entry));
}

function asksAboutDeletesOnly(entry: Readonly<Record<string, unknown>>): boolean {
  const asked = elements(entry['rules']).map((rule) => elements(record(rule)?.['operations']));
  return asked.length > 0 && asked.every((operations) => operations.length === 1 && operations[0] === 'DELETE');
}
