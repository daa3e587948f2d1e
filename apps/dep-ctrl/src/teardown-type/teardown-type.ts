// The WorkspaceType of the ordered teardown: a workspace of this type, or of one that extends it, waits at its end until the controller has deleted
// dependents before what they refer to. Pure.
import { record, recordAt, elements, text, type KubeObject, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import { WORKSPACE_TYPES } from '@dep-ctrl/kcp-objects';
import { MANAGED_BY } from '../own-objects/configuration-labels.js';
import type { AccessHolder } from '../read-access/change-access.js';
import type { PolicyRule } from '../read-access/policy-rule.js';
import { policyRulesIn } from '../read-access/rbac-parts.js';
import { accessIn, listedTypes, typeRules, type ReadAccess } from '../read-access/read-rules.js';

/** Its name, in the workspace of dep-ctrl. */
export const TEARDOWN_TYPE = 'dependency-ordered';

/** What the lists of LogicalClusters call its terminator; `home`: the logical cluster of the workspace of dep-ctrl. */
export function teardownEntry(home: LogicalClusterName | string): string {
  return `${home}:${TEARDOWN_TYPE}`;
}

/** What the controller may do to an object of a bound type: find it, delete it, and, where objects refer to each other in a circle, annotate it. */
const CLEARING = ['get', 'list', 'delete', 'patch'] as const;

// To see which types are bound, and from where.
const READ_BINDINGS: PolicyRule = { apiGroups: ['apis.kcp.io'], resources: ['apibindings'], verbs: ['get', 'list'] };

/** What may be done in a dying workspace: the types are named, so that neither their status nor anything of kcp is among them. */
export function teardownPermissions(access: ReadAccess): readonly PolicyRule[] {
  return [READ_BINDINGS, ...typeRules(listedTypes(access), CLEARING)];
}

/** The type as an object. */
export function teardownType(access: ReadAccess): KubeObject {
  return {
    apiVersion: 'tenancy.kcp.io/v1alpha1',
    kind: 'WorkspaceType',
    metadata: { name: TEARDOWN_TYPE, labels: { [MANAGED_BY.label]: MANAGED_BY.value } },
    spec: {
      terminator: true,
      // So that it can be used without a type of one's own.
      extend: { with: [{ name: 'universal', path: 'root' }] },
      terminatorPermissions: teardownPermissions(access),
    },
  };
}

/** The rules of such a type. */
export function permissionsOf(type: KubeObject): readonly PolicyRule[] {
  return policyRulesIn(recordAt(type, 'spec')['terminatorPermissions']);
}

/** The types whose objects may be deleted in a dying workspace. */
export function teardownAccessIn(type: KubeObject): ReadAccess {
  return accessIn(permissionsOf(type));
}

/** How its permissions are changed. */
export const TEARDOWN_ACCESS: AccessHolder = {
  kind: 'WorkspaceType',
  type: WORKSPACE_TYPES,
  name: TEARDOWN_TYPE,
  accessIn: teardownAccessIn,
  holding: teardownType,
};

/** Whether dep-ctrl made the type. */
export function isOwnType({ metadata }: KubeObject): boolean {
  return metadata.labels?.[MANAGED_BY.label] === MANAGED_BY.value;
}

/** The URLs of the virtual workspaces that show what dies of this type: one for each shard. */
export function terminatingUrls(type: KubeObject): readonly string[] {
  return elements(recordAt(type, 'status')['virtualWorkspaces']).flatMap((one) =>
    record(one)?.['type'] === 'terminating' ? (text(record(one)?.['url']) ?? []) : [],
  );
}
