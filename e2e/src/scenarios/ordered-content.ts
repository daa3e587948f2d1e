// Content of a dying workspace that only the controller deletes: kcp lets the bindings alone while there is anything in a namespace, and with them what is
// in none. So the order in which it went is the controller's, and who was refused was asked by it.
import { deepEqual, equal } from 'node:assert/strict';
import type { Tree } from '../https/kube-body.js';
import { compute, network } from './cloud-types.js';
import { heldNamespace, refusedReviews, release } from './ordered-type.js';
import { rule } from './rules.js';
import { watchGoing, type SeenToGo } from './seen-to-go.js';
import type { Cloud, Tenant, World } from './world.js';

/** A Host refers to its Zone. */
export function hostRule(cloud: Cloud): Tree {
  return rule(cloud, 'host-dependencies', 'Host', [{ resource: 'zones', path: '.spec.zoneRef.name' }]);
}

/** A Zone and Hosts that refer to it, watched, in a workspace that keeps a namespace until `release`. */
export class OrderedContent {
  readonly #own: World;
  readonly #namespace: string;
  readonly #refused: number;
  readonly #going: SeenToGo;
  /** Their paths, the Zone last. */
  readonly objects: readonly string[];

  private constructor(
    own: World,
    made: { readonly namespace: string; readonly refused: number; readonly going: SeenToGo; readonly objects: readonly string[] },
  ) {
    this.#own = own;
    this.#namespace = made.namespace;
    this.#refused = made.refused;
    this.#going = made.going;
    this.objects = made.objects;
  }

  /** Makes it, and waits until the Zone is guarded. */
  static async stock(own: World, { workspace, zones, hosts }: Tenant): Promise<OrderedContent> {
    await own.create(zones, network('Zone', 'z'));
    for (const name of ['a', 'b']) await own.create(hosts, compute('Host', name, { zoneRef: { name: 'z' } }));
    await own.refuses(`${zones}/z`);
    const namespace = await heldNamespace(own, workspace);
    const [refused, going] = [await refusedReviews(own), await watchGoing(own, zones, hosts)];
    return new OrderedContent(own, { namespace, refused, going, objects: [`${hosts}/a`, `${hosts}/b`, `${zones}/z`] });
  }

  /** Fails where it did not go in order, or not by the order alone. */
  async wentInOrder(): Promise<void> {
    equal((await this.#going.names(this.objects.length)).at(-1), 'z', 'the Zone went before a Host');
    deepEqual(this.#going.annotated(), [], 'objects were annotated');
    equal((await refusedReviews(this.#own)) - this.#refused, 0, 'reviews were refused');
    this.#going.close();
  }

  /** Lets the namespace go. */
  release(): Promise<void> {
    return release(this.#own, this.#namespace);
  }
}
