// An embedded kcp with two exported types, of which machines refer to VPCs, and workspaces that have some of each.
import { TestKcp } from '@dep-ctrl/embedded-kcp/testing';
import { Connection, logicalCluster, type ClusterClient, type LogicalClusterName } from '@dep-ctrl/kcp-client';
import type { Ordering } from '../ordering.js';
import { isReferenced, SKIP_ANNOTATION } from './refusals.js';

const NETWORK = 'network.example.com';
const COMPUTE = 'compute.example.com';

/** A workspace with a VPC `net` and a machine `a`. */
export interface Team {
  readonly cluster: LogicalClusterName;
  readonly client: ClusterClient;
}

export class CloudStage {
  readonly #kcp: TestKcp;
  readonly #connection: Connection;
  #teams = 0;

  /** Machines before VPCs. */
  readonly ordering: Ordering = {
    orderOf: (types) => {
      const of = (group: string) => types.filter((type) => type.group === group);
      return { edges: of(COMPUTE).flatMap((from) => of(NETWORK).map((to) => ({ from, to }))), isComplete: true };
    },
    isReferenced,
    skipAnnotation: SKIP_ANNOTATION,
  };

  /** Both types refer to each other. */
  readonly circle: Required<Ordering> = {
    orderOf: (types) => {
      const { edges } = this.ordering.orderOf(types);
      return { edges: [...edges, ...edges.map(({ from, to }) => ({ from: to, to: from }))], isComplete: true };
    },
    isReferenced,
    skipAnnotation: SKIP_ANNOTATION,
    hints: {},
  };

  private constructor(kcp: TestKcp) {
    this.#kcp = kcp;
    this.#connection = new Connection(kcp.access());
  }

  static async start(): Promise<CloudStage> {
    return new CloudStage(
      await TestKcp.start({
        workspaces: {
          'root:network': { exports: { [NETWORK]: { types: [{ kind: 'VPC' }] } } },
          'root:compute': { exports: { [COMPUTE]: { types: [{ kind: 'VirtualMachine' }] } } },
        },
      }),
    );
  }

  get faults(): TestKcp['server']['faults'] {
    return this.#kcp.server.faults;
  }

  /** Another workspace; its machine has these finalizers. */
  async team(finalizers: readonly string[] = []): Promise<Team> {
    const path = `root:team-${(this.#teams += 1)}`;
    const objects = [
      { apiVersion: `${NETWORK}/v1`, kind: 'VPC', metadata: { name: 'net' } },
      { apiVersion: `${COMPUTE}/v1`, kind: 'VirtualMachine', metadata: { name: 'a', finalizers: [...finalizers] } },
    ];
    await this.#kcp.add({ workspaces: { [path]: { binds: [`root:network:${NETWORK}`, `root:compute:${COMPUTE}`], objects } } });
    const cluster = logicalCluster(this.#kcp.workspace(path).cluster);
    return { cluster, client: this.#connection.cluster(cluster) };
  }

  /** What was patched in a workspace. */
  patches(team: Team): readonly string[] {
    return this.#asked('PATCH', team);
  }

  /** What was deleted there. */
  deletes(team: Team): readonly string[] {
    return this.#asked('DELETE', team);
  }

  #asked(method: string, { cluster }: Team): readonly string[] {
    return this.#kcp.server.requests.recorded({ method, path: new RegExp(`/clusters/${cluster}/`) }).map(({ path }) => path);
  }

  async stop(): Promise<void> {
    await this.#connection.close();
    await this.#kcp.stop();
  }
}
