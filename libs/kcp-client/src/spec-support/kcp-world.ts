import { setTimeout as pause } from 'node:timers/promises';
import { splitWorkspacePath, workspacePath, type GroupVersionResource, type KubeObject } from '@dep-ctrl/kcp-names';
import { Connection, isKcpError, type ClusterClient } from '../index.js';
import { loadKubeconfig } from '../kubeconfig/index.js';

/** The type that these specs export and bind. */
export const VPCS: GroupVersionResource = { group: 'network.example.com', version: 'v1', resource: 'vpcs' };
export const EXPORT_NAME = 'network.example.com';
export const BINDINGS: GroupVersionResource = { group: 'apis.kcp.io', version: 'v1alpha2', resource: 'apibindings' };
const SLICES: GroupVersionResource = { group: 'apis.kcp.io', version: 'v1alpha1', resource: 'apiexportendpointslices' };
const WORKSPACES: GroupVersionResource = { group: 'tenancy.kcp.io', version: 'v1alpha1', resource: 'workspaces' };
const SCHEMA_NAME = `v1.vpcs.${EXPORT_NAME}`;
const signal = new AbortController().signal;

/** Sets up workspaces, an export and bindings in any kcp, and takes things away again. */
export class KcpWorld {
  readonly connection: Connection;

  constructor(connection: Connection) {
    this.connection = connection;
  }

  at(path: string): ClusterClient {
    return this.connection.cluster(workspacePath(path));
  }

  /** Makes a workspace and answers once it is ready. */
  async workspace(path: string, shard?: string): Promise<ClusterClient> {
    const split = splitWorkspacePath(workspacePath(path));
    if (split === undefined) throw new Error(`${path} has no parent`);
    const location = shard === undefined ? {} : { location: { selector: { matchLabels: { name: shard } } } };
    const object = {
      apiVersion: 'tenancy.kcp.io/v1alpha1',
      kind: 'Workspace',
      metadata: { name: split.name },
      spec: { type: { name: 'universal', path: 'root' }, ...location },
    };
    const parent = this.connection.cluster(split.parent);
    await insistently(() => createUnlessThere(parent, WORKSPACES, object));
    await insistently(async () => {
      const { status } = await parent.get(WORKSPACES, { name: split.name }, { signal });
      if ((status as { readonly phase?: unknown } | undefined)?.phase !== 'Ready') throw new NotYet(`${path} is not ready`);
    });
    await insistently(() => this.at(path).get(WORKSPACES_OF_CORE, { name: 'cluster' }, { signal }));
    return this.at(path);
  }

  /** Deletes a workspace and answers once it is gone. */
  async removeWorkspace(path: string): Promise<void> {
    const split = splitWorkspacePath(workspacePath(path));
    if (split === undefined) throw new Error(`${path} has no parent`);
    const parent = this.connection.cluster(split.parent);
    await parent.delete(WORKSPACES, { name: split.name }, { signal });
    await insistently(() => isGone(parent, WORKSPACES, split.name));
  }

  /** Makes the export of VPCs in a workspace, and answers once kcp has made its endpoint slice. */
  async exportVpcs(path: string): Promise<void> {
    const [apis, schemas] = ['apis.kcp.io/v1alpha2', 'apis.kcp.io/v1alpha1'];
    await insistently(() =>
      createUnlessThere(
        this.at(path),
        { group: 'apis.kcp.io', version: 'v1alpha1', resource: 'apiresourceschemas' },
        {
          apiVersion: schemas,
          kind: 'APIResourceSchema',
          metadata: { name: SCHEMA_NAME },
          spec: {
            group: EXPORT_NAME,
            names: { plural: 'vpcs', singular: 'vpc', kind: 'VPC', listKind: 'VPCList' },
            scope: 'Cluster',
            versions: [
              {
                name: 'v1',
                served: true,
                storage: true,
                schema: { type: 'object', properties: { spec: { type: 'object', properties: { cidr: { type: 'string' } } } } },
              },
            ],
          },
        },
      ),
    );
    await insistently(() =>
      createUnlessThere(
        this.at(path),
        { group: 'apis.kcp.io', version: 'v1alpha2', resource: 'apiexports' },
        {
          apiVersion: apis,
          kind: 'APIExport',
          metadata: { name: EXPORT_NAME },
          spec: { resources: [{ group: EXPORT_NAME, name: 'vpcs', schema: SCHEMA_NAME, storage: { crd: {} } }] },
        },
      ),
    );
    await insistently(() => this.at(path).get(SLICES, { name: EXPORT_NAME }, { signal }));
  }

  /** Binds the export and answers once VPCs are served. */
  async bind(path: string, exporter: string): Promise<void> {
    const reference = { export: { path: exporter, name: EXPORT_NAME } };
    const object = { apiVersion: 'apis.kcp.io/v1alpha2', kind: 'APIBinding', metadata: { name: 'network' }, spec: { reference } };
    await insistently(() => createUnlessThere(this.at(path), BINDINGS, object));
    await insistently(() => this.at(path).list(VPCS, {}, { signal }).next());
  }

  /** Unbinds it and answers once the binding is gone, and the VPCs with it. */
  async unbind(path: string): Promise<void> {
    await this.at(path).delete(BINDINGS, { name: 'network' }, { signal });
    await insistently(() => isGone(this.at(path), BINDINGS, 'network'));
  }

  createVpc(path: string, name: string): Promise<KubeObject> {
    return insistently(() =>
      createUnlessThere(this.at(path), VPCS, {
        apiVersion: `${EXPORT_NAME}/v1`,
        kind: 'VPC',
        metadata: { name },
        spec: { cidr: '10.0.0.0/8' },
      }),
    );
  }

  deleteVpc(path: string, name: string): Promise<void> {
    return this.at(path).delete(VPCS, { name }, { signal });
  }
}

const WORKSPACES_OF_CORE: GroupVersionResource = { group: 'core.kcp.io', version: 'v1alpha1', resource: 'logicalclusters' };

class NotYet extends Error {}

/** A connection by the text of a kubeconfig file. */
export function connect(file: string, context?: string): Connection {
  const loaded = loadKubeconfig({ file, ...(context === undefined ? {} : { context }) });
  if (!loaded.ok) throw new Error(loaded.problem);
  return new Connection(loaded.value);
}

/** Tries again what kcp refuses for a moment only, until it works; a fresh workspace or export is not seen everywhere at once. */
export async function insistently<T>(call: () => Promise<T>, forMs = 60_000): Promise<T> {
  const end = performance.now() + forMs;
  for (;;) {
    try {
      return await call();
    } catch (failure) {
      const passes = failure instanceof NotYet || isKcpError(failure);
      if (!passes || performance.now() > end) throw failure;
      await pause(50);
    }
  }
}

async function isGone(client: ClusterClient, type: GroupVersionResource, name: string): Promise<void> {
  const left = await client.get(type, { name }, { signal }).then(
    () => true,
    (failure: unknown) => !isKcpError(failure, 'not-found'),
  );
  if (left) throw new NotYet(`${type.resource} ${name} is still there`);
}

async function createUnlessThere(client: ClusterClient, type: GroupVersionResource, object: KubeObject): Promise<KubeObject> {
  try {
    return await client.create(type, object, { signal });
  } catch (failure) {
    if (isKcpError(failure, 'already-exists')) return object;
    throw failure;
  }
}
