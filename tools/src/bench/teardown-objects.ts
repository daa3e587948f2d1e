// The types and objects of the teardown bench: networks, which are guarded, and machines, which refer to them.

import type { GroupVersionResource, KubeObject, WorkspacePath } from '@dep-ctrl/kcp-names';
import { RULES } from '@dep-ctrl/rule-registry';

const VERSION = 'v1';

/** The two types, by the provider that exports them. The embedded kcp deletes what is bound by the names of the groups: networks come first. */
export const TYPES = {
  networks: { group: 'networks.teardown.bench.example.com', version: VERSION, resource: 'networks' },
  machines: { group: 'virtual-machines.teardown.bench.example.com', version: VERSION, resource: 'machines' },
} as const satisfies Record<string, GroupVersionResource>;

/** Which provider. */
export type Provider = keyof typeof TYPES;

/** What holds a machine that takes its time to end. */
export const FINALIZER = 'bench.example.com/shutting-down';

/** How much is in a workspace: networks are spread over namespaces, and machines over the networks of their namespace. */
export interface Stock {
  readonly namespaces: number;
  readonly networks: number;
  readonly machines: number;
}

/** What a workspace holds, the networks first. */
export interface StockObjects {
  readonly namespaces: readonly string[];
  readonly networks: readonly KubeObject[];
  readonly machines: readonly KubeObject[];
}

/** The objects of a stock. Machines that refer to nothing are what kcp deletes without any order. */
export function stockObjects({ namespaces, networks, machines }: Stock, doRefer: boolean): StockObjects {
  const namespaceOf = (index: number): string => (namespaces === 1 ? 'default' : `n${index % namespaces}`);
  return {
    namespaces: namespaces === 1 ? [] : Array.from({ length: namespaces }, (_, index) => `n${index}`),
    networks: Array.from({ length: networks }, (_, index) => object('networks', `net-${index}`, namespaceOf(index), {})),
    machines: Array.from({ length: machines }, (_, index) => {
      // In the namespace of the network that it refers to.
      const network = index % networks;
      const spec = doRefer ? { networkRef: { name: `net-${network}` } } : {};
      return object('machines', `machine-${index}`, namespaceOf(network), spec);
    }),
  };
}

/** The rule: machines refer to networks. */
export function rule(networks: WorkspacePath): KubeObject {
  const { machines: dependent, networks: dependency } = TYPES;
  return {
    apiVersion: `${RULES.group}/${RULES.version}`,
    kind: 'DependencyRule',
    metadata: { name: 'machines' },
    spec: {
      dependent: { ...dependent, apiExportName: dependent.group, kind: kindOf(dependent) },
      dependencies: [
        { apiExportRef: { path: networks, name: dependency.group }, ...dependency, fieldRef: { path: '.spec.networkRef.name' } },
      ],
    },
  };
}

/** The schema of a type, with a column for the reference. */
export function schema(provider: Provider): KubeObject {
  const { group, resource } = TYPES[provider];
  const kind = kindOf(TYPES[provider]);
  const reference = { type: 'object', properties: { name: { type: 'string' } } };
  const spec = { type: 'object', properties: { networkRef: reference } };
  return {
    apiVersion: 'apis.kcp.io/v1alpha1',
    kind: 'APIResourceSchema',
    metadata: { name: schemaName(provider) },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: resource, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: [
        {
          name: VERSION,
          served: true,
          storage: true,
          schema: { type: 'object', properties: { spec } },
          additionalPrinterColumns: [{ name: 'Network', type: 'string', jsonPath: '.spec.networkRef.name' }],
        },
      ],
    },
  };
}

/** The export of a provider. */
export function apiExport(provider: Provider): KubeObject {
  const { group, resource } = TYPES[provider];
  return {
    apiVersion: 'apis.kcp.io/v1alpha2',
    kind: 'APIExport',
    metadata: { name: group },
    spec: { resources: [{ group, name: resource, schema: schemaName(provider), storage: { crd: {} } }] },
  };
}

function schemaName(provider: Provider): string {
  const { group, resource } = TYPES[provider];
  return `v1.${resource}.${group}`;
}

function object(provider: Provider, name: string, namespace: string, spec: object): KubeObject {
  const of = TYPES[provider];
  return { apiVersion: `${of.group}/${of.version}`, kind: kindOf(of), metadata: { name, namespace }, spec };
}

function kindOf({ resource }: GroupVersionResource): string {
  return `${resource.charAt(0).toUpperCase()}${resource.slice(1, -1)}`;
}
