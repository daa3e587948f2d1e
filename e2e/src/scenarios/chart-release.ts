// dep-ctrl installed into the cluster of the backend with its chart, in a namespace of its own, step by step as docs/kubernetes.md says.
import { join } from 'node:path';
import type { Cluster } from '../backends/cluster/cluster.js';
import { at } from '../https/kube-body.js';
import type { World } from './world.js';

/** By key of a Secret, its file or its content. */
export type SecretFiles = Readonly<Record<string, string>>;

/** Values of the chart by their path: `webhook.replicas`. */
export type ChartValues = Readonly<Record<string, string | number | boolean>>;

const RELEASE = 'dep-ctrl';
const ROLES = ['controller', 'webhook', 'all'] as const;
const WAIT = ['--wait', '--timeout', '3m'];

// Kubernetes gives ports from 30 000 on to nodes.
let lastPort = 30_100;

/** One release. */
export class ChartRelease {
  readonly #cluster: Cluster;
  readonly #values: ChartValues;
  readonly namespace: string;
  /** Where the node serves the webhook. */
  readonly port: number;
  /** The world with this installation as its product; its roles are Pods, not processes. */
  readonly own: World;

  private constructor(cluster: Cluster, made: Pick<ChartRelease, 'own' | 'namespace' | 'port'> & { readonly values: ChartValues }) {
    this.#cluster = cluster;
    this.#values = made.values;
    this.own = made.own;
    this.namespace = made.namespace;
    this.port = made.port;
  }

  /** Bootstraps a workspace of its own, brings the kubeconfigs and further Secrets into the cluster and installs the chart. */
  static async install(
    world: World,
    { values = {}, secrets = {} }: { readonly values?: ChartValues; readonly secrets?: Readonly<Record<string, SecretFiles>> } = {},
  ): Promise<ChartRelease> {
    const { cluster } = world.kcp.backend;
    if (cluster === undefined) throw new Error('there is no Kubernetes here: the scenario should say that it needs a cluster');
    const own = await world.second({ areRolesElsewhere: true });
    const namespace = world.kcp.unique('chart');
    await cluster.kubectl('create', 'namespace', namespace);
    const kubeconfigs = ROLES.map((role) => [`${role}-kubeconfig`, { kubeconfig: join(own.product.dir, `${role}.kubeconfig`) }] as const);
    for (const [name, keys] of [...kubeconfigs, ...Object.entries(secrets)]) {
      const files = Object.entries(keys).map(([key, file]) => `--from-file=${key}=${file}`);
      await cluster.kubectl('-n', namespace, 'create', 'secret', 'generic', name, ...files);
    }
    lastPort += 1;
    const port = lastPort;
    const { repository, tag } = cluster.image;
    const release = new ChartRelease(cluster, {
      own,
      namespace,
      port,
      values: {
        'image.repository': repository,
        'image.tag': tag,
        ...Object.fromEntries(ROLES.map((role) => [`${role}.kubeconfig.secretName`, `${role}-kubeconfig`])),
        'webhook.service.type': 'NodePort',
        'webhook.service.nodePort': port,
        'webhook.url': `https://${cluster.nodeAddress}:${String(port)}`,
        ...values,
      },
    });
    await release.#helm('install');
    return release;
  }

  /** Installs it anew with other values, and waits until every Pod that is to be replaced has been. */
  async upgrade(values: ChartValues): Promise<void> {
    await this.#helm('upgrade', values);
  }

  /** Runs kubectl in its namespace. */
  kubectl(...args: readonly string[]): Promise<string> {
    return this.#cluster.kubectl('-n', this.namespace, ...args);
  }

  /** The names of its Pods. */
  async pods(role?: (typeof ROLES)[number]): Promise<readonly string[]> {
    const pods = await this.#podObjects(role === undefined ? [] : ['-l', `app.kubernetes.io/component=${role}`]);
    return pods.map((pod) => String(at(pod, 'metadata', 'name'))).toSorted();
  }

  /** How often their containers were started again. */
  async restarts(): Promise<number> {
    const pods = await this.#podObjects([]);
    return pods.reduce((sum, pod) => sum + Number(at(pod, 'status', 'containerStatuses', 0, 'restartCount')), 0);
  }

  async #podObjects(selector: readonly string[]): Promise<readonly object[]> {
    const { items } = JSON.parse(await this.kubectl('get', 'pods', ...selector, '-o', 'json')) as { readonly items: readonly object[] };
    return items;
  }

  /** Puts other content into a Secret. */
  async replaceSecret(name: string, content: SecretFiles): Promise<void> {
    const data = Object.fromEntries(Object.entries(content).map(([key, text]) => [key, Buffer.from(text).toString('base64')]));
    await this.kubectl('patch', 'secret', name, '--type=merge', '--patch', JSON.stringify({ data }));
  }

  /** Leaves the machine to others. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#cluster.kubectl('delete', 'namespace', this.namespace, '--wait=false');
  }

  /** Removes it, as far as Helm made it. */
  async uninstall(): Promise<void> {
    await this.#cluster.helm('uninstall', RELEASE, '-n', this.namespace, ...WAIT);
  }

  async #helm(action: 'install' | 'upgrade', more: ChartValues = {}): Promise<void> {
    const sets = Object.entries({ ...this.#values, ...more }).flatMap(([path, value]) => ['--set', `${path}=${String(value)}`]);
    await this.#cluster.helm(action, RELEASE, this.own.chart, '-n', this.namespace, ...WAIT, ...sets);
  }
}
