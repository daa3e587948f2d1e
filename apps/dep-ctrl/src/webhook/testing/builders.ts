// Small values for specs, each valid unless a spec says otherwise.
import { logicalCluster, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { Caller, Subject } from '../decision/admission-review.js';
import type { DecidingRule, Dependent, DependentType, Finding, Lookup } from '../decision/lookup.js';

/** A logical cluster name that a spec writes by hand. */
export function cluster(text: string): LogicalClusterName {
  return logicalCluster(text);
}

/** `vpcs/my-vpc` in namespace default of the consumer. */
export function subject(change: Partial<Subject> = {}): Subject {
  return {
    cluster: cluster('consumer'),
    group: 'network.example.com',
    version: 'v1alpha1',
    resource: 'vpcs',
    namespace: 'default',
    name: 'my-vpc',
    uid: 'uid-of-vpc',
    ownerUids: new Set(),
    isTerminating: false,
    isBypassed: false,
    ...change,
  };
}

/** A subject without a namespace. */
export function clusterScoped(change: Partial<Subject> = {}): Subject {
  const { namespace: _, ...rest } = subject(change);
  return rest;
}

/** A user with kubectl. */
export const person: Caller = { username: 'alice', isThroughExport: false };

/** A rule that denies. */
export function rule(change: Partial<DecidingRule> = {}): DecidingRule {
  return { cluster: cluster('compute'), name: 'vm-dependencies', enforcement: 'Deny', whileTerminating: 'Block', ...change };
}

/** The dependent type of the story. */
export const VM: DependentType = { group: 'compute.example.com', resource: 'virtualmachines', kind: 'VirtualMachine' };

/** A virtual machine in namespace default. */
export function dependent(name: string, change: Partial<Dependent> = {}): Dependent {
  return { namespace: 'default', name, uid: `uid-of-${name}`, isTerminating: false, ...change };
}

/** What a lookup found for a rule. */
export function finding(lookup: Lookup, change: Partial<Finding> = {}): Finding {
  return { rule: rule(), type: VM, fieldPath: '.spec.vpcRef.name', lookup, ...change };
}

/** A lookup that read everything. */
export function listed(...dependents: readonly Dependent[]): Lookup {
  return { answer: 'listed', dependents };
}
