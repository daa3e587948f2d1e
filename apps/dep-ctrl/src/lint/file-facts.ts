import type { SchemaFiles } from '../manifest-files/schema-files.js';
import type { FactSource } from './rule-facts.js';

const WORKSPACE = 'the given files';

/** What files tell. Who binds dep-ctrl is in none. */
export function fileFacts(schemas: SchemaFiles): FactSource {
  const find = (type: Omit<Parameters<SchemaFiles['find']>[0], 'workspace' | 'isOwn'>) =>
    Promise.resolve(schemas.find({ ...type, workspace: WORKSPACE, isOwn: true }));
  return {
    dependent: ({ dependent }) => find(dependent),
    target: ({ export: { name: exportName }, group, version, resource }) => find({ exportName, group, version, resource }),
    isBound: () => Promise.resolve(undefined),
  };
}
