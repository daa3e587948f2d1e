// Two providers whose types refer to each other in every way that a rule can say.
import type { Tree } from '../https/kube-body.js';
import { version, type TypeToServe } from '../stage/example-types.js';

/** Group and export name of the provider that is referred to. */
export const NETWORK = 'network.example.com';

/** Group and export name of the provider that refers. */
export const COMPUTE = 'compute.example.com';

const text = { type: 'string' };
const named = { type: 'object', properties: { name: text, namespace: text } };
const anything = { type: 'object', properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } };
const referring = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: { vpcRef: named, zoneRef: named, vpcRefs: { type: 'array', items: named }, peer: named },
    },
  },
};

/** What the network provider exports: one namespaced type, one for the whole workspace. */
export const NETWORK_TYPES: readonly TypeToServe[] = [
  { plural: 'vpcs', kind: 'VPC', scope: 'Namespaced', versions: [version('v1', anything)] },
  { plural: 'zones', kind: 'Zone', scope: 'Cluster', versions: [version('v1', anything)] },
];

/** What the compute provider exports. Only `.spec.vpcRef.name` of a VM is a printer column. */
export const COMPUTE_TYPES: readonly TypeToServe[] = [
  {
    plural: 'vms',
    kind: 'VM',
    scope: 'Namespaced',
    versions: [version('v1', referring, { additionalPrinterColumns: [{ name: 'VPC', type: 'string', jsonPath: '.spec.vpcRef.name' }] })],
  },
  { plural: 'hosts', kind: 'Host', scope: 'Cluster', versions: [version('v1', referring)] },
];

/** An object of the network provider. */
export function network(kind: 'VPC' | 'Zone', name: string, metadata: Tree = {}): Tree {
  return { apiVersion: `${NETWORK}/v1`, kind, metadata: { name, ...metadata }, spec: {} };
}

/** An object of the compute provider. */
export function compute(kind: 'VM' | 'Host', name: string, spec: Tree, metadata: Tree = {}): Tree {
  return { apiVersion: `${COMPUTE}/v1`, kind, metadata: { name, ...metadata }, spec };
}

/** The reference that most scenarios use. */
export function refersTo(vpc: string): Tree {
  return { vpcRef: { name: vpc } };
}
