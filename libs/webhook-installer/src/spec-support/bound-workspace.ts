// A kcp with an export that claims webhook configurations, and a workspace that binds it, for specs.
import type { EmbeddedKcp } from '@dep-ctrl/embedded-kcp';
import { eventually, TestKcp, type WorkspaceSetup } from '@dep-ctrl/embedded-kcp/testing';
import { parseLogicalClusterName, parseWorkspacePath, type GroupVersionResource, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import { Connection, listAll, parseVirtualWorkspaceUrl, systemClock, type ClusterClient } from '@dep-ctrl/kcp-client';
import type { BoundExport } from '../claim.js';
import { WEBHOOK_CONFIGURATIONS } from '../webhook-configuration.js';

const WORKSPACES: GroupVersionResource = { group: 'tenancy.kcp.io', version: 'v1alpha1', resource: 'workspaces' };
const BINDINGS: GroupVersionResource = { group: 'apis.kcp.io', version: 'v1alpha2', resource: 'apibindings' };
const EXPORT = 'guards.example.com';
const EXPORTED = `root:owner:${EXPORT}`;
const CLAIM = {
  group: WEBHOOK_CONFIGURATIONS.group,
  resource: WEBHOOK_CONFIGURATIONS.resource,
  verbs: ['get', 'list', 'watch', 'create', 'update', 'delete'],
};
const OWNER: WorkspaceSetup = { exports: { [EXPORT]: { claims: [CLAIM] } } };

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
  const kcp = await TestKcp.start({ workspaces: { 'root:owner': OWNER, 'root:first': { binds: [EXPORTED] } } });
  const admin = new Connection(kcp.access());
  const options = { signal: AbortSignal.timeout(300_000) };
  const clusterOf = (path: string): LogicalClusterName => value(parseLogicalClusterName(kcp.workspace(path).cluster));
  const root = admin.cluster(value(parseWorkspacePath('root')));
  const behind = (cluster: LogicalClusterName): Promise<ClusterClient> =>
    eventually('the export has an endpoint', async () => {
      const [url = ''] = await kcp.endpoints(EXPORTED);
      return admin.virtualWorkspace(value(parseVirtualWorkspaceUrl(url))).cluster(cluster);
    });
  return {
    kcp: kcp.server,
    boundExport: { cluster: clusterOf('root:owner'), name: EXPORT },
    workspace: async (name, claims = 'Accepted') => {
      const path = `root:${name}`;
      await kcp.add({ workspaces: { [path]: { binds: claims === 'unbound' ? [] : [{ export: EXPORTED, name: 'guards', claims }] } } });
      const cluster = clusterOf(path);
      return { cluster, inside: admin.cluster(cluster), behind: await behind(cluster) };
    },
    makeAnew: async ({ cluster }) => {
      await root.delete(WORKSPACES, { name: 'owner' }, options);
      await eventually('the workspace of the export is gone', async () => {
        const { objects } = await listAll(root, WORKSPACES, {}, options);
        if (objects.some(({ metadata }) => metadata.name === 'owner')) throw new Error('it is there');
      });
      await kcp.add({ workspaces: { 'root:owner': OWNER } });
      return behind(cluster);
    },
    answer: async (inside, state) => {
      const permissionClaims = [{ ...CLAIM, selector: { matchAll: true }, state }];
      await inside.patch(BINDINGS, { name: 'guards' }, { kind: 'merge', body: { spec: { permissionClaims } } }, options);
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

function value<T>(parsed: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string }): T {
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
}
