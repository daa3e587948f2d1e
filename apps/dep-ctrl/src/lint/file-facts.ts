import type { SchemaFiles } from '../manifest-files/schema-files.js';
import type { FactSource } from './rule-facts.js';

const WORKSPACE = 'the given files';

/** The facts in files. Which workspaces bind dep-ctrl is in no file. */
export function fileFacts(schemas: SchemaFiles): FactSource {
  const find = (type: Omit<Parameters<SchemaFiles['find']>[0], 'workspace' | 'isOwn'>) =>
    Promise.resolve(schemas.find({ ...type, workspace: WORKSPACE, isOwn: true }));
  return {
    dependent: ({ dependent }) => find(dependent),
    target: ({ export: { name: exportName }, group, version, resource }) => find({ exportName, group, version, resource }),
    isBound: () => Promise.resolve(undefined),
  };
}
