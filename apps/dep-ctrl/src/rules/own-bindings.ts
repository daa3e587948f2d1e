import { recordAt, type KubeObject } from '@dep-ctrl/kcp-names';

/** Whether an APIBinding that the export's own virtual workspace shows is one to that export. Others show up only where claimed. */
export function isBindingOf(binding: KubeObject, exportName: string): boolean {
  const reference = recordAt(recordAt(binding, 'spec'), 'reference');
  return recordAt(reference, 'export')['name'] === exportName;
}
