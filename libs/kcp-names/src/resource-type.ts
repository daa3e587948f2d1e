/** A resource without its version: what rules, bindings and admission compare. `group` is empty for the core group. */
export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

/** A resource in one of its versions: what a request names. */
export interface GroupVersionResource extends GroupResource {
  readonly version: string;
}

/**
 * One string per group and resource, different for different pairs: a slash can be in neither part, a dot can be in both
 * (`a` + `b.c` and `a.b` + `c` must not meet).
 */
export function groupResourceKey({ group, resource }: GroupResource): string {
  return `${group}/${resource}`;
}

/** One string per group, version and resource. */
export function groupVersionResourceKey({ group, version, resource }: GroupVersionResource): string {
  return `${group}/${version}/${resource}`;
}

/** For people: `vpcs.network.example.com`, `configmaps`. */
export function printGroupResource({ group, resource }: GroupResource): string {
  return group === '' ? resource : `${resource}.${group}`;
}

/** `apiVersion` of a group and version: `v1`, `network.example.com/v1alpha1`. */
export function apiVersionOf({ group, version }: { readonly group: string; readonly version: string }): string {
  return group === '' ? version : `${group}/${version}`;
}
