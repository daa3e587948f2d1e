import { ENDPOINT_LISTS, type EndpointKnowledge, type EndpointList } from './knowledge.js';

/** Which endpoints there are, and which of their lists were read at least once. */
export class EndpointStates {
  readonly #states = new Map<string, { readonly isServed: boolean; readonly listed: ReadonlySet<EndpointList> }>();
  #isRead = false;

  /** What is known of each endpoint, or that the endpoints themselves have not been read. */
  get knowledge(): ReadonlyMap<string, EndpointKnowledge> | 'unread' {
    if (!this.#isRead) return 'unread';
    return new Map([...this.#states.keys()].map((endpoint) => [endpoint, this.#knowledgeOf(endpoint)]));
  }

  /** Takes the endpoints that the export has now. One that comes back has to be listed again. */
  read(endpoints: readonly string[]): void {
    this.#isRead = true;
    for (const endpoint of endpoints) {
      const state = this.#states.get(endpoint);
      if (state?.isServed !== true) this.#states.set(endpoint, { isServed: true, listed: new Set() });
    }
    for (const [endpoint, { listed }] of this.#states) {
      if (!endpoints.includes(endpoint)) this.#states.set(endpoint, { isServed: false, listed });
    }
  }

  /** Notes that an endpoint delivers something. */
  seen(endpoint: string): void {
    if (!this.#states.has(endpoint)) this.#states.set(endpoint, { isServed: true, listed: new Set() });
  }

  /** Notes that a list of an endpoint was read. */
  listed(endpoint: string, list: EndpointList): void {
    const { isServed = true, listed = new Set<EndpointList>() } = this.#states.get(endpoint) ?? {};
    this.#states.set(endpoint, { isServed, listed: new Set([...listed, list]) });
  }

  /** Forgets a withdrawn endpoint. */
  forget(endpoint: string): void {
    this.#states.delete(endpoint);
  }

  /** The endpoints in one state. */
  in(state: EndpointKnowledge['state']): readonly string[] {
    return [...this.#states.keys()].filter((endpoint) => this.#knowledgeOf(endpoint).state === state);
  }

  #knowledgeOf(endpoint: string): EndpointKnowledge {
    const state = this.#states.get(endpoint);
    if (state?.isServed === false) return { state: 'withdrawn' };
    const missing = ENDPOINT_LISTS.filter((list) => state?.listed.has(list) !== true);
    return missing.length > 0 ? { state: 'syncing', missing } : { state: 'listed' };
  }
}
