import { ApiError } from '../http/api-status.js';
import type { ManagedSet } from './field-managers.js';
import type { PathElement } from './field-set.js';
import { printPath } from './path-element.js';

/** A field that another manager holds with another value. */
export interface Conflict {
  readonly manager: ManagedSet;
  readonly path: readonly PathElement[];
}

/** The 409 of an apply: one cause per conflict, the message grouped by manager. */
export function applyConflict(conflicts: readonly Conflict[]): ApiError {
  const causes = conflicts.map(({ manager, path }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${printManager(manager)}`,
    field: printPath(path),
  }));
  return new ApiError({ code: 409, reason: 'Conflict', message: conflictMessage(conflicts), details: { causes } });
}

function conflictMessage(conflicts: readonly Conflict[]): string {
  const [first] = conflicts;
  if (conflicts.length === 1 && first !== undefined) {
    return `Apply failed with 1 conflict: conflict with ${printManager(first.manager)}: ${printPath(first.path)}`;
  }
  const byManager = new Map<string, string[]>();
  for (const { manager, path } of conflicts) {
    const name = printManager(manager);
    byManager.set(name, [...(byManager.get(name) ?? []), `- ${printPath(path)}`]);
  }
  const lines = [...byManager].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([name, paths]) => [`conflicts with ${name}:`, ...paths]);
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`;
}

function printManager({ manager, subresource, operation, apiVersion }: ManagedSet): string {
  const name =
    JSON.stringify(manager) + (subresource === undefined || subresource === '' ? '' : ` with subresource ${JSON.stringify(subresource)}`);
  return operation === 'Update' ? `${name} using ${apiVersion}` : name;
}
