/*
 * Events in the workspace of an object, through the virtual workspace of the export: that needs a permission claim for events. The same words about the same
 * object are one event with a count, written again at most every few minutes. An event is never worth a failure, so nothing is thrown.
 */
import type { GroupVersionResource } from '@dep-ctrl/kcp-names';
import { isKcpError, silentLogger, systemClock, type ClusterClient, type Clock, type Logger, type Stoppable } from '@dep-ctrl/kcp-client';
import { eventName, eventNamespace, eventObject, type EventCount, type EventSubject, type SaidEvent } from './event-object.js';

/** What an {@link EventRecorder} is made of. */
export interface EventRecorderOptions {
  /** The component that says it, such as `vpc-operator`. */
  readonly component: string;
  /** How long the same words are only counted. Default 5 minutes. */
  readonly quietMs?: number;
  /** The most words to remember. Default 10 000; the ones that were said longest ago go first. */
  readonly mostRemembered?: number;
  readonly clock?: Clock;
  readonly logger?: Logger;
}

/** The type of the events. */
export const EVENTS: GroupVersionResource = { group: '', version: 'v1', resource: 'events' };

type EventClient = Pick<ClusterClient, 'create' | 'patch' | 'get' | 'address'>;

interface Remembered extends EventCount {
  readonly writtenMs: number;
}

/** An event is not worth more time than this. */
const TIMEOUT_MS = 5_000;

/** Records events. */
export class EventRecorder {
  readonly #component: string;
  readonly #quietMs: number;
  readonly #most: number;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #remembered = new Map<string, Remembered>();
  #lastProblem: string | undefined;

  constructor({ component, quietMs = 300_000, mostRemembered = 10_000, clock = systemClock, logger = silentLogger }: EventRecorderOptions) {
    this.#component = component;
    this.#quietMs = quietMs;
    this.#most = mostRemembered;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** Says something about an object, with a client of its workspace. Never throws; a failure is logged once in a row. */
  async record(client: EventClient, subject: EventSubject, said: SaidEvent, { signal }: Stoppable): Promise<void> {
    const key = `${client.address ?? ''}/${eventNamespace(subject)}/${eventName(subject, said, this.#component)}`;
    const nowMs = this.#clock.now();
    const before = this.#remembered.get(key);
    const count = { count: (before?.count ?? 0) + 1, firstMs: before?.firstMs ?? nowMs, lastMs: nowMs };
    const isQuiet = before !== undefined && nowMs - before.writtenMs < this.#quietMs;
    this.#remember(key, { ...count, writtenMs: isQuiet ? before.writtenMs : nowMs });
    if (isQuiet) return;
    try {
      const counted = await this.#write(client, subject, said, count, signal);
      this.#remember(key, { ...counted, writtenMs: nowMs });
      this.#lastProblem = undefined;
    } catch (error) {
      this.#remembered.delete(key);
      this.#tell(error);
    }
  }

  /** Creates the event, or counts on in the one that an earlier process made. */
  async #write(client: EventClient, subject: EventSubject, said: SaidEvent, count: EventCount, signal: AbortSignal): Promise<EventCount> {
    const options = { signal, timeoutMs: TIMEOUT_MS };
    const object = eventObject(subject, said, this.#component, count);
    const { namespace = '', name = '' } = object.metadata;
    const lastTimestamp = object['lastTimestamp'];
    if (count.count === 1) {
      try {
        await client.create(EVENTS, object, options);
        return count;
      } catch (error) {
        if (!isKcpError(error, 'already-exists')) throw error;
      }
      const there = await client.get(EVENTS, { namespace, name }, options);
      const counted = { ...count, count: (typeof there['count'] === 'number' ? there['count'] : 1) + 1 };
      await client.patch(EVENTS, { namespace, name }, { kind: 'merge', body: { count: counted.count, lastTimestamp } }, options);
      return counted;
    }
    try {
      await client.patch(EVENTS, { namespace, name }, { kind: 'merge', body: { count: count.count, lastTimestamp } }, options);
    } catch (error) {
      // kcp drops events after an hour.
      if (!isKcpError(error, 'not-found')) throw error;
      await client.create(EVENTS, object, options);
    }
    return count;
  }

  #remember(key: string, remembered: Remembered): void {
    this.#remembered.delete(key);
    this.#remembered.set(key, remembered);
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size > this.#most && oldest !== undefined) this.#remembered.delete(oldest);
  }

  #tell(error: unknown): void {
    const problem = error instanceof Error ? error.message : String(error);
    const isNews = this.#lastProblem !== problem;
    this.#lastProblem = problem;
    this.#logger[isNews ? 'warn' : 'debug']('event not recorded', { component: this.#component, problem });
  }
}
