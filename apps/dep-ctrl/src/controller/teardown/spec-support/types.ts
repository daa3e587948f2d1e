// Types of a workspace and rules between them, as specs write them: `exporter/resource`.
import type { BoundType } from '@dep-ctrl/exported-types';
import { CLUSTER_ANNOTATION, logicalCluster, workspacePath, type KubeObject } from '@dep-ctrl/kcp-names';
import {
  createRegistry,
  GUARDS,
  GUARD_NAME,
  parseGuard,
  reportRule,
  RULES,
  type RegistryReader,
  type RegistryWriter,
} from '@dep-ctrl/rule-registry';

const VERSION = 'v1';
const ENDPOINT = 'https://kcp.example.com/services/apiexport/abc/dependencies.opendefense.cloud';

/** A type, written as `exporter/resource`; its group is one for all. */
export function typeOf(text: string): BoundType {
  const [exporter = '', resource = ''] = text.split('/');
  return { group: 'g.example.com', resource, exporter: logicalCluster(exporter), versions: [VERSION] };
}

/** The same the other way round. */
export function textOf({ exporter, resource }: BoundType): string {
  return `${exporter}/${resource}`;
}

/** A rule in the workspace of its author: `author/resource > path/resource`. */
export interface WrittenRule {
  readonly author: string;
  readonly dependent: string;
  readonly path: string;
  readonly dependency: string;
}

/** A rule, written as `author/resource > path/resource`. */
export function ruleOf(text: string): WrittenRule {
  const [from = '', to = ''] = text.split(' > ');
  const [author = '', dependent = ''] = from.split('/');
  const [path = '', dependency = ''] = to.split('/');
  return { author, dependent, path, dependency };
}

/** What a registry was told. */
export interface Told {
  readonly rules: readonly WrittenRule[];
  /** By path, the cluster or that it is `missing`; a path that is not here is not resolved. */
  readonly paths: Readonly<Record<string, string>>;
  /** Whom the guard of a cluster admits, by path; others admit everybody. */
  readonly consents?: Readonly<Record<string, readonly string[]>>;
  /** The workspaces that bind dep-ctrl, as far as the endpoint has listed. */
  readonly listed?: boolean;
}

/** A registry that was told this. */
export function registryOf({ rules, paths, consents = {}, listed = true }: Told): RegistryReader {
  const { reader, writer } = createRegistry();
  writer.endpointsRead([ENDPOINT]);
  if (!listed) return reader;
  const resolved = Object.entries(paths).map(
    ([path, cluster]) => [path, cluster === 'missing' ? cluster : logicalCluster(cluster)] as const,
  );
  const clusters = new Set([
    ...rules.map(({ author }) => author),
    ...resolved.flatMap(([, cluster]) => (cluster === 'missing' ? [] : [cluster])),
  ]);
  writer.workspacesListed(
    ENDPOINT,
    [...clusters].map((name) => logicalCluster(name)),
  );
  for (const [path, cluster] of resolved) writer.pathResolved(workspacePath(path), cluster);
  tellGuards(writer, consents);
  writer.rulesListed(
    ENDPOINT,
    rules.map((rule, index) => reportRule(logicalCluster(rule.author), ruleObject(rule, index))),
  );
  return reader;
}

function tellGuards(writer: RegistryWriter, consents: Readonly<Record<string, readonly string[]>>): void {
  const guards = Object.entries(consents).map(([cluster, allowRulesFrom]) => {
    const metadata = { name: GUARD_NAME, uid: cluster, generation: 1, annotations: { [CLUSTER_ANNOTATION]: cluster } };
    const guard = parseGuard({
      apiVersion: `${GUARDS.group}/${GUARDS.version}`,
      kind: 'DependencyGuard',
      metadata,
      spec: { allowRulesFrom },
    });
    if (!guard.ok) throw new Error(guard.problem.map(({ message }) => message).join());
    return guard.value;
  });
  writer.guardsListed(ENDPOINT, guards);
}

function ruleObject({ author, dependent, path, dependency }: WrittenRule, index: number): KubeObject {
  const group = 'g.example.com';
  return {
    apiVersion: `${RULES.group}/${RULES.version}`,
    kind: 'DependencyRule',
    metadata: {
      name: `rule-${index}`,
      uid: `u-${index}`,
      generation: 1,
      creationTimestamp: '2026-01-01T00:00:00Z',
      annotations: { [CLUSTER_ANNOTATION]: author },
    },
    spec: {
      dependent: { apiExportName: 'e', group, version: VERSION, kind: 'Kind', resource: dependent },
      dependencies: [{ apiExportRef: { path, name: 'e' }, group, version: VERSION, resource: dependency, fieldRef: { path: '.spec.ref' } }],
    },
  };
}
