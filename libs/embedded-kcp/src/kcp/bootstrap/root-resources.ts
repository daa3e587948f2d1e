// The definitions of the types that root exports. They are known before anything is stored, because controllers of kcp need their buckets. The identities
// are made when an installation starts.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import type { ResourceDefinition } from '../../machinery/resources/resource-definition.js';
import { definitionFromSchema } from '../kinds/definition-from-schema.js';
import { EXPORTED_RESOURCES, schemaObjectOf, type ExportedResource } from '../kinds/exported-resources.js';
import { ROOT } from '../shards/shard-view.js';
import { boundBucket } from '../shards/workspace-catalog.js';

/** An export of root with its secret key. */
export interface RootExport {
  readonly name: string;
  readonly key: string;
  readonly identityHash: string;
}

/** A type that root exports. */
export interface RootResource {
  readonly row: ExportedResource;
  readonly schemaUid: string;
  readonly schema: KubeObject;
  readonly definition: ResourceDefinition;
}

/** The exports and types of one installation's root. */
export interface RootResources {
  readonly exports: readonly RootExport[];
  readonly resources: readonly RootResource[];
  readonly workspaces: ResourceDefinition;
  readonly workspaceTypes: ResourceDefinition;
  readonly shards: ResourceDefinition;
}

/** A fresh identity: the secret key and its hash. */
export function newIdentity(): { readonly key: string; readonly identityHash: string } {
  const key = randomBytes(32).toString('base64url');
  return { key, identityHash: identityHashOf(key) };
}

/** The hash by which an identity is known. */
export function identityHashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** Makes the identities of an installation. */
export function makeRootResources(): RootResources {
  const names = [...new Set(EXPORTED_RESOURCES.map((row) => row.export))];
  const exports = names.map((name) => ({ name, ...newIdentity() }));
  const resources = EXPORTED_RESOURCES.map((row): RootResource => {
    const identityHash = exports.find(({ name }) => name === row.export)?.identityHash ?? '';
    const schema = schemaObjectOf(row) as KubeObject;
    const origin = { kind: 'bound', exportCluster: ROOT, exportName: row.export, exportPath: ROOT, identityHash } as const;
    return {
      row,
      schema,
      schemaUid: randomUUID(),
      definition: definitionFromSchema(schema, origin, boundBucket(row.group, row.plural, identityHash)),
    };
  });
  const definitionOf = (plural: string): ResourceDefinition => {
    const found = resources.find(({ row }) => row.plural === plural);
    if (found === undefined) throw new Error(`root exports no ${plural}`);
    return found.definition;
  };
  return {
    exports,
    resources,
    workspaces: definitionOf('workspaces'),
    workspaceTypes: definitionOf('workspacetypes'),
    shards: definitionOf('shards'),
  };
}
