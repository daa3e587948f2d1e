import { ENDPOINT_LISTS, type EndpointKnowledge, type EndpointList } from './knowledge.js';

interface EndpointState {
  /** Whether the export has it now. */
  readonly isServed: boolean;
  readonly listed: ReadonlySet<EndpointList>;
}

const UNLISTED: EndpointState = { isServed: true, listed: new Set() };

/** Which endpoints there are, and which of their lists were read at least once. */
export class EndpointStates {
  readonly #states = new Map<string, EndpointState>();
  #isRead = false;
  #listed: readonly string[] | undefined;

  /** What is known of each endpoint, or that the endpoints themselves have not been read. */
  get knowledge(): ReadonlyMap<string, EndpointKnowledge> | 'unread' {
    if (!this.#isRead) return 'unread';
    return new Map([...this.#states].map(([endpoint, state]) => [endpoint, knowledgeOf(state)]));
  }

  /** The endpoints that the export has now. */
  served(): readonly string[] {
    return [...this.#states].filter(([, { isServed }]) => isServed).map(([endpoint]) => endpoint);
  }

  /** The endpoints that have listed everything. Asked for with every question, so it is kept until something changes. */
  listedNow(): readonly string[] {
    return (this.#listed ??= this.in('listed'));
  }

  /** The endpoints in one state. */
  in(state: EndpointKnowledge['state']): readonly string[] {
    return [...this.#states].filter(([, known]) => knowledgeOf(known).state === state).map(([endpoint]) => endpoint);
  }

  /** Takes the endpoints that the export has now. One that comes back has to be listed again. */
  read(endpoints: readonly string[]): void {
    this.#isRead = true;
    this.#listed = undefined;
    for (const endpoint of endpoints) {
      if (this.#states.get(endpoint)?.isServed !== true) this.#states.set(endpoint, UNLISTED);
    }
    for (const [endpoint, { listed }] of this.#states) {
      if (!endpoints.includes(endpoint)) this.#states.set(endpoint, { isServed: false, listed });
    }
  }

  /** Notes that an endpoint delivers something. Answers whether it was unknown. */
  seen(endpoint: string): boolean {
    if (this.#states.has(endpoint)) return false;
    this.#states.set(endpoint, UNLISTED);
    this.#listed = undefined;
    return true;
  }

  /** Notes that a list of an endpoint was read. Answers whether it was the first time. */
  listed(endpoint: string, list: EndpointList): boolean {
    const { isServed, listed } = this.#states.get(endpoint) ?? UNLISTED;
    if (listed.has(list)) return false;
    this.#states.set(endpoint, { isServed, listed: new Set([...listed, list]) });
    this.#listed = undefined;
    return true;
  }

  /** Forgets a withdrawn endpoint. */
  forget(endpoint: string): void {
    this.#states.delete(endpoint);
    this.#listed = undefined;
  }
}

function knowledgeOf({ isServed, listed }: EndpointState): EndpointKnowledge {
  if (!isServed) return { state: 'withdrawn' };
  const missing = ENDPOINT_LISTS.filter((list) => !listed.has(list));
  return missing.length > 0 ? { state: 'syncing', missing } : { state: 'listed' };
}
