// Checks whether kcp reaches the webhook: on each shard one dry-run delete of an object that a rule guards, if the caller may delete it (kcp is asked
// first).
import type { V1SelfSubjectAccessReview } from '@kubernetes/client-node';
import type { Wire } from '@dep-ctrl/kcp-client/client-node';
import { isKcpError, listAll, parseVirtualWorkspaceUrl, type Connection, type Stoppable } from '@dep-ctrl/kcp-client';
import { clusterOf, printGroupResource, type GroupVersionResource, type KubeObject, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import { SKIP_ANNOTATION } from '@dep-ctrl/rule-registry';
import { describeFailure } from '@dep-ctrl/command-settings';
import type { InstallationFacts } from '../../installation/facts.js';
import { knownRules } from '../../installation/known-rules.js';
import { providersOf } from '../../installation/providers.js';
import { API_EXPORT_ENDPOINT_SLICES, API_EXPORTS } from '@dep-ctrl/kcp-objects';
import type { NameOf } from './read-rights.js';
import type { RehearsedDelete } from './probes.js';
import { DELETE_MS, outcomeOf } from './rehearsal-outcome.js';

const REVIEWS: GroupVersionResource = { group: 'authorization.k8s.io', version: 'v1', resource: 'selfsubjectaccessreviews' };
// Each takes a handful of requests, and one answer for each shard is enough.
const MOST_PROVIDERS = 5;
const LOOK_AT = 50;

/** An object to delete, but not really. */
interface Subject {
  readonly type: GroupVersionResource;
  readonly cluster: LogicalClusterName;
  readonly object: KubeObject;
}

/** Tries until each shard has answered, or nothing is left to try. */
export async function rehearseDeletes(
  connection: Connection,
  installation: InstallationFacts,
  nameOf: NameOf,
  options: Stoppable,
): Promise<readonly RehearsedDelete[]> {
  const tried = new Map<string, RehearsedDelete>();
  const untried: RehearsedDelete[] = [];
  for (const { cluster, name, type } of guardedTypes(installation)) {
    try {
      for (const url of await endpointsOf(connection, cluster, type, options)) {
        const shard = new URL(url).origin;
        const subject = tried.has(shard) ? undefined : await findSubject(connection, url, type, options);
        if (subject === undefined) continue;
        const rehearsed = await rehearse(connection, subject, { shard, workspace: nameOf(subject.cluster) }, options);
        if (rehearsed.outcome.state === 'not-tried') untried.push(rehearsed);
        else tried.set(shard, rehearsed);
      }
    } catch (error) {
      if (!isKcpError(error) || error.code === 'aborted') throw error;
      const why =
        error.code === 'forbidden' ? `these credentials may not look for an object to try with in ${name}` : describeFailure(error);
      untried.push({
        shard: name,
        object: printGroupResource(type),
        outcome: { state: 'not-tried', because: error.code === 'forbidden' ? 'not-asked' : 'failed', why },
      });
    }
  }
  return [...tried.values(), ...(tried.size === 0 ? untried : [])];
}

/** One type of each workspace whose configuration refuses. */
function guardedTypes(installation: InstallationFacts) {
  const rules = knownRules(installation.shards, installation.paths);
  return providersOf(installation)
    .filter(({ configurationState: { state } }) => state === 'equal' || state === 'differs')
    .flatMap(({ cluster, name }) => {
      const match = rules.guarded(cluster).matches.find(({ rule }) => rule.enforcement === 'Deny');
      if (match === undefined) return [];
      const { group, version, resource } = match.dependency;
      return [{ cluster, name, type: { group, version, resource } }];
    })
    .slice(0, MOST_PROVIDERS);
}

/** The virtual workspaces of the provider's export that serves the type: they show the objects of all consumers. */
async function endpointsOf(
  connection: Connection,
  cluster: LogicalClusterName,
  type: GroupVersionResource,
  options: Stoppable,
): Promise<readonly string[]> {
  const provider = connection.cluster(cluster);
  const [exports, slices] = await Promise.all([
    listAll(provider, API_EXPORTS, {}, options),
    listAll(provider, API_EXPORT_ENDPOINT_SLICES, {}, options),
  ]);
  const serving = new Set(exports.objects.filter((each) => serves(each, type)).map(({ metadata }) => metadata.name));
  const urls = slices.objects
    .filter((slice) => serving.has(exportOf(slice)))
    .flatMap(({ status }) => ((status ?? {}) as { readonly endpoints?: readonly { readonly url: string }[] }).endpoints ?? []);
  return [...new Set(urls.map(({ url }) => url))];
}

function serves({ spec }: KubeObject, { group, resource }: GroupVersionResource): boolean {
  const { resources = [] } = (spec ?? {}) as { readonly resources?: readonly { readonly group?: string; readonly name?: string }[] };
  return resources.some((each) => (each.group ?? '') === group && each.name === resource);
}

function exportOf({ spec }: KubeObject): string | undefined {
  return ((spec ?? {}) as { readonly export?: { readonly name?: string } }).export?.name;
}

async function findSubject(
  connection: Connection,
  url: string,
  type: GroupVersionResource,
  options: Stoppable,
): Promise<Subject | undefined> {
  const endpoint = parseVirtualWorkspaceUrl(url);
  if (!endpoint.ok) return undefined;
  for await (const page of connection.virtualWorkspace(endpoint.value).wildcard().list(type, { limit: LOOK_AT }, options)) {
    for (const object of page.objects()) {
      const cluster = clusterOf(object);
      const { deletionTimestamp, annotations } = object.metadata;
      // For such an object kcp calls another entry, or no webhook.
      const isLeftAlone = deletionTimestamp !== undefined || annotations?.[SKIP_ANNOTATION] === 'true';
      if (cluster.ok && !isLeftAlone) return { type, cluster: cluster.value, object };
    }
    return undefined;
  }
  return undefined;
}

async function rehearse(
  connection: Connection,
  { type, cluster, object }: Subject,
  { shard, workspace }: { readonly shard: string; readonly workspace: string },
  options: Stoppable,
): Promise<RehearsedDelete> {
  const { name = '', namespace, uid } = object.metadata;
  const named = `${printGroupResource(type)}/${name} in ${workspace}`;
  const client = connection.cluster(cluster);
  const ref = { name, ...(namespace === undefined ? {} : { namespace }) };
  const attributes = { verb: 'delete', group: type.group, resource: type.resource, ...ref };
  const review = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    metadata: {},
    spec: { resourceAttributes: attributes },
  } satisfies Wire<V1SelfSubjectAccessReview>;
  try {
    const { status } = await client.create(REVIEWS, review, options);
    if ((status as { readonly allowed?: boolean } | undefined)?.allowed !== true) {
      return {
        shard,
        object: named,
        outcome: { state: 'not-tried', because: 'not-asked', why: `these credentials may not delete ${named}` },
      };
    }
    await client.delete(type, ref, {
      ...options,
      timeoutMs: DELETE_MS,
      dryRun: true,
      ...(uid === undefined ? {} : { preconditions: { uid } }),
    });
    return { shard, object: named, outcome: { state: 'asked' } };
  } catch (error) {
    if (!isKcpError(error) || error.code === 'aborted') throw error;
    return { shard, object: named, outcome: outcomeOf(error) };
  }
}
