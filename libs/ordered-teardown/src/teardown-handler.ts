// Called for each dying workspace, again and again until everything that has an order is gone, or time is up. Then the workspace is let go, always.
import { isKcpError, silentLogger, systemClock, type Clock, type Logger, type Stoppable } from '@dep-ctrl/kcp-client';
import { printGroupResource } from '@dep-ctrl/kcp-names';
import type { AgainLater, LifecycleHandler, WaitingWorkspace } from '@dep-ctrl/workspace-lifecycle';
import type { Ordering } from './ordering.js';
import { ORDER_UNKNOWN_MS, teardownEnd, type Pass, type TeardownEnd, type TeardownTimes } from './teardown-end.js';
import { failureLine, teardownLine } from './teardown-line.js';
import { isNewLine, TeardownMemory, type TeardownNotes } from './teardown-memory.js';
import { silentTeardown, type TeardownObserver } from './teardown-observer.js';
import { teardownPass, type PassResult } from './teardown-pass.js';

/** What a `TeardownHandler` needs. */
export interface TeardownHandlerOptions {
  readonly ordering: Ordering;
  /** The WorkspaceType, for texts. */
  readonly typeName: string;
  /** How long a workspace is held at most, from its deletion. */
  readonly timeoutMs: number;
  /** Whether the WorkspaceType is known to be gone: `state()` of the LifecycleController says so. */
  readonly isTypeGone: () => boolean;
  readonly observer?: TeardownObserver;
  readonly clock?: Clock;
  readonly logger?: Logger;
}

// Others take some 10 ms to notice that their object ends; a finalizer that takes longer is looked at each second.
const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 1_000;
const UNTIL_THE_ORDER_IS_KNOWN_MS = 200;
const NEXT_TURN_MS = 10;
/** A delete takes kcp some 10 ms. A workspace that keeps it waiting for longer gets more time at each call, as a webhook of others may take 10 s, and less often a turn. */
const REQUEST_MS = 2_000;
const LONGEST_REQUEST_MS = 10_000;
const LONGEST_SLOW_WAIT_MS = 30_000;
/** So many of the workspaces that keep kcp waiting are worked on at a time: the others find a slot. */
const SLOW_AT_ONCE = 4;
const UNTIL_A_SLOW_TURN_MS = 500;

interface Call {
  readonly workspace: WaitingWorkspace;
  readonly notes: TeardownNotes;
}

/** Tears down dying workspaces in order. */
export class TeardownHandler {
  readonly #options: Required<TeardownHandlerOptions>;
  readonly #memory: TeardownMemory;
  #slowNow = 0;

  constructor({ observer = silentTeardown, clock = systemClock, logger = silentLogger, ...options }: TeardownHandlerOptions) {
    this.#options = { ...options, observer, clock, logger };
    this.#memory = new TeardownMemory(clock);
  }

  /** How many workspaces are held by finalizers or refusals of others. */
  get held(): number {
    return this.#memory.held;
  }

  readonly handle: LifecycleHandler = async (workspace, options) => {
    const call = { workspace, notes: this.#memory.of(workspace.cluster) };
    const { notes } = call;
    // Each gets one try, whatever the clocks say; and however a try ends, there is none after its time.
    if (notes.calls > 0 && teardownEnd('waiting', this.#times(call), this.#options.timeoutMs) !== 'go-on') {
      this.#end('timed-out', call, { waitsFor: notes.waitsFor });
      return undefined;
    }
    const isSlow = notes.slowCalls > 0;
    if (isSlow && this.#slowNow >= SLOW_AT_ONCE) return { againMs: UNTIL_A_SLOW_TURN_MS };
    notes.calls += 1;
    if (isSlow) this.#slowNow += 1;
    try {
      return await this.#work(call, options);
    } finally {
      if (isSlow) this.#slowNow -= 1;
    }
  };

  async #work(call: Call, options: Stoppable): Promise<AgainLater | undefined> {
    const { notes } = call;
    const before = notes.deleted + notes.annotated;
    let result: PassResult;
    try {
      result = await this.#pass(call, options);
    } catch (failure) {
      if (!options.signal.aborted && this.#endsWith(failure, call)) return undefined;
      // Should there be no time for another try, the last line says why.
      notes.waitsFor = failureLine(failure);
      throw failure;
    }
    this.#tellLeft(result, call);
    return this.#after(result, call, notes.deleted + notes.annotated > before);
  }

  #pass({ workspace: { client }, notes }: Call, options: Stoppable): Promise<PassResult> {
    const { ordering, clock, observer } = this.#options;
    return teardownPass(
      {
        client,
        ordering,
        clock,
        requestMs: Math.min(LONGEST_REQUEST_MS, REQUEST_MS * 2 ** notes.slowCalls),
        withOrderAsItIs: clock.monotonic() - notes.firstSeenMs >= ORDER_UNKNOWN_MS,
        onDeleted: () => {
          notes.deleted += 1;
          observer.objectDeleted();
        },
        onAnnotated: () => {
          notes.annotated += 1;
          observer.objectAnnotated();
        },
      },
      options,
    );
  }

  #after(result: PassResult, call: Call, hasMoved: boolean): AgainLater | undefined {
    const { logger } = this.#options;
    const { notes, workspace } = call;
    const pass: Pass = result.kind === 'empty' && result.left.length > 0 ? 'partly-left' : result.kind;
    const waitsFor = teardownLine(result.named, result.more) || unnamedReason(result);
    notes.waitsFor = waitsFor;
    notes.slowCalls = result.isSlow ? notes.slowCalls + 1 : 0;
    const end = teardownEnd(pass, this.#times(call), this.#options.timeoutMs);
    if (end !== 'go-on') {
      this.#end(end, call, waitsFor === '' ? {} : { waitsFor });
      return undefined;
    }
    if (pass === 'order-unknown') return { againMs: UNTIL_THE_ORDER_IS_KNOWN_MS };
    const isTurnOver = result.isCut && !result.isSlow && hasMoved;
    notes.isHeld = !isTurnOver;
    if (isTurnOver) return { againMs: NEXT_TURN_MS };
    if (isNewLine(notes, waitsFor)) logger.info('teardown waits', { cluster: workspace.cluster, for: waitsFor });
    if (result.isSlow) return { againMs: Math.min(LONGEST_SLOW_WAIT_MS, LONGEST_WAIT_MS * 2 ** (notes.slowCalls - 1)) };
    notes.waits += 1;
    return { againMs: Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (notes.waits - 1)) };
  }

  /** Whether a failure is the end; if not, it is tried again. */
  #endsWith(failure: unknown, call: Call): boolean {
    const pass: Pass = isKcpError(failure, 'forbidden') ? 'forbidden' : this.#options.isTypeGone() ? 'type-gone' : 'failed';
    const end = teardownEnd(pass, this.#times(call), this.#options.timeoutMs);
    if (end === 'go-on') return false;
    this.#end(end, call, { error: failure });
    return true;
  }

  #times({ workspace: { deletionTimestamp }, notes }: Call): TeardownTimes {
    const { clock } = this.#options;
    const deletedAtMs = Date.parse(deletionTimestamp ?? '');
    return {
      deletedAtMs: Number.isNaN(deletedAtMs) ? undefined : deletedAtMs,
      nowMs: clock.now(),
      seenForMs: clock.monotonic() - notes.firstSeenMs,
    };
  }

  #tellLeft({ left }: PassResult, { workspace, notes }: Call): void {
    const { logger } = this.#options;
    for (const { type, why } of left) {
      const resource = printGroupResource(type);
      if (isNewLine(notes, `${resource}: ${why}`)) logger.warn('type left to kcp', { cluster: workspace.cluster, resource, why });
    }
  }

  #end(end: TeardownEnd, call: Call, more: Readonly<Record<string, unknown>>): void {
    const { observer, logger } = this.#options;
    const { workspace, notes } = call;
    this.#memory.forget(workspace.cluster);
    // Not since the deletion: kcp tells that in whole seconds.
    const { seenForMs } = this.#times(call);
    observer.teardownEnded(end, seenForMs / 1000);
    const { deleted, annotated } = notes;
    const fields = { cluster: workspace.cluster, deleted, annotated, seenForMs, ...more };
    switch (end) {
      case 'empty':
      case 'partly-left':
        if (deleted + annotated > 0) logger.info('workspace torn down in order', fields);
        else logger.debug('nothing to tear down in order', fields);
        return;
      case 'type-gone':
        logger.warn('the workspace type is gone: the workspace is let go without an order', fields);
        return;
      case 'forbidden':
        logger.warn('the workspace is let go without an order: kcp does not show what is in it', { ...fields, grant: this.#grant() });
        return;
      case 'timed-out':
        logger.error('teardown timed out: the workspace is let go without an order', fields);
        return;
      default:
        end satisfies never;
    }
  }

  #grant(): string {
    const { typeName, ordering } = this.#options;
    const type = JSON.stringify(typeName);
    const how = `add "get" and "list" on apibindings.apis.kcp.io to spec.terminatorPermissions of WorkspaceType ${type}`;
    return [how, ordering.hints?.onBindings].filter((part) => part !== undefined).join(', ');
  }
}

/** Why a call ended although it can name no object. */
function unnamedReason({ isCut, types }: PassResult): string {
  return isCut ? `time: it takes too long to look at its ${types} types` : '';
}
