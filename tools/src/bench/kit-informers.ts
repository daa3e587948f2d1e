// The informer of @kubernetes/client-node on the server of this bench. Its cache is by namespace and name, so that it takes one for each workspace: at the
// wildcard endpoint, objects of one name in several workspaces are one object to it.
import {
  CustomObjectsApi,
  KubeConfig,
  makeInformer,
  type Informer,
  type KubernetesListObject,
  type KubernetesObject,
  type ObjectCache,
} from '@kubernetes/client-node';
import type { KitSizes } from './kit-server.js';

/** Where the server is, and how much it has. */
export interface InformersOptions {
  /** An endpoint of the export, without `/clusters`. */
  readonly address: string;
  readonly caFile: string;
  readonly sizes: KitSizes;
}

interface Vpc extends KubernetesObject {
  /** When the server sent it; in `paced` only. */
  readonly sentMs?: number;
}

type WholeInformer = Informer<Vpc> & ObjectCache<Vpc>;

const GROUP = { group: 'network.example.com', version: 'v1' };

/** Informers of the bench's types. */
export class Informers {
  readonly #options: InformersOptions;

  constructor(options: InformersOptions) {
    this.#options = options;
  }

  /** One for each workspace, all started at once; when each has listed. */
  async everywhere(): Promise<readonly WholeInformer[]> {
    const { clusters } = this.#options.sizes;
    const all = Array.from({ length: clusters }, (_, index) => this.#informer(`c${String(index)}`, 'vpcs'));
    await Promise.all(all.map((each) => each.start()));
    return all;
  }

  /** Takes all events of `busy` of one workspace. */
  async busy(): Promise<void> {
    const informer = this.#informer('c0', 'busy');
    let taken = 0;
    await until(informer, () => (taken += 1) >= this.#options.sizes.events);
  }

  /** The times from each change of `paced` to its event. */
  async changes(): Promise<readonly number[]> {
    const informer = this.#informer('c0', 'paced');
    const latencies: number[] = [];
    await until(informer, ({ sentMs }) => {
      latencies.push(performance.timeOrigin + performance.now() - Number(sentMs));
      return latencies.length >= this.#options.sizes.paced;
    });
    return latencies;
  }

  /** How many objects it has of one name in each workspace, at the wildcard endpoint. */
  async namesakes(): Promise<number> {
    const informer = this.#informer('*', 'namesakes');
    await informer.start();
    await informer.stop();
    return informer.list().length;
  }

  #informer(cluster: string, plural: string): WholeInformer {
    const { address, caFile } = this.#options;
    const kubeConfig = new KubeConfig();
    kubeConfig.loadFromClusterAndUser(
      { name: cluster, server: `${address}/clusters/${cluster}`, caFile, skipTLSVerify: false },
      { name: 'bench' },
    );
    const api = kubeConfig.makeApiClient(CustomObjectsApi);
    const list = async (): Promise<KubernetesListObject<Vpc>> =>
      (await api.listClusterCustomObject({ ...GROUP, plural })) as KubernetesListObject<Vpc>; // the server of this bench
    return makeInformer(kubeConfig, `/apis/${GROUP.group}/${GROUP.version}/${plural}`, list);
  }
}

/** Runs an informer until it has told the last of the updates. */
async function until(informer: WholeInformer, isLast: (object: Vpc) => boolean): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    informer.on('update', (object) => {
      if (isLast(object)) resolve();
    });
    informer.on('error', reject);
    informer.start().catch(reject);
  });
  await informer.stop();
}
