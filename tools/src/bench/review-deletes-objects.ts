// The types of the bench of deletes through kcp, and every object that is written for it. Pure.

import type { GroupVersionResource, KubeObject, WorkspacePath } from '@dep-ctrl/kcp-names';
import { RULES } from '@dep-ctrl/rule-registry';

const VERSION = 'v1';
const OBJECT_BYTES = 2_048;
const MACHINE_COUNT = 10;

/** Who guards a type. */
export type Side = 'ours' | 'naive';

/** Who exports types; each has an export that is named like its group. */
export type Provider = Side | 'machines';

/** The objects that refer to targets. */
export const MACHINES = type('machines', 'machines');
/** Where in a machine the reference is. */
export const REFERENCE = '.spec.ref.name';
/** The guarded types. */
export const TARGETS = { ours: type('ours', 'targets'), naive: type('naive', 'targets') } as const;
/** Another type of the provider that dep-ctrl guards, for one more rule. */
export const EXTRAS = type('ours', 'extras');

/** What each provider exports. */
export const EXPORTED: Readonly<Record<Provider, readonly GroupVersionResource[]>> = {
  ours: [TARGETS.ours, EXTRAS],
  naive: [TARGETS.naive],
  machines: [MACHINES],
};

/** One of the names that machines refer to. */
export const REFERRED_NAME = 'referred-0';
/** All of them, one machine each: targets of these names cannot be deleted. */
export const REFERRED: readonly string[] = Array.from({ length: MACHINE_COUNT }, (_, index) => `referred-${index}`);

/** The machines. */
export const MACHINE_OBJECTS: readonly KubeObject[] = REFERRED.map((name, index) =>
  object(MACHINES, `machine-${index}`, { ref: { name } }),
);

/** A target, or an object of the other guarded type. */
export function target(of: GroupVersionResource, name: string): KubeObject {
  return object(of, name, {});
}

/** That machines refer to a type, which need not exist, of the provider that dep-ctrl guards. */
export function rule({ group, version, resource }: GroupVersionResource, exporter: WorkspacePath): KubeObject {
  return {
    apiVersion: `${RULES.group}/${RULES.version}`,
    kind: 'DependencyRule',
    metadata: { name: `machines-need-${resource}` },
    spec: {
      dependent: { ...MACHINES, apiExportName: MACHINES.group, kind: kindOf(MACHINES) },
      dependencies: [{ apiExportRef: { path: exporter, name: group }, group, version, resource, fieldRef: { path: REFERENCE } }],
    },
  };
}

/** The type of a resource in the group of a provider. */
export function type(provider: Provider, resource: string): GroupVersionResource {
  return { group: groupOf(provider), version: VERSION, resource };
}

/** The group of a provider's types, and the name of its export. */
export function groupOf(provider: Provider): string {
  return `${provider}.deletes.bench.example.com`;
}

/** The schema of a type, as its provider writes it. With a column, machines show what they refer to. */
export function schema(
  { group, version: name, resource }: GroupVersionResource,
  { hasColumn }: { readonly hasColumn: boolean },
): KubeObject {
  const kind = kindOf({ resource });
  const showsReference = hasColumn && resource === MACHINES.resource;
  const spec = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  return {
    apiVersion: 'apis.kcp.io/v1alpha1',
    kind: 'APIResourceSchema',
    metadata: { name: schemaName({ group, resource }) },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: resource, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: [
        {
          name,
          served: true,
          storage: true,
          schema: { type: 'object', properties: { spec } },
          ...(showsReference && { additionalPrinterColumns: [{ name: 'Target', type: 'string', jsonPath: REFERENCE }] }),
        },
      ],
    },
  };
}

/** The export of a provider. */
export function apiExport(provider: Provider): KubeObject {
  const resources = EXPORTED[provider].map(({ group, resource }) => ({
    group,
    name: resource,
    schema: schemaName({ group, resource }),
    storage: { crd: {} },
  }));
  return { apiVersion: 'apis.kcp.io/v1alpha2', kind: 'APIExport', metadata: { name: groupOf(provider) }, spec: { resources } };
}

function object(of: GroupVersionResource, name: string, spec: object): KubeObject {
  const made = { apiVersion: `${of.group}/${of.version}`, kind: kindOf(of), metadata: { name, namespace: 'default' } };
  const disks: object[] = [];
  const filled = { ...made, spec: { ...spec, disks } };
  while (JSON.stringify(filled).length < OBJECT_BYTES) disks.push({ name: `disk-${disks.length}`, sizeGiB: 10, tags: ['fast', 'local'] });
  return filled;
}

function schemaName({ group, resource }: Pick<GroupVersionResource, 'group' | 'resource'>): string {
  return `v1.${resource}.${group}`;
}

function kindOf({ resource }: Pick<GroupVersionResource, 'resource'>): string {
  return `${resource.charAt(0).toUpperCase()}${resource.slice(1, -1)}`;
}
