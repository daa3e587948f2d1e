// Rules, guards and objects for specs of this lib: valid as they are, with what a test is about put on top.

import {
  CLUSTER_ANNOTATION,
  logicalCluster,
  workspacePath,
  type KubeObject,
  type LogicalClusterName,
  type WorkspacePath,
} from '@dep-ctrl/kcp-names';
import { GUARD_NAME } from '../rules/api-group.js';
import type { DependencyRuleSpec, DependencySpec } from '../rules/api-objects.js';
import type { Guard } from '../rules/guard.js';
import { parseRule } from '../parsing/parse-rule.js';
import { ruleKeyOf, type Rule } from '../rules/rule.js';

/** A cluster's name, checked. */
export function cluster(name: string): LogicalClusterName {
  return logicalCluster(name);
}

/** A workspace's path, checked. */
export function path(text: string): WorkspacePath {
  return workspacePath(text);
}

/** A dependency on VPCs. */
export function dependencySpec(change: Partial<DependencySpec> = {}): DependencySpec {
  return {
    apiExportRef: { path: 'root:network', name: 'network.example.com' },
    group: 'network.example.com',
    version: 'v1alpha1',
    resource: 'vpcs',
    fieldRef: { path: '.spec.vpcRef.name' },
    ...change,
  };
}

/** The spec of a rule about virtual machines that refer to VPCs. */
export function ruleSpec(change: Partial<DependencyRuleSpec> = {}): DependencyRuleSpec {
  return {
    dependent: {
      apiExportName: 'compute.example.com',
      group: 'compute.example.com',
      version: 'v1alpha1',
      kind: 'VirtualMachine',
      resource: 'virtualmachines',
    },
    dependencies: [dependencySpec()],
    ...change,
  };
}

/** Which rule it is. */
export interface RuleIdentity {
  readonly cluster?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly generation?: number;
  readonly createdAt?: string;
}

/** A DependencyRule as kcp hands it out. */
export function ruleObject(
  spec: unknown = ruleSpec(),
  { cluster = 'compute', name = 'vm-dependencies', uid = 'u', generation = 1, createdAt = '2026-01-01T00:00:00Z' }: RuleIdentity = {},
): KubeObject {
  const metadata = { name, uid, generation, creationTimestamp: createdAt, annotations: { [CLUSTER_ANNOTATION]: cluster } };
  return { apiVersion: 'dependencies.opendefense.cloud/v1alpha1', kind: 'DependencyRule', metadata, spec };
}

/** A rule. */
export function rule(spec: Partial<DependencyRuleSpec> = {}, identity: RuleIdentity = {}): Rule {
  const parsed = parseRule(ruleObject(ruleSpec(spec), identity));
  if (!parsed.ok) throw new Error(parsed.problem.map((problem) => `${problem.path}: ${problem.message}`).join('\n'));
  return parsed.value;
}

/** A rule that names VPCs of one workspace. */
export function ruleAbout(workspace: string, identity: RuleIdentity = {}): Rule {
  return rule({ dependencies: [dependencySpec({ apiExportRef: { path: workspace, name: 'network.example.com' } })] }, identity);
}

/** A guard that admits everyone and names every rule: none. */
export function guard(change: Partial<Guard> & { readonly cluster: LogicalClusterName }): Guard {
  return {
    uid: 'g',
    generation: 1,
    allowRulesFrom: 'everyone',
    ignoredConsents: 0,
    madeByProvider: false,
    deleting: false,
    ruleRefs: [],
    namesEveryRule: true,
    ...change,
  };
}

/** A guard's reference to a rule, and to the VPCs that it holds; without a version, as older controllers wrote it. */
export function ruleRef(clusterName: string, name = 'vm-dependencies', version?: { readonly uid: string; readonly generation: number }) {
  return {
    key: ruleKeyOf(cluster(clusterName), name),
    cluster: cluster(clusterName),
    name,
    ...(version !== undefined && { version }),
    resource: 'vpcs.network.example.com',
    dependent: 'VirtualMachine.compute.example.com',
    enforcement: 'Deny' as const,
  };
}

/** A DependencyGuard as kcp hands it out. */
export function guardObject(change: Record<string, unknown> = {}, metadata: Record<string, unknown> = {}): KubeObject {
  return {
    apiVersion: 'dependencies.opendefense.cloud/v1alpha1',
    kind: 'DependencyGuard',
    metadata: { name: GUARD_NAME, uid: 'g', generation: 1, annotations: { [CLUSTER_ANNOTATION]: 'network' }, ...metadata },
    ...change,
  };
}
