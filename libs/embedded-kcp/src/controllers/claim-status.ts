// The status of a binding about the permission claims of its export.
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { arrayAt, isRecord, without, type JsonRecord } from '../json/json.js';
import type { Condition } from '../kcp/kinds/conditions.js';
import { readClaims, type PermissionClaim } from '../kcp/kinds/permission-claims.js';

/** Fields and conditions of a binding's status. */
export interface ClaimStatus {
  readonly fields: JsonRecord;
  readonly conditions: readonly Condition[];
}

/** The claims that a binding accepts, and whether its export asks for them. */
export function claimStatus(binding: KubeObject, exported: KubeObject): ClaimStatus {
  const offered = readClaims(exported);
  const isOffered = (claim: PermissionClaim): boolean =>
    offered.some((one) => one.group === claim.group && one.resource === claim.resource && one.identityHash === claim.identityHash);
  const invalid = readClaims(binding).filter((claim) => !isOffered(claim));
  const applied = arrayAt(binding, 'spec', 'permissionClaims')
    .filter(isRecord)
    .filter((claim) => claim['state'] === 'Accepted')
    .map((claim) => without(claim, 'state'));
  const exportClaims = arrayAt(exported, 'spec', 'permissionClaims');
  return {
    fields: {
      appliedPermissionClaims: applied.length === 0 ? undefined : applied,
      exportPermissionClaims: exportClaims.length === 0 ? undefined : exportClaims,
    },
    conditions: [
      invalid.length === 0 ? { type: 'PermissionClaimsValid', status: 'True' } : invalidClaims(invalid),
      { type: 'PermissionClaimsApplied', status: 'True' },
    ],
  };
}

function invalidClaims(claims: readonly PermissionClaim[]): Condition {
  const names = claims.map(({ group, resource }) => (group === '' ? resource : `${resource}.${group}`)).join(', ');
  return {
    type: 'PermissionClaimsValid',
    status: 'False',
    severity: 'Error',
    reason: 'InvalidPermissionClaims',
    message: `unexpected/invalid claim for ${names}`,
  };
}
