// Facts of an installation where all is well, for tables of what is not.
import type { KubeObject, LogicalClusterName } from '@dep-ctrl/kcp-names';
import { logicalCluster } from '@dep-ctrl/kcp-names';
import { apiExport, apiResourceSchemas, EXPORT_NAME, PERMISSION_CLAIM } from '@dep-ctrl/rule-registry';
import { homeManifests } from '../../bootstrap/manifests.js';
import { DEV_PATHS } from '../../dev/dev-paths.js';
import { vmDependencies } from '../../dev/provider-manifests.js';
import type { Facts, InstallationFacts, ServerFacts, ShardFacts } from '../../installation/facts.js';
import type { Reading } from '../../installation/reading.js';
import { doctorFacts, type DoctorFacts } from '../precondition.js';
import { NO_PROBES } from '../probes/probes.js';

/** Noon of a day. */
export const NOW_MS = Date.parse('2026-11-23T12:00:00Z');

/** The name of a logical cluster that a spec spells out. */
export function clusterNamed(text: string): LogicalClusterName {
  return logicalCluster(text);
}

/** The logical cluster of dep-ctrl. */
export const HOME = clusterNamed('home');
const COMPUTE = clusterNamed('compute');

// Once: their names are made of hashes, and tables have many rows.
const EXPORTED: KubeObject = { ...apiExport(), status: { identityHash: 'abc' } };
const SCHEMA_NAMES: ReadonlySet<string> = new Set(apiResourceSchemas().map(({ metadata }) => metadata.name ?? ''));

/** Something that was read. */
export function read<T>(value: T): Reading<T> {
  return { state: 'read', value };
}

/** A server that answers as it should. */
export function server(changes: Partial<ServerFacts> = {}): ServerFacts {
  const certificate = {
    names: 'DNS:kcp.example.com',
    issuer: 'CN=kcp',
    validFromMs: NOW_MS - 86_400_000,
    validToMs: NOW_MS + 90 * 86_400_000,
    isForHost: true,
    isTrusted: true,
  };
  const peek = { state: 'answered', status: 200, skewMs: 0, certificate } as const;
  return { baseUrl: 'https://kcp.example.com:6443', peek, version: read('v1.33.3+kcp-v0.32.3'), ...changes };
}

/** A binding to dep-ctrl, in the workspace of a provider. */
export function binding(changes: { readonly metadata?: object; readonly status?: object } = {}): KubeObject {
  const claims = [{ ...PERMISSION_CLAIM, selector: { matchAll: true } }];
  return {
    apiVersion: 'apis.kcp.io/v1alpha2',
    kind: 'APIBinding',
    metadata: {
      name: EXPORT_NAME,
      annotations: { 'kcp.io/cluster': COMPUTE, 'kcp.io/path': DEV_PATHS.compute },
      ...changes.metadata,
    },
    spec: {
      reference: { export: { path: DEV_PATHS.depCtrl, name: EXPORT_NAME } },
      permissionClaims: claims.map((claim) => ({ ...claim, state: 'Accepted' })),
    },
    status: { phase: 'Bound', apiExportClusterName: HOME, exportPermissionClaims: claims, ...changes.status },
  };
}

/** A rule that the controller has looked at. */
export function rule(changes: { readonly spec?: object; readonly status?: object } = {}): KubeObject {
  const { metadata, spec, ...manifest } = vmDependencies(DEV_PATHS.network);
  return {
    ...manifest,
    metadata: {
      ...metadata,
      uid: 'u',
      generation: 2,
      creationTimestamp: '2026-11-23T11:00:00Z',
      annotations: { 'kcp.io/cluster': COMPUTE },
    },
    spec: { ...(spec as object), ...changes.spec },
    status: { observedGeneration: 2, conditions: [ready('True', 'Installed')], ...changes.status },
  };
}

/** The condition that sums up. */
export function ready(status: 'True' | 'False', reason: string) {
  return { type: 'Ready', status, reason, message: 'so it is', lastTransitionTime: '2026-11-23T11:00:00Z' };
}

/** The one shard. */
export function shard(changes: Partial<ShardFacts> = {}): ShardFacts {
  return {
    url: 'https://shard.example.com:6443/services/apiexport/home/dependencies.opendefense.cloud',
    server: server({ baseUrl: 'https://shard.example.com:6443' }),
    bindings: read([binding()]),
    rules: read([rule()]),
    guards: read([]),
    configurations: read([]),
    ...changes,
  };
}

/** What was read of the installation. */
export function installation(
  changes: Partial<Omit<InstallationFacts, 'home'>> & { readonly home?: Partial<InstallationFacts['home']> } = {},
): InstallationFacts {
  const subjects = [{ kind: 'User', name: 'operator' } as const];
  const rights = homeManifests({ controller: subjects, webhook: subjects, ownSecrets: [] });
  const home: InstallationFacts['home'] = {
    path: DEV_PATHS.depCtrl,
    presence: { state: 'found', cluster: HOME },
    apiExport: read(EXPORTED),
    schemas: read(SCHEMA_NAMES),
    slice: read({ metadata: { name: EXPORT_NAME } }),
    lease: read(undefined),
    rights: read(new Map(rights.map((each) => [`${each.kind ?? ''}/${each.metadata.name ?? ''}`, each]))),
    secrets: read(
      rights.flatMap(({ kind, metadata }) => (kind === 'Secret' ? [{ name: metadata.name ?? '', type: 'Opaque', isFilled: false }] : [])),
    ),
    protection: read(new Map()),
    teardownType: read(undefined),
    dying: read([]),
    admission: { state: 'unread', what: 'the configuration', because: 'not-asked', why: 'of no matter here' },
  };
  return {
    shards: [shard()],
    paths: new Map([[DEV_PATHS.compute, COMPUTE]]),
    webhooks: [],
    ...changes,
    home: { ...home, ...changes.home },
  };
}

/** All facts. */
export function facts(changes: Partial<Facts & Pick<DoctorFacts, 'probes'>> = {}): DoctorFacts {
  const access = { baseUrl: 'https://kcp.example.com:6443', workspace: DEV_PATHS.depCtrl, flags: [] };
  const { probes = NO_PROBES, ...others } = changes;
  return doctorFacts({ nowMs: NOW_MS, server: server(), installation: installation(), ...others }, access, probes);
}
