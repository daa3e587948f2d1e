import type { KubeObject } from '@dep-ctrl/kcp-names';
import { DENY_ENTRY } from './desired-webhooks.js';

/**
 * Whether an unlabelled configuration was left by the original dependency-controller, which labels nothing: every entry has its
 * name and asks about deletes only. Anything else of that name is somebody else's and stays untouched.
 */
export function isLeftByOriginal(configuration: KubeObject): boolean {
  const entries = listOf(configuration['webhooks']);
  return entries.length > 0 && entries.every((entry) => entry['name'] === DENY_ENTRY && asksAboutDeletesOnly(entry));
}

function asksAboutDeletesOnly(entry: Readonly<Record<string, unknown>>): boolean {
  const rules = listOf(entry['rules']);
  return (
    rules.length > 0 && rules.every(({ operations }) => Array.isArray(operations) && operations.length === 1 && operations[0] === 'DELETE')
  );
}

function listOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (!Array.isArray(value)) return [];
  return value.map((item: unknown) => (typeof item === 'object' && item !== null ? (item as Readonly<Record<string, unknown>>) : {}));
}
