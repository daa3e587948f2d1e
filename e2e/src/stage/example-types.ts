// The types the cases work with: a provider of networks with two namespaced types and one for the whole workspace.
import type { Tree } from '../https/kube-body.js';

/** Group and export name of the example provider. */
export const NETWORK = 'network.example.com';

/** What can be done with an object of these types, as discovery tells it, sorted. */
export const ALL_VERBS: readonly string[] = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

/** One APIResourceSchema to make. */
export interface TypeToServe {
  readonly plural: string;
  readonly kind: string;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly versions: readonly [Tree, ...Tree[]];
  readonly shortNames?: readonly string[];
}

const text = { type: 'string' };

const vpcSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        cidr: { type: 'string', pattern: '^[0-9./]+$' },
        size: { type: 'integer', minimum: 1 },
        mode: { type: 'string', default: 'routed', enum: ['routed', 'bridged'] },
        ref: { type: 'object', properties: { name: text } },
        refs: { type: 'array', items: { type: 'object', properties: { name: text } } },
        ports: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: { type: 'object', required: ['name'], properties: { name: text, number: { type: 'integer' } } },
        },
        labels: { type: 'object', additionalProperties: text },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
    status: { type: 'object', properties: { phase: text } },
  },
};

const vpcColumns = [
  { name: 'Ref', type: 'string', jsonPath: '.spec.ref.name' },
  { name: 'Refs', type: 'string', jsonPath: '.spec.refs[*].name' },
  { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
  { name: 'Cidr', type: 'string', jsonPath: '.spec.cidr', description: 'addresses', priority: 1 },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
];

const vmSchema = {
  type: 'object',
  properties: { spec: { type: 'object', properties: { vpcRef: { type: 'object', properties: { name: text } } } } },
};

const zoneSchema = { type: 'object', properties: { spec: { type: 'object', properties: { region: text } } } };

/** One version of a type, served and stored, with a status of its own. */
export function version(name: string, schema: Tree, more: Tree = {}): Tree {
  return { name, served: true, storage: true, schema, subresources: { status: {} }, ...more };
}

/** A namespaced type with every kind of field and column the cases look at. */
export const VPC: TypeToServe = {
  plural: 'vpcs',
  kind: 'VPC',
  scope: 'Namespaced',
  shortNames: ['net'],
  versions: [version('v1', vpcSchema, { additionalPrinterColumns: vpcColumns })],
};

/** A namespaced type that refers to a VPC. */
export const VM: TypeToServe = { plural: 'vms', kind: 'VM', scope: 'Namespaced', versions: [version('v1', vmSchema)] };

/** A type for the whole workspace. */
export const ZONE: TypeToServe = { plural: 'zones', kind: 'Zone', scope: 'Cluster', versions: [version('v1', zoneSchema)] };

/** What the example provider exports. */
export const NETWORK_TYPES: readonly TypeToServe[] = [VPC, VM, ZONE];

/** A VPC as a user writes it. */
export function vpc(name: string, spec: Tree = {}, metadata: Tree = {}): Tree {
  return { apiVersion: `${NETWORK}/v1`, kind: 'VPC', metadata: { name, ...metadata }, spec };
}

/** A VM as a user writes it. */
export function vm(name: string, vpcName: string, metadata: Tree = {}): Tree {
  return { apiVersion: `${NETWORK}/v1`, kind: 'VM', metadata: { name, ...metadata }, spec: { vpcRef: { name: vpcName } } };
}

/** A zone as a user writes it. */
export function zone(name: string, metadata: Tree = {}): Tree {
  return { apiVersion: `${NETWORK}/v1`, kind: 'Zone', metadata: { name, ...metadata }, spec: { region: 'r1' } };
}
