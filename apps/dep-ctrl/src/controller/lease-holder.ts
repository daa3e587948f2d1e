import type { LeaderElectorOptions } from '@dep-ctrl/kcp-client';
import type { KubeObject } from '@dep-ctrl/kcp-names';

type LeaseClient = LeaderElectorOptions['client'];

/** Who holds the lease, as the election itself last saw it: kcp is not asked once more. */
export class LeaseHolder {
  /** For the election: what passes here is noted. */
  readonly client: LeaseClient;
  readonly #identity: string;
  #holder: string | undefined;

  constructor(client: LeaseClient, identity: string) {
    this.#identity = identity;
    this.client = {
      get: async (...asked) => this.#noted(await client.get(...asked)),
      create: async (...asked) => this.#noted(await client.create(...asked)),
      replace: async (...asked) => this.#noted(await client.replace(...asked)),
      describe: (...asked) => client.describe(...asked),
    };
  }

  /** Who holds it instead of this process; undefined where this one does, or nobody, or that is not known. */
  other(): string | undefined {
    return this.#holder === this.#identity ? undefined : this.#holder;
  }

  #noted(lease: KubeObject): KubeObject {
    const { holderIdentity } = (lease['spec'] ?? {}) as { readonly holderIdentity?: unknown };
    this.#holder = typeof holderIdentity === 'string' && holderIdentity !== '' ? holderIdentity : undefined;
    return lease;
  }
}
