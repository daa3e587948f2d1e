import type { KubeObject } from '@dep-ctrl/kcp-names';

/** Whether an APIBinding that the export's own virtual workspace shows is one to that export. Others show up only where claimed. */
export function isBindingOf(binding: KubeObject, exportName: string): boolean {
  const reference = recordAt(recordAt(binding, 'spec'), 'reference');
  return recordAt(reference, 'export')['name'] === exportName;
}

function recordAt(object: Readonly<Record<string, unknown>>, field: string): Readonly<Record<string, unknown>> {
  const value = object[field];
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
