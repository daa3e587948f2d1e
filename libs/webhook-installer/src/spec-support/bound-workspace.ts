// A kcp with an export that claims webhook configurations, and a workspace that binds it, for specs.
import { EmbeddedKcp } from '@dep-ctrl/embedded-kcp';
import { clusterOf, workspacePath, type GroupVersionResource, type KubeObject, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import { Connection, isKcpError, listAll, parseVirtualWorkspaceUrl, systemClock, type ClusterClient } from '@dep-ctrl/kcp-client';
import type { BoundExport } from '../claim.js';
import { WEBHOOK_CONFIGURATIONS } from '../webhook-configuration.js';

const WORKSPACES: GroupVersionResource = { group: 'tenancy.kcp.io', version: 'v1alpha1', resource: 'workspaces' };
const EXPORTS: GroupVersionResource = { group: 'apis.kcp.io', version: 'v1alpha2', resource: 'apiexports' };
const BINDINGS: GroupVersionResource = { group: 'apis.kcp.io', version: 'v1alpha2', resource: 'apibindings' };
const SLICES: GroupVersionResource = { group: 'apis.kcp.io', version: 'v1alpha1', resource: 'apiexportendpointslices' };
const EXPORT = 'guards.example.com';
const VERBS = ['get', 'list', 'watch', 'create', 'update', 'delete'];

/** How the workspace answers the claim. */
export type Answer = 'Accepted' | 'Rejected' | 'unbound';

/** A workspace: `behind` is it through the export's virtual workspace, `inside` is itself. */
export interface BoundWorkspace {
  readonly cluster: LogicalClusterName;
  readonly behind: ClusterClient;
  readonly inside: ClusterClient;
}

/** One running kcp. */
export interface BoundWorld {
  readonly kcp: EmbeddedKcp;
  readonly boundExport: BoundExport;
  /** Makes another workspace that answers the claim. */
  readonly workspace: (name: string, answer?: Answer) => Promise<BoundWorkspace>;
  /** Deletes the export with its workspace and makes both anew; answers the same bound workspace as the new export sees it. */
  readonly makeAnew: (workspace: BoundWorkspace) => Promise<ClusterClient>;
  /** Answers the claim of a workspace anew. */
  readonly answer: (inside: ClusterClient, answer: Exclude<Answer, 'unbound'>) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Starts a kcp with an export in `root:owner` and a first binding, so that the virtual workspace is served. */
export async function startBoundWorld(): Promise<BoundWorld> {
  const kcp = await EmbeddedKcp.start({ delays: 'fast' });
  const admin = new Connection({ server: kcp.baseUrl, credentials: { ca: kcp.ca, token: kcp.token('kcp-admin', ['system:kcp:admin']) } });
  const signal = AbortSignal.timeout(300_000);
  const root = admin.cluster(workspacePath('root'));
  const ownerCluster = await makeWorkspace(root, 'owner', signal);
  const owner = admin.cluster(workspacePath('root:owner'));
  await owner.create(EXPORTS, apiExport(), { signal });
  const workspace = async (name: string, answer: Answer = 'Accepted') => {
    const cluster = await makeWorkspace(root, name, signal);
    const inside = admin.cluster(cluster);
    if (answer !== 'unbound') {
      await untilIt(() => inside.create(BINDINGS, binding(answer), { signal }), signal);
      await until(async () => isBound(await inside.get(BINDINGS, { name: 'guards' }, { signal })), signal);
    }
    const url = await until(() => endpointOf(owner, signal), signal);
    return { cluster, inside, behind: admin.virtualWorkspace(url).cluster(cluster) };
  };
  const { behind } = await workspace('first');
  await untilIt(async () => {
    await listAll(behind, WEBHOOK_CONFIGURATIONS, {}, { signal });
  }, signal);
  return {
    kcp,
    boundExport: { cluster: ownerCluster, name: EXPORT },
    workspace,
    makeAnew: async ({ cluster }) => {
      await root.delete(WORKSPACES, { name: 'owner' }, { signal });
      await until(() => isGone(root, signal), signal);
      await makeWorkspace(root, 'owner', signal);
      await untilIt(() => owner.create(EXPORTS, apiExport(), { signal }), signal);
      const url = await untilIt(() => until(() => endpointOf(owner, signal), signal), signal);
      return admin.virtualWorkspace(url).cluster(cluster);
    },
    answer: async (inside, answer) => {
      const { permissionClaims } = binding(answer).spec;
      await inside.patch(BINDINGS, { name: 'guards' }, { kind: 'merge', body: { spec: { permissionClaims } } }, { signal });
    },
    stop: async () => {
      await admin.close();
      await kcp.stop();
    },
  };
}

/** Looks until there is something. */
export async function until<T>(look: () => Promise<T | undefined>, signal: AbortSignal): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await systemClock.sleep(10, { signal });
  }
}

/** Tries until kcp no longer refuses: what was just made takes a moment to be known everywhere. */
async function untilIt<T>(attempt: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const [result] = await until(async () => {
    try {
      return [await attempt()] as const;
    } catch (error) {
      if (isKcpError(error, 'forbidden', 'not-found', 'not-served', 'throttled')) return undefined;
      throw error;
    }
  }, signal);
  return result;
}

async function makeWorkspace(root: ClusterClient, name: string, signal: AbortSignal): Promise<LogicalClusterName> {
  const spec = { type: { name: 'universal', path: 'root' } };
  await root.create(WORKSPACES, { apiVersion: 'tenancy.kcp.io/v1alpha1', kind: 'Workspace', metadata: { name }, spec }, { signal });
  return until(async () => {
    const { spec: stored, status } = await root.get(WORKSPACES, { name }, { signal });
    const isReady = (status as { readonly phase?: string } | undefined)?.phase === 'Ready';
    return isReady ? ((stored as { readonly cluster: string }).cluster as LogicalClusterName) : undefined;
  }, signal);
}

async function isGone(root: ClusterClient, signal: AbortSignal): Promise<true | undefined> {
  const { objects } = await listAll(root, WORKSPACES, {}, { signal });
  return objects.some(({ metadata }) => metadata.name === 'owner') ? undefined : true;
}

function isBound({ status }: KubeObject): true | undefined {
  return (status as { readonly phase?: string } | undefined)?.phase === 'Bound' ? true : undefined;
}

async function endpointOf(owner: ClusterClient, signal: AbortSignal) {
  const cluster = await owner.get(SLICES, { name: EXPORT }, { signal });
  if (!clusterOf(cluster).ok) return undefined;
  const [endpoint] = (cluster['status'] as { readonly endpoints?: readonly { readonly url: string }[] } | undefined)?.endpoints ?? [];
  const url = parseVirtualWorkspaceUrl(endpoint?.url ?? '');
  return url.ok ? url.value : undefined;
}

function apiExport(): KubeObject {
  const claim = { group: WEBHOOK_CONFIGURATIONS.group, resource: WEBHOOK_CONFIGURATIONS.resource, verbs: VERBS };
  return { apiVersion: 'apis.kcp.io/v1alpha2', kind: 'APIExport', metadata: { name: EXPORT }, spec: { permissionClaims: [claim] } };
}

function binding(state: 'Accepted' | 'Rejected') {
  const { group, resource } = WEBHOOK_CONFIGURATIONS;
  return {
    apiVersion: 'apis.kcp.io/v1alpha2',
    kind: 'APIBinding',
    metadata: { name: 'guards' },
    spec: {
      reference: { export: { path: 'root:owner', name: EXPORT } },
      permissionClaims: [{ group, resource, verbs: VERBS, selector: { matchAll: true }, state }],
    },
  };
}
