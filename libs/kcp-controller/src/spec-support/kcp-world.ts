// A kcp of two shards with an export of VPCs, for specs.
import { EmbeddedKcp } from '@dep-ctrl/embedded-kcp';
import {
  isRecord,
  notParsed,
  parsed,
  parseWorkspacePath,
  splitWorkspacePath,
  type KubeObject,
  type Parsed,
  type WorkspacePath,
} from '@dep-ctrl/kcp-names';
import { Connection, isKcpError, systemClock, type ClusterClient } from '@dep-ctrl/kcp-client';

/** The type that these specs export, and its export. */
export const VPCS = { group: 'network.example.com', version: 'v1', resource: 'vpcs' };
export const EXPORT = 'network.example.com';

const APIS = { group: 'apis.kcp.io', version: 'v1alpha2' };
const SCHEMAS = { group: 'apis.kcp.io', version: 'v1alpha1', resource: 'apiresourceschemas' };
const WORKSPACES = { group: 'tenancy.kcp.io', version: 'v1alpha1', resource: 'workspaces' };
const CLAIM = { group: '', resource: 'events', verbs: ['*'] };
const signal = AbortSignal.timeout(600_000);

/** A VPC as these specs read it. */
export interface Vpc extends KubeObject {
  readonly spec: { readonly cidr: string };
}

/** A VPC is whole if it has a CIDR that begins with a digit. */
export function parseVpc(object: KubeObject): Parsed<Vpc> {
  const { spec } = object;
  const isWhole = isRecord(spec) && typeof spec['cidr'] === 'string' && /^\d/u.test(spec['cidr']);
  return isWhole ? parsed(object as Vpc) : notParsed('spec.cidr is no address'); // just looked at
}

/** A running kcp, an admin's connection to it, and the workspaces of a spec. */
export class KcpWorld {
  readonly kcp: EmbeddedKcp;
  readonly connection: Connection;

  constructor(kcp: EmbeddedKcp) {
    this.kcp = kcp;
    this.connection = new Connection({
      server: kcp.baseUrl,
      credentials: { ca: kcp.ca, token: kcp.token('kcp-admin', ['system:kcp:admin']) },
    });
  }

  static async start(): Promise<KcpWorld> {
    return new KcpWorld(await EmbeddedKcp.start({ shards: 2, delays: 'fast' }));
  }

  at(path: string): ClusterClient {
    return this.connection.cluster(pathOf(path));
  }

  /** A workspace on a shard. */
  async workspace(path: string, shard = 'root'): Promise<ClusterClient> {
    const { parent, name } = splitWorkspacePath(pathOf(path)) ?? { parent: pathOf('root'), name: path };
    const spec = { type: { name: 'universal', path: 'root' }, location: { selector: { matchLabels: { name: shard } } } };
    await create(this.connection.cluster(parent), WORKSPACES, { metadata: { name }, spec });
    await insistently(async () => {
      const { status } = await this.connection.cluster(parent).get(WORKSPACES, { name }, { signal });
      if (!isRecord(status) || status['phase'] !== 'Ready') throw new NotYet();
    });
    await insistently(() => this.at(path).get({ group: '', version: 'v1', resource: 'namespaces' }, { name: 'default' }, { signal }));
    return this.at(path);
  }

  /** A workspace with the export of VPCs, which claims events. */
  async exporter(path: string): Promise<ClusterClient> {
    const client = await this.workspace(path);
    const text = { type: 'string' };
    const schema = {
      type: 'object',
      properties: {
        spec: { type: 'object', properties: { cidr: text } },
        status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    };
    await create(client, SCHEMAS, {
      metadata: { name: `v1.vpcs.${EXPORT}` },
      spec: {
        group: EXPORT,
        names: { plural: 'vpcs', singular: 'vpc', kind: 'VPC', listKind: 'VPCList' },
        scope: 'Cluster',
        versions: [{ name: 'v1', served: true, storage: true, subresources: { status: {} }, schema }],
      },
    });
    await create(
      client,
      { ...APIS, resource: 'apiexports' },
      {
        metadata: { name: EXPORT },
        spec: {
          resources: [{ group: EXPORT, name: 'vpcs', schema: `v1.vpcs.${EXPORT}`, storage: { crd: {} } }],
          permissionClaims: [CLAIM],
        },
      },
    );
    await insistently(() =>
      client.get({ group: 'apis.kcp.io', version: 'v1alpha1', resource: 'apiexportendpointslices' }, { name: EXPORT }, { signal }),
    );
    return client;
  }

  /** A workspace that binds the export and accepts its claim. */
  async consumer(path: string, exporter: string, shard?: string): Promise<ClusterClient> {
    const client = await this.workspace(path, shard);
    await create(
      client,
      { ...APIS, resource: 'apibindings' },
      {
        metadata: { name: 'network' },
        spec: {
          reference: { export: { path: exporter, name: EXPORT } },
          permissionClaims: [{ ...CLAIM, state: 'Accepted', selector: { matchAll: true } }],
        },
      },
    );
    await insistently(() => client.list(VPCS, {}, { signal }).next());
    return client;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.connection.close();
    await this.kcp.stop();
  }
}

/** Makes a VPC, or changes the one that is there. */
export async function applyVpc(client: ClusterClient, name: string, cidr: string): Promise<void> {
  await insistently(async () => {
    try {
      await client.create(VPCS, vpc(name, cidr), { signal });
    } catch (error) {
      if (!isKcpError(error, 'already-exists')) throw error;
      await client.patch(VPCS, { name }, { kind: 'merge', body: { spec: { cidr } } }, { signal });
    }
  });
}

/** A VPC as its author writes it. */
export function vpc(name: string, cidr: string, metadata: object = {}): KubeObject {
  return { apiVersion: `${EXPORT}/v1`, kind: 'VPC', metadata: { name, ...metadata }, spec: { cidr } };
}

class NotYet extends Error {}

/** Tries again what kcp refuses for a moment only. */
export async function insistently<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!isKcpError(error) && !(error instanceof NotYet)) throw error;
      await systemClock.sleep(25, { signal });
    }
  }
}

/** Waits until something is so. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await systemClock.sleep(20, { signal });
}

function create(
  client: ClusterClient,
  type: { readonly group: string; readonly version: string; readonly resource: string },
  object: KubeObject,
): Promise<unknown> {
  const kinds: Readonly<Record<string, string>> = {
    workspaces: 'Workspace',
    apiresourceschemas: 'APIResourceSchema',
    apiexports: 'APIExport',
    apibindings: 'APIBinding',
  };
  const whole = { apiVersion: `${type.group}/${type.version}`, kind: kinds[type.resource] ?? '', ...object };
  return insistently(() =>
    client
      .create(type, whole, { signal })
      .catch((error: unknown) => (isKcpError(error, 'already-exists') ? whole : Promise.reject(error as Error))),
  );
}

function pathOf(text: string): WorkspacePath {
  const path = parseWorkspacePath(text);
  if (!path.ok) throw new Error(path.problem);
  return path.value;
}
