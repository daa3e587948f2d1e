import type { KubeObject } from '@dep-ctrl/kcp-names';
import { isAbsent } from '../errors/absence.js';
import { isKcpError } from '../errors/kcp-error.js';
import { LEASES } from './lease-object.js';
import type { LeaderElectorOptions } from './leader-elector.js';

type LeaseClient = LeaderElectorOptions['client'];

/** The holder of the lease, as the election last saw it: kcp is not asked again. */
export class LeaseHolder {
  /** For the election: what passes here is noted. */
  readonly client: LeaseClient;
  readonly #identity: string;
  #holder: string | undefined;
  #problem: string | undefined;

  constructor(client: LeaseClient, identity: string) {
    this.#identity = identity;
    this.client = {
      get: (...asked) => this.#noted(client.get(...asked), asked[1].name),
      create: (...asked) => this.#noted(client.create(...asked), asked[1].metadata.name),
      replace: (...asked) => this.#noted(client.replace(...asked), asked[1].metadata.name),
      describe: (...asked) => client.describe(...asked),
    };
  }

  /** The other replica that holds the lease; undefined: this process holds it, or no replica does, or that is not known. */
  other(): string | undefined {
    return this.#holder === this.#identity ? undefined : this.#holder;
  }

  /** Why the lease could not be read or written at the last try; undefined where it could. */
  problem(): string | undefined {
    return this.#problem;
  }

  async #noted(asked: Promise<KubeObject>, name = ''): Promise<KubeObject> {
    const lease = await asked.catch((failure: unknown) => {
      const isPartOfIt = isKcpError(failure, 'conflict', 'already-exists') || isAbsent(failure, LEASES, name);
      this.#problem = isPartOfIt || !(failure instanceof Error) ? undefined : failure.message;
      throw failure;
    });
    const { holderIdentity } = (lease['spec'] ?? {}) as { readonly holderIdentity?: unknown };
    this.#holder = typeof holderIdentity === 'string' && holderIdentity !== '' ? holderIdentity : undefined;
    this.#problem = undefined;
    return lease;
  }
}
