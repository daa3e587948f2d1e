// How the types, objects and rules of the model are written for kcp.
import type { Tree } from '../https/kube-body.js';
import { version, type TypeToServe } from '../stage/example-types.js';
import type { Field, ModelObject, ModelReference, ModelType } from './script/referenced.js';
import type { WrittenRule } from './script/state.js';
import { PROVIDERS, type TypeShape, type Version } from './script/topology.js';

const text = { type: 'string' };
const reference = { type: 'object', properties: { name: text, namespace: text } };
const schema = {
  type: 'object',
  properties: { spec: { type: 'object', properties: { ref: reference, refs: { type: 'array', items: reference }, peer: text } } },
};
const COLUMN = { name: 'Ref', type: 'string', jsonPath: '.spec.ref.name' };

const PATHS: Readonly<Record<Field, { readonly path: string; readonly namespacePath?: string }>> = {
  ref: { path: '.spec.ref.name', namespacePath: '.spec.ref.namespace' },
  refs: { path: '.spec.refs[*].name', namespacePath: '.spec.refs[*].namespace' },
  peer: { path: '.spec.peer' },
};

/** Makes the names of one run out of those of a script: what an earlier run left behind is in no later one's way. */
export type NameOf = (name: string) => string;

/** The group of a provider's types, and the name of its export. */
export function groupOf(provider: number): string {
  return `p${provider}.example.com`;
}

/** The kind of a type. */
export function kindOf({ resource }: Pick<ModelType, 'resource'>): string {
  return resource === 'things' ? 'Thing' : 'Place';
}

/** The types that a provider exports. */
export function exportedTypes(provider: number): readonly TypeToServe[] {
  return (PROVIDERS[provider] ?? []).map((shape) => {
    const [first, ...others] = shape.served;
    return {
      plural: shape.resource,
      kind: kindOf(shape),
      scope: shape.resource === 'things' ? 'Namespaced' : 'Cluster',
      versions: [versionOf(shape, first), ...others.map((name) => versionOf(shape, name))],
    };
  });
}

/** An object as a user writes it. */
export function objectManifest({ type, name, references }: ModelObject, inVersion: Version, nameOf: NameOf): Tree {
  const written = (each: ModelReference): Tree => ({
    name: nameOf(each.name),
    ...(each.namespace === undefined ? {} : { namespace: nameOf(each.namespace) }),
  });
  const [ref] = references.ref;
  const [peer] = references.peer;
  return {
    apiVersion: `${groupOf(type.provider)}/${inVersion}`,
    kind: kindOf(type),
    metadata: { name: nameOf(name) },
    spec: {
      ...(ref === undefined ? {} : { ref: written(ref) }),
      refs: references.refs.map(written),
      ...(peer === undefined ? {} : { peer: nameOf(peer.name) }),
    },
  };
}

/** A rule as a provider writes it, about a provider at that path. */
export function ruleManifest(rule: WrittenRule, targetPath: string, nameOf: NameOf): Tree {
  const { name, dependent, dependency, field, readsNamespace, enforcement, versions } = rule;
  const { path, namespacePath } = PATHS[field];
  const group = groupOf(dependent.provider);
  return {
    apiVersion: 'dependencies.opendefense.cloud/v1alpha1',
    kind: 'DependencyRule',
    metadata: { name: nameOf(name) },
    spec: {
      dependent: { apiExportName: group, group, version: versions.dependent, kind: kindOf(dependent), resource: dependent.resource },
      dependencies: [
        {
          apiExportRef: { path: targetPath, name: groupOf(dependency.provider) },
          group: groupOf(dependency.provider),
          version: versions.dependency,
          resource: dependency.resource,
          fieldRef: { path, ...(readsNamespace ? { namespacePath } : {}) },
        },
      ],
      enforcement,
    },
  };
}

function versionOf({ stored, column }: TypeShape, name: Version): Tree {
  return version(name, schema, { storage: name === stored, ...(name === column ? { additionalPrinterColumns: [COLUMN] } : {}) });
}
