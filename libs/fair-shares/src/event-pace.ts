// Limits the work for an author who patches objects in a loop: one parse per 100 ms and object, and twenty per 100 ms and author. The first change of an
// object is passed on at once; of the following changes only the last one, later. A deletion or a whole list is passed on at once and drops the changes
// that are held, so that an old state never comes after a newer one.
import {
  pause,
  type Clock,
  type EndpointEvent,
  type Observed,
  type ReflectorEvent,
  type Runnable,
  type VirtualWorkspaceUrl,
} from '@dep-ctrl/kcp-client';
import type { GroupVersionResource, LogicalClusterName } from '@dep-ctrl/kcp-names';
import { processTurns, TURN_MS } from './turns.js';

/** What an {@link EventPace} needs. */
export interface EventPaceDependencies {
  readonly clock: Clock;
  /** The type of objects whose changes are paced: the very object that the events name. */
  readonly paced: GroupVersionResource;
  /** Takes an event that is passed on. An error that it throws comes out of `take` or `run`. */
  readonly handOn: (event: EndpointEvent) => void;
  /** Lets other work of this process run. */
  readonly breathe?: () => Promise<unknown>;
}

type Applied = Extract<ReflectorEvent, { kind: 'applied' }>;

/** A change of one object. */
interface Change {
  readonly endpoint: VirtualWorkspaceUrl;
  readonly author: LogicalClusterName;
  readonly event: Applied;
}

/** An object that was handed on a moment ago. */
interface Recent {
  readonly untilMs: number;
  /** The last change since then. */
  next?: Change;
}

/** How much of an author was handed on in its time. */
interface Spent {
  readonly untilMs: number;
  count: number;
}

const PACE_MS = 100;

/** Objects of one author that are handed on in that time: a hundred at once take half a second. */
const MOST_OF_AN_AUTHOR = 20;

/** Stands between the watches and the intake of their events. Memory: one change for each object that has one waiting. */
export class EventPace implements Runnable {
  readonly #dependencies: EventPaceDependencies;
  readonly #breathe: () => Promise<unknown>;
  /** By object, the one that was handed on first comes first. */
  readonly #recent = new Map<string, Recent>();
  /** By author, the one that began first comes first. */
  readonly #spent = new Map<LogicalClusterName, Spent>();
  /** By author and object: changes whose pause is over and whose author has to wait. */
  readonly #due = new Map<LogicalClusterName, Map<string, Change>>();
  #wake: () => void = () => undefined;

  constructor(dependencies: EventPaceDependencies) {
    this.#dependencies = dependencies;
    this.#breathe = dependencies.breathe ?? (() => processTurns.next());
  }

  /** Takes what happens at the endpoints, in order; changes of the paced type wait, everything else is handed on at once. */
  take(event: EndpointEvent): void {
    const { handOn, paced } = this.#dependencies;
    if (event.kind === 'observed' && event.type === paced && this.#holds(event.endpoint, event.event)) return;
    if (event.kind === 'withdrawn') this.#drop(event.endpoint);
    handOn(event);
  }

  /** Whether an event of the paced type is handed on by itself. All others make held changes void. */
  #holds(endpoint: VirtualWorkspaceUrl, event: ReflectorEvent): boolean {
    switch (event.kind) {
      case 'applied':
        this.#apply({ endpoint, author: event.object.cluster, event });
        return true;
      case 'deleted':
        this.#void(keyOf(endpoint, event.object), event.object.cluster);
        return false;
      case 'replaced':
        this.#drop(endpoint);
        return false;
      case 'undecodable':
        return false;
      default:
        return event satisfies never;
    }
  }

  /** Nothing that is held of an endpoint is handed on any more. */
  #drop(endpoint: VirtualWorkspaceUrl): void {
    for (const recent of this.#recent.values()) if (recent.next?.endpoint === endpoint) delete recent.next;
    for (const [author, changes] of this.#due) {
      for (const [key, change] of changes) if (change.endpoint === endpoint) changes.delete(key);
      if (changes.size === 0) this.#due.delete(author);
    }
  }

  /** How many changes wait. */
  get waiting(): number {
    const nexts = [...this.#recent.values()].filter(({ next }) => next !== undefined).length;
    return [...this.#due.values()].reduce((sum, { size }) => sum + size, nexts);
  }

  /** Of how many objects and authors something is remembered. */
  get remembered(): number {
    return this.#recent.size + this.#spent.size + this.#due.size;
  }

  /** Hands on what waits when its time has come, until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#dependencies;
    while (!signal.aborted) {
      const untilMs = this.#nextMs();
      if (untilMs === undefined) await this.#somethingRecent(signal);
      else await pause(Math.max(0, untilMs - clock.monotonic()), { clock, signal });
      await this.#handOnDue(signal);
    }
  }

  #somethingRecent(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#wake = () => undefined;
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#wake = wake;
      signal.addEventListener('abort', wake, { once: true });
    });
  }

  #apply(change: Change): void {
    this.#expire();
    const key = keyOf(change.endpoint, change.event.object);
    const recent = this.#recent.get(key);
    const due = this.#due.get(change.author);
    if (recent !== undefined) recent.next = change;
    else if (due === undefined && this.#hasLeft(change.author)) this.#handOn(key, change);
    else this.#wait(key, change);
    this.#wake();
  }

  #wait(key: string, change: Change): void {
    const due = this.#due.get(change.author);
    if (due === undefined) this.#due.set(change.author, new Map([[key, change]]));
    else due.set(key, change);
  }

  #void(key: string, author: LogicalClusterName): void {
    delete this.#recent.get(key)?.next;
    const due = this.#due.get(author);
    due?.delete(key);
    if (due?.size === 0) this.#due.delete(author);
  }

  #handOn(key: string, { endpoint, author, event }: Change): void {
    const { clock, handOn, paced } = this.#dependencies;
    const untilMs = clock.monotonic() + PACE_MS;
    this.#recent.set(key, { untilMs });
    const spent = this.#spent.get(author);
    if (spent === undefined) this.#spent.set(author, { untilMs, count: 1 });
    else spent.count += 1;
    handOn({ kind: 'observed', endpoint, type: paced, event });
  }

  #hasLeft(author: LogicalClusterName): boolean {
    return (this.#spent.get(author)?.count ?? 0) < MOST_OF_AN_AUTHOR;
  }

  /** Forgets what is over: both maps are in the order in which that happens. */
  #expire(): void {
    const nowMs = this.#dependencies.clock.monotonic();
    for (const [author, { untilMs }] of this.#spent) {
      if (untilMs > nowMs) break;
      this.#spent.delete(author);
    }
    for (const [key, { untilMs, next }] of this.#recent) {
      if (untilMs > nowMs) break;
      this.#recent.delete(key);
      if (next !== undefined) this.#wait(key, next);
    }
  }

  /** When the first of all that is remembered is over; undefined where nothing is. */
  #nextMs(): number | undefined {
    const [spent] = this.#spent.values();
    const [recent] = this.#recent.values();
    return spent === undefined || recent === undefined ? (spent ?? recent)?.untilMs : Math.min(spent.untilMs, recent.untilMs);
  }

  /** One change of each author in turn, as long as there are such. */
  async #handOnDue(signal: AbortSignal): Promise<void> {
    const { clock } = this.#dependencies;
    let sinceMs = clock.monotonic();
    for (let change = this.#nextDue(); change !== undefined && !signal.aborted; change = this.#nextDue()) {
      this.#handOn(...change);
      if (clock.monotonic() - sinceMs < TURN_MS) continue;
      await this.#breathe();
      sinceMs = clock.monotonic();
    }
  }

  #nextDue(): readonly [key: string, change: Change] | undefined {
    this.#expire();
    for (const [author, changes] of this.#due) {
      const [first] = changes;
      if (first === undefined || !this.#hasLeft(author)) continue;
      this.#void(first[0], author);
      // Behind all others.
      const left = this.#due.get(author);
      if (left !== undefined) {
        this.#due.delete(author);
        this.#due.set(author, left);
      }
      return first;
    }
    return undefined;
  }
}

function keyOf(endpoint: VirtualWorkspaceUrl, { cluster, object }: Observed): string {
  return `${endpoint} ${cluster}/${object.metadata.name ?? ''}`;
}
