// Makes single requests fail on purpose. The first rule that matches a request applies.
import type { IncomingRequest } from '../http/incoming-request.js';
import type { RequestHandler } from '../http/listener.js';
import { jsonReply, type Outcome, type StreamReply } from '../http/reply.js';
import { matchesRequest, type RecordedRequest, type RequestLog, type RequestMatch } from './request-log.js';
import { WatchGate } from './watch-gate.js';

/** What happens to a request that matches. */
export type RequestFault =
  /** It is served later. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** It is served, but its answer waits until the fault is removed. */
  | { readonly kind: 'hold' }
  /** The connection breaks before any answer. */
  | { readonly kind: 'drop' }
  /** The answer breaks off after so many bytes of its body. */
  | { readonly kind: 'cut'; readonly afterBytes: number }
  /** It is answered without being served. */
  | { readonly kind: 'answer'; readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  /** A watch, one that runs already too, stays open and says nothing until the fault is removed; then it tells what it held back. */
  | { readonly kind: 'freeze' };

/** A fault that was added: calling it removes it. */
export interface InjectedFault {
  (): void;
  /** How many requests it has happened to. A watch that is to freeze counts when it is one. */
  readonly hits: () => number;
}

interface Rule {
  readonly match: RequestMatch;
  readonly fault: RequestFault;
  readonly removed: Promise<void>;
  readonly remove: () => void;
  hits: number;
  /** The watches that it keeps silent. */
  readonly frozen: Set<WatchGate>;
  left: number;
}

/** The rules in force. */
export class RequestFaults {
  readonly #rules = new Set<Rule>();
  readonly #watches = new Map<WatchGate, RecordedRequest>();

  /**
   * Adds a fault for requests that match, the next `times` of them or all. Returns what removes it, and counts what it happened to. Watches that run
   * and match are frozen at once, oldest first, and count as well.
   */
  add(match: RequestMatch, fault: RequestFault, { times = Number.POSITIVE_INFINITY }: { readonly times?: number } = {}): InjectedFault {
    const { promise, resolve } = deferred();
    const rule: Rule = {
      match,
      fault,
      removed: promise,
      hits: 0,
      frozen: new Set(),
      left: times,
      remove: () => {
        this.#rules.delete(rule);
        for (const gate of rule.frozen) gate.thaw(rule);
        rule.frozen.clear();
        resolve();
      },
    };
    this.#rules.add(rule);
    if (fault.kind === 'freeze') for (const [gate, request] of this.#watches) if (take(rule, request)) freeze(gate, rule);
    return Object.assign(rule.remove, { hits: () => rule.hits });
  }

  /** Removes every fault. */
  clear(): void {
    for (const rule of [...this.#rules]) rule.remove();
  }

  /** Wraps a listener's handler: records each request, then lets the first matching fault act. */
  wrap(listener: string, log: RequestLog, handle: RequestHandler): RequestHandler {
    return async (request) => {
      const recorded = record(listener, request);
      log.add(recorded);
      const rule = this.#take(recorded);
      const outcome = rule === undefined ? await handle(request) : await inflict(rule, request, handle);
      return outcome.kind === 'stream' ? this.#gated(outcome, recorded, rule) : outcome;
    };
  }

  /** A watch that can be frozen, now or while it runs. */
  #gated(reply: StreamReply, request: RecordedRequest, rule: Rule | undefined): StreamReply {
    return {
      ...reply,
      start: (sink) => {
        const gate = new WatchGate(sink);
        if (rule?.fault.kind === 'freeze' && this.#rules.has(rule)) freeze(gate, rule);
        this.#watches.set(gate, request);
        const stop = reply.start(gate);
        return () => {
          this.#watches.delete(gate);
          for (const each of this.#rules) each.frozen.delete(gate);
          stop();
        };
      },
    };
  }

  #take(request: RecordedRequest): Rule | undefined {
    for (const rule of this.#rules) if (take(rule, request)) return rule;
    return undefined;
  }
}

/** Whether the rule is for the request; then it is used up by one. */
function take(rule: Rule, request: RecordedRequest): boolean {
  if (rule.left <= 0 || !matchesRequest(rule.match, request)) return false;
  rule.left -= 1;
  return true;
}

function freeze(gate: WatchGate, rule: Rule): void {
  rule.hits += 1;
  rule.frozen.add(gate);
  gate.freeze(rule);
}

async function inflict(rule: Rule, request: IncomingRequest, handle: RequestHandler): Promise<Outcome> {
  const { fault } = rule;
  if (fault.kind !== 'freeze') rule.hits += 1;
  switch (fault.kind) {
    case 'delay':
      await pause(fault.ms, request.signal);
      return handle(request);
    case 'hold': {
      const outcome = await handle(request);
      await rule.removed;
      return outcome;
    }
    case 'drop':
      return { kind: 'drop' };
    case 'cut': {
      const outcome = await handle(request);
      return outcome.kind === 'whole' || outcome.kind === 'stream'
        ? { kind: 'cut', reply: outcome, afterBytes: fault.afterBytes }
        : outcome;
    }
    case 'answer':
      return jsonReply(
        fault.status,
        fault.body ?? { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: fault.status },
        fault.headers,
      );
    case 'freeze':
      return handle(request);
    default:
      return fault satisfies never;
  }
}

function record(listener: string, request: IncomingRequest): RecordedRequest {
  return {
    listener,
    method: request.method,
    path: request.path,
    query: decodeURIComponent(request.query.toString().replaceAll('+', ' ')),
    userAgent: request.headers['user-agent'] ?? '',
    at: Date.now(),
  };
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
