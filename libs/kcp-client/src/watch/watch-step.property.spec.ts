import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import { KcpError, type KcpErrorCode } from '../errors/kcp-error.js';
import type { Observed, ReflectorEvent } from './reflector-event.js';
import { initialWatchState, type WatchCommand, type WatchInput, type WatchState } from './watch-state.js';
import { watchStep } from './watch-step.js';
import type { WatchLine } from './watch-line.js';

/** What may happen while a watch runs: changes on the server, and everything a network and a server can do to a client. */
type Happening =
  | { readonly kind: 'write'; readonly key: number }
  | { readonly kind: 'remove'; readonly key: number }
  | { readonly kind: 'compact' }
  | { readonly kind: 'proceed' }
  | { readonly kind: 'bookmark' }
  | { readonly kind: 'break'; readonly code: KcpErrorCode }
  | { readonly kind: 'end' }
  | { readonly kind: 'garbage' }
  /** Another server answers from now on: its revisions are far ahead, or far behind. */
  | { readonly kind: 'move'; readonly by: number };

const happening: fc.Arbitrary<Happening> = fc.oneof(
  fc.record({ kind: fc.constant('write' as const), key: fc.nat(4) }),
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), key: fc.nat(4) }) },
  fc.constant({ kind: 'compact' as const }),
  { weight: 4, arbitrary: fc.constant({ kind: 'proceed' as const }) },
  fc.constant({ kind: 'bookmark' as const }),
  fc.record({
    kind: fc.constant('break' as const),
    code: fc.constantFrom<KcpErrorCode[]>(
      'unreachable',
      'timeout',
      'expired',
      'forbidden',
      'unavailable',
      'not-served',
      'invalid',
      'throttled',
    ),
  }),
  fc.constant({ kind: 'end' as const }),
  fc.constant({ kind: 'garbage' as const }),
  fc.record({ kind: fc.constant('move' as const), by: fc.constantFrom(-1_000, 1_000) }),
);

describe('laws of a watch', () => {
  it('after any mix of pages, disconnects, bookmarks, 410s, garbage and other servers, what was told equals the server once it is quiet', () => {
    fc.assert(
      fc.property(fc.constantFrom('list' as const, 'stream' as const), fc.array(happening, { maxLength: 60 }), (initial, happenings) => {
        const world = new World(initial);

        for (const each of happenings) world.happen(each);
        world.settle();

        expect(world.told).toEqual(world.truth());
      }),
      { numRuns: 500 },
    );
  });

  it('whenever it says that it is connected and has been read dry, what was told equals the server', () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 60 }), (happenings) => {
        const world = new World('list');

        for (const each of happenings) {
          world.happen(each);

          if (world.isReadDry()) expect(world.told).toEqual(world.truth());
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('laws of a step', () => {
  const line = fc.oneof(
    fc
      .tuple(fc.constantFrom('applied' as const, 'deleted' as const), fc.nat(9))
      .map(([kind, at]): WatchLine => ({ kind, object: observed('o', at), resourceVersion: String(at) })),
    fc.record({ kind: fc.constant('bookmark' as const), resourceVersion: fc.constantFrom('', '3', '9'), initialEnd: fc.boolean() }),
    fc.constant<WatchLine>({ kind: 'undecodable', problem: 'garbage' }),
    fc.constant<WatchLine>({ kind: 'error', status: { kind: 'Status', code: 410 } }),
  );
  const error = fc
    .record({
      code: fc.constantFrom<KcpErrorCode[]>('unreachable', 'timeout', 'expired', 'invalid', 'throttled'),
      retryAfterMs: fc.constantFrom(0, 60_000),
    })
    .map((change) => new KcpError({ ...change, asked: 'watch', at: 'here', problem: 'broken' }));
  const page = fc.record({
    objects: fc.array(
      fc.nat(9).map((at) => observed('o', at)),
      { maxLength: 2 },
    ),
    undecodable: fc.constantFrom([], ['garbage']),
    resourceVersion: fc.constantFrom('3', '9'),
    last: fc.boolean(),
    restarted: fc.boolean(),
  });
  const input: fc.Arbitrary<WatchInput> = fc.oneof(
    fc.constantFrom<WatchInput[]>({ kind: 'started' }, { kind: 'watch-opened' }, { kind: 'watch-ended' }, { kind: 'waited' }),
    page.map((read): WatchInput => ({ kind: 'page', page: read })),
    fc.array(line, { maxLength: 4 }).map((lines): WatchInput => ({ kind: 'lines', lines })),
    fc.tuple(fc.constantFrom('list-failed' as const, 'watch-failed' as const), error).map(([kind, failure]) => ({ kind, error: failure })),
  );
  const context = fc.record({
    atMs: fc.nat(2_000_000),
    random: fc.constantFrom(0, 0.5, 0.999),
    initial: fc.constantFrom('list' as const, 'stream' as const),
    unheardMs: fc.constantFrom(0, 600_000),
  });

  it('whatever comes in whatever order, the command is what the new phase waits for', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(input, context), { maxLength: 20 }), (inputs) => {
        let state = initialWatchState;
        for (const [each, when] of inputs) {
          const { state: next, command } = watchStep(state, each, when);
          state = next;

          if (command.do !== 'go-on') expect(asked(state)).toBe(command.do === 'watch' && command.initial ? 'stream' : command.do);
          if (command.do === 'watch' && state.phase.at === 'watching') expect(command.resourceVersion).toBe(state.phase.resourceVersion);
          if (command.do === 'wait') expect(command.ms === 60_000 || (command.ms >= 100 && command.ms <= 10_000)).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('whatever comes in whatever order, it is synced from the first whole list on, and all objects are told only with one', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(input, context), { maxLength: 20 }), (inputs) => {
        let state = initialWatchState;
        for (const [each, when] of inputs) {
          const { state: next, events } = watchStep(state, each, when);
          const lists = events.filter(({ kind }) => kind === 'replaced').length;

          expect(lists <= 1 && next.freshness.synced).toBe(state.freshness.synced || lists === 1);
          state = next;
        }
      }),
      { numRuns: 500 },
    );
  });

  function asked({ phase }: WatchState): string {
    return { idle: 'go-on', listing: 'list', streaming: 'stream', watching: 'watch', waiting: 'wait' }[phase.at];
  }
});

/** An API server with a history, and a client that does what watchStep says. Pages hold two objects. */
class World {
  readonly told = new Map<string, string>();
  readonly #initial: 'list' | 'stream';
  readonly #objects = new Map<string, number>();
  #history: { readonly revision: number; readonly line: WatchLine }[] = [];
  #revision = 1_000_000;
  #compacted = 0;
  #state: WatchState = initialWatchState;
  #command: WatchCommand;
  #list: { readonly revision: number; readonly rest: readonly Observed[] } | undefined;
  #watch: { position: number; initial: readonly Observed[] | 'end-is-due' | undefined } | undefined;
  #refusesNext = false;
  #nowMs = 0;

  constructor(initial: 'list' | 'stream') {
    this.#initial = initial;
    this.#command = { do: 'go-on' };
    for (let key = 0; key < 5; key += 1) this.#change('write', `o${String(key)}`);
    this.#command = this.#step({ kind: 'started' });
  }

  truth(): Map<string, string> {
    return new Map([...this.#objects].map(([name, revision]) => [name, String(revision)]));
  }

  isReadDry(): boolean {
    return this.#watch?.position === this.#revision && this.#watch.initial === undefined && this.#state.freshness.synced;
  }

  /** Quiet, but for watches that the server ends in order when their time is over. */
  settle(): void {
    for (let watch = 0; watch < 3; watch += 1) {
      for (let turn = 0; turn < 50; turn += 1) this.happen({ kind: 'proceed' });
      this.#nowMs += 20_000;
      this.happen({ kind: 'end' });
    }
  }

  happen(happening: Happening): void {
    this.#nowMs += 700;
    switch (happening.kind) {
      case 'write':
      case 'remove': {
        this.#change(happening.kind, `o${String(happening.key)}`);
        return;
      }
      case 'compact':
        this.#compacted = this.#revision;
        this.#history = [];
        return;
      case 'proceed': {
        this.#proceed();
        return;
      }
      case 'bookmark': {
        this.#deliver([{ kind: 'bookmark', resourceVersion: String(this.#watch?.position ?? 0), initialEnd: false }]);
        return;
      }
      case 'garbage': {
        this.#deliver([{ kind: 'undecodable', problem: 'garbage' }]);
        return;
      }
      case 'break': {
        this.#break(happening.code);
        return;
      }
      case 'move':
        this.#move(happening.by);
        return;
      case 'end':
        if (this.#watch !== undefined) this.#after({ kind: 'watch-ended' });
        return;
    }
  }

  /** A client never gets from one server to another without noticing that the first is gone. */
  #move(by: number): void {
    this.#revision += by;
    this.#history = [];
    this.#compacted = this.#revision;
    this.#list = undefined;
    this.#objects.clear();
    for (const name of ['o0', 'o2', 'o9']) this.#change('write', name);
    if (this.#watch === undefined) this.#refusesNext = true;
    else this.#break('unreachable');
  }

  #change(kind: 'write' | 'remove', name: string): void {
    if (kind === 'remove' && !this.#objects.has(name)) return;
    this.#revision += 1;
    if (kind === 'write') this.#objects.set(name, this.#revision);
    else this.#objects.delete(name);
    const line: WatchLine = {
      kind: kind === 'write' ? 'applied' : 'deleted',
      object: observed(name, this.#revision),
      resourceVersion: String(this.#revision),
    };
    this.#history.push({ revision: this.#revision, line });
  }

  /** Does the next bit of what the client's last command asked for. */
  #proceed(): void {
    const command = this.#command;
    if (command.do === 'wait') this.#after({ kind: 'waited' });
    else if (this.#refusesNext) {
      this.#refusesNext = false;
      this.#break('unreachable');
    } else if (command.do === 'list') this.#nextPage();
    else if (command.do === 'watch' && this.#watch === undefined) this.#open(command);
    else this.#nextLines();
  }

  #nextPage(): void {
    const restarted = this.#list !== undefined && this.#list.revision < this.#compacted;
    if (this.#list === undefined || restarted) this.#list = { revision: this.#revision, rest: this.#snapshot() };
    const { revision, rest } = this.#list;
    const last = rest.length <= 2;
    this.#list = last ? undefined : { revision, rest: rest.slice(2) };
    const page = { objects: rest.slice(0, 2), undecodable: [], resourceVersion: String(revision), last, restarted };
    this.#after({ kind: 'page', page });
  }

  #open({ resourceVersion, initial }: WatchCommand & { readonly do: 'watch' }): void {
    if (!initial && Number(resourceVersion) < this.#compacted) {
      this.#break('expired');
      return;
    }
    this.#watch = initial
      ? { position: this.#revision, initial: this.#snapshot() }
      : { position: Number(resourceVersion), initial: undefined };
    this.#step({ kind: 'watch-opened' });
  }

  #nextLines(): void {
    if (this.#watch === undefined) return;
    const { initial, position } = this.#watch;
    if (initial !== undefined && initial !== 'end-is-due') {
      this.#watch.initial = 'end-is-due';
      this.#deliver(initial.map((object): WatchLine => ({ kind: 'applied', object, resourceVersion: String(position) })));
      return;
    }
    if (position < this.#compacted) {
      this.#break('expired');
      return;
    }
    const due = this.#history.filter(({ revision }) => revision > position).slice(0, 3);
    const reached = due.at(-1)?.revision ?? position;
    const end: WatchLine = { kind: 'bookmark', resourceVersion: String(reached), initialEnd: true };
    this.#watch = { position: reached, initial: undefined };
    this.#deliver([...due.map(({ line }) => line), ...(initial === 'end-is-due' ? [end] : [])]);
  }

  #deliver(lines: readonly WatchLine[]): void {
    if (this.#watch !== undefined) this.#step({ kind: 'lines', lines });
  }

  #break(code: KcpErrorCode): void {
    const error = new KcpError({ code, asked: 'watch', at: 'here', problem: 'broken' });
    if (this.#command.do === 'list') this.#after({ kind: 'list-failed', error });
    else if (this.#command.do === 'watch') this.#after({ kind: 'watch-failed', error });
  }

  #after(input: WatchInput): void {
    if (input.kind !== 'page') this.#list = undefined;
    if (input.kind !== 'page' && input.kind !== 'waited') this.#watch = undefined;
    const command = this.#step(input);
    if (command.do !== 'go-on') this.#command = command;
  }

  #step(input: WatchInput): WatchCommand {
    const { state, events, command } = watchStep(this.#state, input, {
      atMs: this.#nowMs,
      random: 0.5,
      initial: this.#initial,
      unheardMs: 600_000,
    });
    this.#state = state;
    for (const event of events) this.#tell(event);
    return command;
  }

  #tell(event: ReflectorEvent): void {
    if (event.kind === 'undecodable') return;
    if (event.kind === 'replaced') this.told.clear();
    const objects = event.kind === 'replaced' ? event.objects : [event.object];
    for (const { object } of objects) {
      const name = String(object.metadata.name);
      if (event.kind === 'deleted') this.told.delete(name);
      else this.told.set(name, String(object.metadata.resourceVersion));
    }
  }

  #snapshot(): Observed[] {
    return [...this.#objects].map(([name, revision]) => observed(name, revision));
  }
}

function observed(name: string, revision: number): Observed {
  return { cluster: 'c' as LogicalClusterName, object: { metadata: { name, resourceVersion: String(revision) } } };
}
