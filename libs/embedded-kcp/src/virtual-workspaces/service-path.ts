/** The parts of a virtual workspace's URL: `/services/KIND/…/clusters/TARGET/REST`. */
export interface ServicePath {
  readonly kind: string;
  /** What stands between the kind and the cluster: exporter and export, or an initializer. */
  readonly subject: readonly string[];
  /** `*` or one logical cluster name. */
  readonly target: string;
  readonly rest: string;
}

const TARGET = /^(?:\*|[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)$/;

/** Reads a path below /services, or undefined where it leads to no virtual workspace: no cluster, or a workspace path instead of a name. */
export function readServicePath(path: string): ServicePath | undefined {
  const [, , kind = '', ...parts] = path.split('/');
  const at = parts.indexOf('clusters');
  const target = parts[at + 1];
  if (at < 1 || target === undefined || !TARGET.test(target)) return undefined;
  return { kind, subject: parts.slice(0, at), target, rest: `/${parts.slice(at + 2).join('/')}` };
}
