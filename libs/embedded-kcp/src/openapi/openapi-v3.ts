import type { JsonRecord } from '../json/json.js';
import type { ResourceDefinition } from '../machinery/resources/resource-definition.js';
import { Components } from './components.js';
import { pathItems, rootOf } from './operations.js';

/** The OpenAPI v3 document of one group and version. */
export function openApiV3Document(definitions: readonly ResourceDefinition[], group: string, version: string): JsonRecord {
  const components = new Components('#/components/schemas/');
  const paths = definitions
    .filter((definition) => definition.group === group)
    .flatMap((definition) =>
      definition.versions.filter(({ name }) => name === version).map((served) => pathItems(definition, served, components)),
    );
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: '1.36' },
    paths: Object.fromEntries(paths.flatMap((items) => Object.entries(items)).sort(([a], [b]) => (a < b ? -1 : 1))),
    components: { schemas: components.all },
  };
}

/** A group and version that has a document. */
export interface DocumentedVersion {
  readonly group: string;
  readonly version: string;
  /** `api/v1`, `apis/rbac.authorization.k8s.io/v1`: its path below /openapi/v3. */
  readonly path: string;
}

/**
 * Every group and version that is served. A real kcp leaves CustomResourceDefinitions out here: kubectl then looks into /openapi/v2 in
 * protobuf, which this server does not write.
 */
export function documentedVersions(definitions: readonly ResourceDefinition[]): readonly DocumentedVersion[] {
  const found = new Map<string, DocumentedVersion>();
  for (const { group, versions } of definitions) {
    for (const { name } of versions) {
      const path = rootOf(group, name).slice(1);
      found.set(path, { group, version: name, path });
    }
  }
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}
