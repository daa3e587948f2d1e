// Workspace types: those of root, and the sum of a type and all types that it extends.
import { PATH_ANNOTATION } from '@dep-ctrl/kcp-names';
import { arrayAt, recordAt, stringAt, valueAt, type JsonRecord } from '../../json/json.js';
import type { StoredObject } from '../../storage/stored-object.js';

const universal = { name: 'universal', path: 'root' };
const extend = { with: [universal] };

/** The types of root. */
export const BOOTSTRAP_TYPES: readonly { readonly name: string; readonly spec: JsonRecord }[] = [
  {
    name: 'root',
    spec: { extend, limitAllowedParents: { none: true }, defaultChildWorkspaceType: { name: 'organization', path: 'root' } },
  },
  {
    name: 'universal',
    spec: {
      initializer: true,
      defaultChildWorkspaceType: universal,
      defaultAPIBindings: [
        { export: 'tenancy.kcp.io', path: 'root' },
        { export: 'topology.kcp.io', path: 'root' },
      ],
    },
  },
  { name: 'home', spec: { extend, limitAllowedParents: { none: true }, defaultChildWorkspaceType: universal } },
  {
    name: 'organization',
    spec: {
      extend,
      limitAllowedParents: { types: [{ name: 'root', path: 'root' }] },
      limitAllowedChildren: { types: [universal] },
      defaultChildWorkspaceType: universal,
    },
  },
  {
    name: 'team',
    spec: {
      extend,
      limitAllowedParents: {
        types: [
          { name: 'organization', path: 'root' },
          { name: 'team', path: 'root' },
        ],
      },
      defaultChildWorkspaceType: universal,
    },
  },
];

/** A reference to a type. */
export interface TypeReference {
  readonly path: string;
  readonly name: string;
}

/** Finds a type by reference. */
export type FindType = (reference: TypeReference) => StoredObject | undefined;

/** Reads a reference; the path may be missing. */
export function readTypeReference(value: unknown): TypeReference {
  return { path: stringAt(value, 'path') ?? '', name: stringAt(value, 'name') ?? '' };
}

/** Finds a type by reference; without a path in the workspace at the given path and those above, nearest first, at last in root. */
export function resolveType(reference: TypeReference, from: string, find: FindType): StoredObject | undefined {
  if (reference.path !== '') return find(reference);
  const segments = from.split(':');
  for (let length = segments.length; length > 0; length -= 1) {
    const found = find({ path: segments.slice(0, length).join(':'), name: reference.name });
    if (found !== undefined) return found;
  }
  return find({ path: 'root', name: reference.name });
}

/** The path under which a type is named. */
export function canonicalPath(type: StoredObject): string {
  return type.object.metadata.annotations?.[PATH_ANNOTATION] ?? type.cluster;
}

/** Its path and name. */
export function qualifiedName(type: StoredObject): string {
  return `${canonicalPath(type)}:${type.name}`;
}

/** A type that extends one that is not there, or itself. */
export class BrokenType extends Error {}

/** Everything that a type extends, each once and in that order, then the type. */
export function typeClosure(type: StoredObject, find: FindType): readonly StoredObject[] {
  const seen = new Set<string>();
  const extendedBy = (one: StoredObject, above: readonly string[]): readonly StoredObject[] => {
    const path = [...above, qualifiedName(one)];
    seen.add(qualifiedName(one));
    return arrayAt(one.object, 'spec', 'extend', 'with').flatMap((value) => {
      const reference = readTypeReference(value);
      const found = resolveType(reference, canonicalPath(one), find);
      if (found === undefined) throw new BrokenType(`unable to find inherited workspace type ${reference.name}`);
      const name = qualifiedName(found);
      const ring = path.includes(name) ? path.slice(path.indexOf(name)) : undefined;
      if (ring !== undefined) throw new BrokenType(`circular dependency detected in workspace type ${name}: ${ring.join(' -> ')}`);
      return seen.has(name) ? [] : [found, ...extendedBy(found, path)];
    });
  };
  return [...extendedBy(type, []), type];
}

/** The name of a type's initializer and terminator: the cluster's name, not its path. */
export function initializerOf({ cluster, name }: Pick<StoredObject, 'cluster' | 'name'>): string {
  return `${cluster}:${name}`;
}

/** The initializer that waits for the default bindings. */
export const BINDINGS_INITIALIZER = 'system:apibindings';

/** The initializers of a closure. */
export function initializersOf(closure: readonly StoredObject[]): readonly string[] {
  const own = closure.filter(({ object }) => valueAt(object, 'spec', 'initializer') === true).map(initializerOf);
  return defaultBindingsOf(closure).length > 0 ? [...own, BINDINGS_INITIALIZER] : own;
}

/** The terminators of a closure. */
export function terminatorsOf(closure: readonly StoredObject[]): readonly string[] {
  return closure.filter(({ object }) => valueAt(object, 'spec', 'terminator') === true).map(initializerOf);
}

/** The exports that a workspace binds from the start. */
export function defaultBindingsOf(closure: readonly StoredObject[]): readonly { readonly path: string; readonly export: string }[] {
  const all = closure.flatMap((type) =>
    arrayAt(type.object, 'spec', 'defaultAPIBindings').map((one) => ({
      path: stringAt(one, 'path') ?? canonicalPath(type),
      export: stringAt(one, 'export') ?? '',
    })),
  );
  return [...new Map(all.map((one) => [`${one.path}:${one.export}`, one])).values()];
}

/** Labels that a type puts on its workspaces. */
export function additionalLabelsOf({ object }: StoredObject): Readonly<Record<string, string>> {
  return recordAt(object, 'spec', 'additionalWorkspaceLabels') as Readonly<Record<string, string>>;
}
