// The objects that let other workspaces bind our kinds. The files in deploy/kcp are generated from them, and bootstrap applies the same objects.

import type { KubeObject } from '@dep-ctrl/kcp-names';
import { API_GROUP, API_VERSION, EXPORT_NAME } from '../rules/api-group.js';
import type { ApiKind } from './api-kind.js';
import { contentHash } from './content-hash.js';
import { GUARD_KIND } from './guard-kind.js';
import { RULE_KIND } from './rule-kind.js';

/** Both kinds, rules first. */
export const API_KINDS: readonly ApiKind[] = [RULE_KIND, GUARD_KIND];

/** What a workspace that binds the export lets us do there: the one claim. A literal set of verbs, which kcp intersects as it is. */
export const PERMISSION_CLAIM = {
  group: 'admissionregistration.k8s.io',
  resource: 'validatingwebhookconfigurations',
  verbs: ['get', 'list', 'watch', 'create', 'update', 'delete'],
} as const;

/** The APIResourceSchemas. They are immutable, so their names carry a hash of the content: a change makes a new one. */
export function apiResourceSchemas(): readonly KubeObject[] {
  return API_KINDS.map((kind) => {
    const spec = schemaSpec(kind);
    return { apiVersion: 'apis.kcp.io/v1alpha1', kind: 'APIResourceSchema', metadata: { name: schemaName(kind) }, spec };
  });
}

/** The APIExport of both kinds. */
export function apiExport(): KubeObject {
  return {
    apiVersion: 'apis.kcp.io/v1alpha2',
    kind: 'APIExport',
    metadata: { name: EXPORT_NAME },
    spec: {
      resources: API_KINDS.map((kind) => ({ group: API_GROUP, name: kind.names.plural, schema: schemaName(kind), storage: { crd: {} } })),
      permissionClaims: [PERMISSION_CLAIM],
    },
  };
}

function schemaName(kind: ApiKind): string {
  return `v${contentHash(schemaSpec(kind))}.${kind.names.plural}.${API_GROUP}`;
}

function schemaSpec({ names, schema, columns }: ApiKind) {
  return {
    group: API_GROUP,
    names,
    scope: 'Cluster',
    versions: [{ name: API_VERSION, served: true, storage: true, subresources: { status: {} }, additionalPrinterColumns: columns, schema }],
  };
}
