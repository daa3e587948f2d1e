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

/** Reads a reference; a missing path is the given one. */
export function readTypeReference(value: unknown, path = ''): TypeReference {
  return { path: stringAt(value, 'path') ?? path, name: stringAt(value, 'name') ?? '' };
}

/** A type and everything that it extends, itself first, each once. Types that cannot be found are left out. */
export function typeClosure(type: StoredObject, find: FindType): readonly StoredObject[] {
  const seen = new Map<string, StoredObject>();
  const visit = (one: StoredObject): void => {
    const key = initializerOf(one);
    if (seen.has(key)) return;
    seen.set(key, one);
    for (const reference of arrayAt(one.object, 'spec', 'extend', 'with')) {
      const found = find(readTypeReference(reference, one.cluster));
      if (found !== undefined) visit(found);
    }
  };
  visit(type);
  return [...seen.values()];
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
      path: stringAt(one, 'path') ?? type.object.metadata.annotations?.[PATH_ANNOTATION] ?? type.cluster,
      export: stringAt(one, 'export') ?? '',
    })),
  );
  return [...new Map(all.map((one) => [`${one.path}:${one.export}`, one])).values()];
}

/** Labels that a closure puts on its workspaces. */
export function additionalLabelsOf(closure: readonly StoredObject[]): Readonly<Record<string, unknown>> {
  return Object.assign({}, ...closure.map(({ object }) => recordAt(object, 'spec', 'additionalWorkspaceLabels'))) as Record<
    string,
    unknown
  >;
}

/** Whether a limit (limitAllowedChildren, limitAllowedParents) admits any type of a closure. */
export function limitAdmits(limit: unknown, closure: readonly StoredObject[], find: FindType): boolean {
  if (limit === undefined) return true;
  if (valueAt(limit, 'none') === true) return false;
  const types = arrayAt(limit, 'types');
  if (types.length === 0) return true;
  const allowed = types.map((one) => find(readTypeReference(one))).map((one) => (one === undefined ? '' : initializerOf(one)));
  return closure.some((one) => allowed.includes(initializerOf(one)));
}
