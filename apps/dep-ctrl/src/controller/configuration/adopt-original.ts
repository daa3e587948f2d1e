import { elements, record, type KubeObject } from '@dep-ctrl/kcp-names';
import { DENY_ENTRY } from './desired-webhooks.js';

/**
 * Whether an unlabelled configuration was made by the original dependency-controller, which sets no labels: every entry has its name and is for deletes
 * only. Any other configuration of that name has another owner and stays untouched.
 */
export function isLeftByOriginal(configuration: KubeObject): boolean {
  const entries = elements(configuration['webhooks']).map(record);
  return entries.length > 0 && entries.every((entry) => entry?.['name'] === DENY_ENTRY && asksAboutDeletesOnly(entry));
}

function asksAboutDeletesOnly(entry: Readonly<Record<string, unknown>>): boolean {
  const asked = elements(entry['rules']).map((rule) => elements(record(rule)?.['operations']));
  return asked.length > 0 && asked.every((operations) => operations.length === 1 && operations[0] === 'DELETE');
}
