// Discovery of the resources of a cluster: /api, /apis, one group, one version, and the aggregated lists.
import { apiVersionOf } from '@dep-ctrl/kcp-names';
import { createHash } from 'node:crypto';
import type { Verb } from '../../http/request-info.js';
import type { ResourceDefinition, ResourceVersion } from './resource-definition.js';

type Json = Readonly<Record<string, unknown>>;

const STATUS_VERBS: readonly Verb[] = ['get', 'patch', 'update'];

/** /api */
export function apiVersions(serverAddress: string): Json {
  return { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }] };
}

/** /apis */
export function apiGroupList(definitions: readonly ResourceDefinition[]): Json {
  const names = [...new Set(definitions.map(({ group }) => group))].filter((group) => group !== '').sort();
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: names.map((name) => groupBody(definitions, name)) };
}

/** /apis/GROUP, or undefined when nothing is served there. */
export function apiGroup(definitions: readonly ResourceDefinition[], name: string): Json | undefined {
  if (!definitions.some(({ group }) => group === name)) return undefined;
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupBody(definitions, name) };
}

/** /api/v1 and /apis/GROUP/VERSION. Unknown groups have an empty list, as in kcp. */
export function apiResourceList(definitions: readonly ResourceDefinition[], group: string, version: string): Json {
  return {
    kind: 'APIResourceList',
    ...(group === '' ? {} : { apiVersion: 'v1' }),
    groupVersion: apiVersionOf({ group, version }),
    resources: inVersion(definitions, group, version).flatMap(([definition, served]) => resourceEntries(definition, served)),
  };
}

/** Whether a version of the core group exists. */
export function hasVersion(definitions: readonly ResourceDefinition[], group: string, version: string): boolean {
  return inVersion(definitions, group, version).length > 0;
}

/** The aggregated form of /api (core group) or /apis (all others). */
export function aggregated(definitions: readonly ResourceDefinition[], core: boolean): Json {
  const groups = [...new Set(definitions.map(({ group }) => group))].filter((group) => (group === '') === core).sort();
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: groups.map((group) => ({
      metadata: { name: core ? null : group, creationTimestamp: null },
      versions: versionsOf(definitions, group).map((version) => ({
        version,
        freshness: 'Current',
        resources: inVersion(definitions, group, version).map(([definition, served]) => aggregatedEntry(definition, served)),
      })),
    })),
  };
}

function groupBody(definitions: readonly ResourceDefinition[], name: string): Json {
  const versions = versionsOf(definitions, name).map((version) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions, preferredVersion: versions[0] };
}

/** The versions of a group, preferred first: v2 before v1, v1 before v1beta1 before v1alpha1. */
export function versionsOf(definitions: readonly ResourceDefinition[], group: string): readonly string[] {
  const names = definitions.filter((definition) => definition.group === group).flatMap(({ versions }) => versions.map(({ name }) => name));
  return [...new Set(names)].sort(byPriority);
}

const STAGES: Readonly<Record<string, number>> = { alpha: 1, beta: 2 };

/** Kubernetes' order of versions, preferred first. */
export function byPriority(a: string, b: string): number {
  const [left, right] = [rank(a), rank(b)];
  for (let index = 0; index < left.length; index += 1) {
    const difference = (right[index] ?? 0) - (left[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return a < b ? -1 : a > b ? 1 : 0;
}

function rank(version: string): readonly number[] {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
  if (match === null) return [0, 0, 0, 0];
  return [1, STAGES[match[2] ?? ''] ?? 3, Number(match[1]), Number(match[3] ?? '0')];
}

function inVersion(
  definitions: readonly ResourceDefinition[],
  group: string,
  version: string,
): readonly (readonly [ResourceDefinition, ResourceVersion])[] {
  return definitions
    .filter((definition) => definition.group === group)
    .flatMap((definition) => definition.versions.filter(({ name }) => name === version).map((served) => [definition, served] as const))
    .sort(([a], [b]) => (a.resource < b.resource ? -1 : 1));
}

function resourceEntries(definition: ResourceDefinition, version: ResourceVersion): readonly Json[] {
  const { resource, singular, namespaced, kind, verbs, shortNames, categories, subresources } = definition;
  const isStored = verbs.includes('get');
  const main = {
    name: resource,
    singularName: singular,
    namespaced,
    kind,
    verbs,
    ...(shortNames === undefined ? {} : { shortNames }),
    ...(categories === undefined ? {} : { categories }),
    ...(isStored ? { storageVersionHash: storageVersionHash(definition) } : {}),
  };
  const status = version.hasStatus ? [{ name: `${resource}/status`, singularName: '', namespaced, kind, verbs: STATUS_VERBS }] : [];
  const others = (subresources ?? []).map((sub) => ({
    name: `${resource}/${sub.name}`,
    singularName: '',
    namespaced,
    ...(sub.group === undefined ? {} : { group: sub.group }),
    ...(sub.version === undefined ? {} : { version: sub.version }),
    kind: sub.kind,
    verbs: sub.verbs,
  }));
  return [main, ...others, ...status];
}

function aggregatedEntry(definition: ResourceDefinition, version: ResourceVersion): Json {
  const { resource, singular, namespaced, kind, verbs, shortNames, categories, subresources, group } = definition;
  const responseKind = { group, version: version.name, kind };
  const status = version.hasStatus ? [{ subresource: 'status', responseKind, verbs: STATUS_VERBS }] : [];
  const others = (subresources ?? []).map((sub) => ({
    subresource: sub.name,
    responseKind: { group: sub.group ?? group, version: sub.version ?? version.name, kind: sub.kind },
    verbs: sub.verbs,
  }));
  return {
    resource,
    responseKind,
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs,
    ...(shortNames === undefined ? {} : { shortNames }),
    ...(categories === undefined ? {} : { categories }),
    ...(status.length + others.length === 0 ? {} : { subresources: [...others, ...status] }),
  };
}

// Opaque to clients: it only has to change with the stored type.
function storageVersionHash({ group, storageVersion, kind }: ResourceDefinition): string {
  return createHash('sha256').update(`${group}/${storageVersion}/${kind}`).digest().subarray(0, 8).toString('base64');
}
