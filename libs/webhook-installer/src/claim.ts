import { isRecord, recordAt, type GroupResource, type KubeObject, type LogicalClusterName } from '@dep-ctrl/kcp-names';

/** Which export a workspace should have bound: cluster and name of the APIExport. */
export interface BoundExport {
  readonly cluster: LogicalClusterName;
  readonly name: string;
}

/** The state of a permission claim of one export, from the bindings of one workspace. */
export type ClaimState =
  | { readonly state: 'accepted' }
  | { readonly state: 'not-bound' }
  | { readonly state: 'unbinding' }
  | { readonly state: 'rejected' }
  | { readonly state: 'not-answered' }
  | { readonly state: 'verbs-missing'; readonly verbs: readonly string[] };

/**
 * Reads from APIBindings (v1alpha2) whether the workspace lets the export's owner act on the claimed resource.
 * Verbs are compared literally, as kcp does: what both the binding and the export list; `*` in one of them alone covers nothing.
 */
export function readClaim(
  bindings: readonly KubeObject[],
  bound: BoundExport,
  claim: GroupResource,
  neededVerbs: readonly string[],
): ClaimState {
  const own = bindings.filter((binding) => binds(binding, bound));
  const live = own.find((binding) => binding.metadata.deletionTimestamp === undefined);
  if (live === undefined) return { state: own.length === 0 ? 'not-bound' : 'unbinding' };
  const answer = listAt(live, 'spec', 'permissionClaims').find((item) => isFor(item, claim));
  if (answer === undefined) return { state: 'not-answered' };
  if (answer['state'] !== 'Accepted') return { state: 'rejected' };
  const exported = listAt(live, 'status', 'exportPermissionClaims').find((item) => isFor(item, claim));
  const missing = missingVerbs(verbsOf(answer), exported === undefined ? neededVerbs : verbsOf(exported), neededVerbs);
  return missing.length === 0 ? { state: 'accepted' } : { state: 'verbs-missing', verbs: missing };
}

/** Whether an APIBinding is one to the given export. */
export function binds(binding: KubeObject, { cluster, name }: BoundExport): boolean {
  const reference = recordAt(recordAt(recordAt(binding, 'spec'), 'reference'), 'export');
  return reference['name'] === name && recordAt(binding, 'status')['apiExportClusterName'] === cluster;
}

function missingVerbs(accepted: readonly unknown[], exported: readonly unknown[], needed: readonly string[]): readonly string[] {
  const allowed = accepted.filter((verb) => exported.includes(verb));
  return allowed.includes('*') ? [] : needed.filter((verb) => !allowed.includes(verb));
}

function isFor(item: Readonly<Record<string, unknown>>, claim: GroupResource): boolean {
  return (item['group'] ?? '') === claim.group && item['resource'] === claim.resource;
}

function verbsOf(item: Readonly<Record<string, unknown>>): readonly unknown[] {
  return Array.isArray(item['verbs']) ? item['verbs'] : [];
}

function listAt(object: KubeObject, field: string, list: string): readonly Readonly<Record<string, unknown>>[] {
  const value = recordAt(object, field)[list];
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
