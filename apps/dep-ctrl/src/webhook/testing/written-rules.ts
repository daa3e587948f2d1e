// Rules and guards as kcp puts them to the webhook when they are written, for specs: valid unless a spec says otherwise.
import { CLUSTER_ANNOTATION, type KubeObject } from '@dep-ctrl/kcp-names';
import { GUARD_NAME, reportRule, ruleInForce, type DependencySpec, type Rule, type RuleReport } from '@dep-ctrl/rule-registry';
import { cluster } from './builders.js';

/** A reference to VPCs. */
export function vpcDependency(change: Partial<DependencySpec> = {}): DependencySpec {
  return {
    apiExportRef: { path: 'root:network', name: 'network.example.com' },
    group: 'network.example.com',
    version: 'v1alpha1',
    resource: 'vpcs',
    fieldRef: { path: '.spec.vpcRef.name' },
    ...change,
  };
}

const DEPENDENT = {
  apiExportName: 'compute.example.com',
  group: 'compute.example.com',
  version: 'v1alpha1',
  kind: 'VirtualMachine',
  resource: 'virtualmachines',
};

/** A rule of the workspace `compute`. */
export function writtenRule(dependencies: readonly unknown[] = [vpcDependency()], dependent: object = DEPENDENT): KubeObject {
  return {
    apiVersion: 'dependencies.opendefense.cloud/v1alpha1',
    kind: 'DependencyRule',
    metadata: { name: 'vms', annotations: { [CLUSTER_ANNOTATION]: 'compute' } },
    spec: { dependent, dependencies },
  };
}

/** The same, read. */
export function reportOf(...given: Parameters<typeof writtenRule>): RuleReport {
  return reportRule(cluster('compute'), writtenRule(...given));
}

/** The same, where all of it can be read. */
export function ruleOf(...given: Parameters<typeof writtenRule>): Rule {
  const rule = ruleInForce(reportOf(...given));
  if (rule === undefined) throw new Error('the rule of this spec cannot be read');
  return rule;
}

/** A guard of the workspace `network`. */
export function writtenGuard(spec: unknown): KubeObject {
  return {
    apiVersion: 'dependencies.opendefense.cloud/v1alpha1',
    kind: 'DependencyGuard',
    metadata: { name: GUARD_NAME, annotations: { [CLUSTER_ANNOTATION]: 'network' } },
    spec,
  };
}

/** The review of an object as it is written. */
export function writeReview(object: KubeObject | null, change: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const resource = object?.kind === 'DependencyGuard' ? 'dependencyguards' : 'dependencyrules';
  return {
    kind: 'AdmissionReview',
    apiVersion: 'admission.k8s.io/v1',
    request: {
      uid: '705ab4f5-6393-11e8-b7cc-42010a800002',
      resource: { group: 'dependencies.opendefense.cloud', version: 'v1alpha1', resource },
      operation: 'CREATE',
      object,
      oldObject: null,
      ...change,
    },
  };
}
