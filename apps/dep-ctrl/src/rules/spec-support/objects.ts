// Objects as endpoints show them, for specs: only what matters is said, the rest has defaults.
import type { KubeObject, LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';
import { parseVirtualWorkspaceUrl, type Observed, type VirtualWorkspaceUrl } from '@dep-ctrl/kcp-client';
import { GUARD_FINALIZER, GUARD_NAME, type GuardRuleEntry } from '@dep-ctrl/rule-registry';

export const EXPORT = 'dependencies.opendefense.cloud';
export const EXPORT_CLUSTER = 'dep1' as LogicalClusterName;

export const name = (text: string): LogicalClusterName => text as LogicalClusterName;
export const path = (text: string): WorkspacePath => text as WorkspacePath;

/** The endpoint of a shard. */
export function endpoint(shard: string): VirtualWorkspaceUrl {
  const url = parseVirtualWorkspaceUrl(`https://${shard}:6443/services/apiexport/${EXPORT_CLUSTER}/${EXPORT}`);
  if (!url.ok) throw new Error(url.problem);
  return url.value;
}

/** A rule of the compute provider about VPCs. */
export function rule({
  cluster = 'compute1',
  name: ruleName = 'vms',
  target = 'root:network',
  resource = 'vpcs',
  version = '1',
  generation = 1,
  ...more
}: {
  cluster?: string;
  name?: string;
  target?: string;
  resource?: string;
  version?: string;
  generation?: number;
  enforcement?: string;
  status?: object;
} = {}): Observed {
  const { status, enforcement } = more;
  return observed(cluster, {
    apiVersion: `${EXPORT}/v1alpha1`,
    kind: 'DependencyRule',
    metadata: { name: ruleName, uid: `${cluster}-${ruleName}`, generation, resourceVersion: version },
    spec: {
      dependent: { apiExportName: 'compute.example.com', group: 'compute.example.com', version: 'v1', kind: 'VM', resource: 'vms' },
      dependencies: [
        {
          apiExportRef: { path: target, name: 'network.example.com' },
          group: 'network.example.com',
          version: 'v1',
          resource,
          fieldRef: { path: '.spec.vpcRef.name' },
        },
      ],
      ...(enforcement !== undefined && { enforcement }),
    },
    ...(status !== undefined && { status }),
  });
}

/** What a guard's status says about such a rule; without a version, as older controllers said it. */
export function entry({
  cluster = 'compute1',
  rule: ruleName = 'vms',
  path: rulePath = 'root:compute',
  resource = 'vpcs.network.example.com',
  ...version
}: {
  cluster?: string;
  rule?: string;
  path?: string;
  resource?: string;
  uid?: string;
  generation?: number;
} = {}): GuardRuleEntry {
  return { cluster, path: rulePath, rule: ruleName, ...version, dependent: 'VM.compute.example.com', resource, enforcement: 'Deny' };
}

/** The guard of a workspace, held by us, whose status names the given rules. */
export function guard({
  cluster = 'network1',
  names = [],
  consent,
  deleting = false,
  madeAt,
}: {
  cluster?: string;
  names?: readonly GuardRuleEntry[];
  consent?: readonly string[];
  deleting?: boolean;
  madeAt?: string;
} = {}): Observed {
  return observed(cluster, {
    apiVersion: `${EXPORT}/v1alpha1`,
    kind: 'DependencyGuard',
    metadata: {
      name: GUARD_NAME,
      uid: `${cluster}-guard`,
      generation: 1,
      resourceVersion: '1',
      finalizers: [GUARD_FINALIZER],
      ...(madeAt !== undefined && { creationTimestamp: madeAt }),
      ...(deleting && { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    },
    ...(consent !== undefined && { spec: { allowRulesFrom: consent } }),
    status: { ruleCount: names.length, rules: names },
  });
}

/** The binding of a workspace to our export, with the claim accepted unless said otherwise. */
export function binding({
  cluster = 'network1',
  path: boundPath = 'root:network',
  claim = 'Accepted',
  deleting = false,
  name: bindingName = 'dep-ctrl',
} = {}): Observed {
  const verbs = ['get', 'list', 'watch', 'create', 'update', 'delete'];
  const claimed = { group: 'admissionregistration.k8s.io', resource: 'validatingwebhookconfigurations', verbs };
  const { cluster: at, object } = observed(cluster, {
    apiVersion: 'apis.kcp.io/v1alpha2',
    kind: 'APIBinding',
    metadata: {
      name: bindingName,
      uid: `${cluster}-${bindingName}`,
      resourceVersion: '1',
      ...(deleting && { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    },
    spec: {
      reference: { export: { path: 'root:dep-ctrl', name: EXPORT } },
      permissionClaims: [{ ...claimed, selector: { matchAll: true }, state: claim }],
    },
    status: { apiExportClusterName: EXPORT_CLUSTER, exportPermissionClaims: [claimed] },
  });
  return {
    cluster: at,
    object: { ...object, metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, 'kcp.io/path': boundPath } } },
  };
}

/** A configuration of ours in a workspace. */
export function configuration({
  cluster = 'network1',
  owner = EXPORT_CLUSTER,
  name: configurationName = GUARD_NAME,
}: { cluster?: string; owner?: string; name?: string } = {}): Observed {
  return observed(cluster, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: {
      name: configurationName,
      uid: `${cluster}-c`,
      resourceVersion: '1',
      labels: { 'dependencies.opendefense.cloud/export-cluster': owner },
    },
    webhooks: [],
  });
}

function observed(cluster: string, object: KubeObject): Observed {
  const annotations = { 'kcp.io/cluster': cluster };
  return { cluster: name(cluster), object: { ...object, metadata: { ...object.metadata, annotations } } };
}
