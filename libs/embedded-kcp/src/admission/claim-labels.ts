// The labels of claimed objects: set and removed at every write, so that a client can neither forge nor drop them.
import type { KubeObject, LogicalClusterName } from '@dep-ctrl/kcp-names';
import { stringAt, withLabels } from '../json/json.js';
import {
  CLAIM_LABEL_PREFIX,
  claimHash,
  claimLabelKey,
  EXPORT_LABEL,
  exportHash,
  readClaims,
  reflexiveHash,
  selectsLabels,
  type PermissionClaim,
} from '../kcp/kinds/permission-claims.js';
import type { ShardView } from '../kcp/shards/shard-view.js';
import { API_BINDINGS, API_EXPORTS, APIS_GROUP } from '../kcp/kinds/system-resources.js';
import type { StoredObject } from '../storage/stored-object.js';
import type { AdmissionPlugin } from './admission-chain.js';

interface AcceptedClaim {
  readonly key: string;
  readonly claim: PermissionClaim;
}

/** The accepted claims of each cluster. */
export class ClaimLabels {
  readonly #view: ShardView;
  readonly #byCluster = new Map<LogicalClusterName, readonly AcceptedClaim[]>();

  constructor(view: ShardView) {
    this.#view = view;
    view.store.subscribe(({ bucket, event }) => {
      if (bucket === API_BINDINGS.bucket) this.#byCluster.delete(event.current.cluster);
    });
  }

  /** The object with exactly the claim labels that it should have. */
  apply(object: KubeObject, cluster: LogicalClusterName, group: string, resource: string): KubeObject {
    const expected = this.#expected(object, cluster, group, resource);
    const present = Object.entries(object.metadata.labels ?? {}).filter(([key]) => key.startsWith(CLAIM_LABEL_PREFIX));
    const isRight = present.length === Object.keys(expected).length && present.every(([key, value]) => expected[key] === value);
    if (isRight) return object;
    return withLabels(object, { ...Object.fromEntries(present.map(([key]) => [key, undefined])), ...expected });
  }

  /** Whether any claim of a cluster is about a resource. */
  concerns(cluster: LogicalClusterName, group: string, resource: string): boolean {
    return this.#claims(cluster).some(({ claim }) => claim.group === group && claim.resource === resource);
  }

  #expected(object: KubeObject, cluster: LogicalClusterName, group: string, resource: string): Record<string, string> {
    const labels: Record<string, string> = {};
    if (group === APIS_GROUP && resource === 'apibindings') {
      const own = exportOf(this.#view, object, cluster);
      if (own !== undefined) labels[claimLabelKey(own.cluster, own.name)] = reflexiveHash();
    }
    for (const { key, claim } of this.#claims(cluster)) {
      if (claim.group === group && claim.resource === resource && selectsLabels(claim, object.metadata.labels))
        labels[key] = claimHash(claim);
    }
    return labels;
  }

  #claims(cluster: LogicalClusterName): readonly AcceptedClaim[] {
    const known = this.#byCluster.get(cluster);
    if (known !== undefined) return known;
    const bindings = this.#view.store.bucket(API_BINDINGS.bucket).list({ cluster });
    const claims = bindings.flatMap((binding) => this.#ofBinding(binding));
    this.#byCluster.set(cluster, claims);
    return claims;
  }

  #ofBinding({ object, cluster }: StoredObject): readonly AcceptedClaim[] {
    const exported = exportOf(this.#view, object, cluster);
    if (exported === undefined) return [];
    const key = claimLabelKey(exported.cluster, exported.name);
    return readClaims(object)
      .filter(({ accepted }) => accepted)
      .map((claim) => ({ key, claim }));
  }
}

/** Sets the labels at every write. */
export function claimLabelPlugin(view: ShardView, labels: ClaimLabels): AdmissionPlugin {
  return {
    mutate: ({ definition, cluster, subresource, oldObject }, object) => {
      if (subresource !== undefined) return object;
      const isBinding = definition.group === APIS_GROUP && definition.resource === 'apibindings';
      const labelled = isBinding && asksForLabel(object, oldObject) ? withExportLabel(view, object, cluster) : object;
      return labels.apply(labelled, cluster, definition.group, definition.resource);
    },
  };
}

// As on a real kcp the label stays until a write changes it, even if the export was made anew in another workspace meanwhile.
function asksForLabel(binding: KubeObject, old: KubeObject | undefined): boolean {
  const label = binding.metadata.labels?.[EXPORT_LABEL];
  return old === undefined || label === undefined || label !== old.metadata.labels?.[EXPORT_LABEL];
}

// A binding to an export that does not exist (yet) is labelled as if it were where it is looked for.
function withExportLabel(view: ShardView, binding: KubeObject, cluster: LogicalClusterName): KubeObject {
  const found = exportOf(view, binding, cluster);
  const label = exportHash(found?.cluster ?? cluster, found?.name ?? exportReference(binding, cluster).name);
  return withLabels(binding, { [EXPORT_LABEL]: label });
}

/** The export that a binding names. Without a path the export is in the binding's own cluster. */
export function exportReference(binding: KubeObject, cluster: LogicalClusterName): { readonly path: string; readonly name: string } {
  return {
    path: stringAt(binding, 'spec', 'reference', 'export', 'path') ?? cluster,
    name: stringAt(binding, 'spec', 'reference', 'export', 'name') ?? '',
  };
}

/** The export that a binding names, as far as this shard knows it: the one that is at its path now, also where it was bound to a former one. */
export function exportOf(view: ShardView, binding: KubeObject, cluster: LogicalClusterName): StoredObject | undefined {
  const { path, name } = exportReference(binding, cluster);
  return view.findByPath(API_EXPORTS.bucket, path, name);
}
