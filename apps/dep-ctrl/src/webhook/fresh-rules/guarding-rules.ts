// Which rules guard a resource of a workspace. kcp asks only about what was once configured, so "no rule" is suspicious; so is what a silent
// watch said long ago, and what says less than the guard does: all that is looked up live before it is believed.
import type { Clock, EndpointsState, Stoppable } from '@dep-ctrl/kcp-client';
import type { GroupResource, LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { GuardingAnswer, RegistryReader, RuleMatch } from '@dep-ctrl/rule-registry';
import { SharedLists, type ListReader } from '@dep-ctrl/shared-lists';
import type { ApiBinding } from '@dep-ctrl/exported-types';
import { authorsFor } from '../bindings/consumer-bindings.js';
import { WATCHED_TYPES } from '../../rules/watched-types.js';
import { DECIDING_KINDS } from './live-endpoint.js';
import type { LiveLook } from './live-rules.js';
import { isFresh, type Proofs } from './rule-freshness.js';
import type { GuardingMatch } from '../lookup/type-question.js';

/** What {@link GuardingRules} needs. */
export interface GuardingRulesDependencies {
  /** What the watches say. */
  readonly registry: Pick<RegistryReader, 'guarding' | 'isGuardedByOthers' | 'isNamed' | 'paths'>;
  readonly source: { state(): EndpointsState };
  readonly live: { look(options: Stoppable): Promise<LiveLook>; readonly proofs: Proofs };
  readonly maxRuleAgeMs: number;
  readonly clock: Clock;
}

/** Which rules are asked for. */
export interface RulesQuestion {
  /** The workspace that exports the type. */
  readonly where: LogicalClusterName;
  readonly type: GroupResource;
  /** What the consumer has bound: rules of nobody else concern it. */
  readonly bindings: readonly ApiBinding[];
}

/** The rules that guard a resource, or that nobody can tell yet whether there are more. */
export type KnownRules =
  | {
      readonly state: 'known';
      readonly matches: readonly GuardingMatch[];
      /** Rules of others guard it too, or may: they concern the consumer if it has bound more than was said. */
      readonly areOthers: boolean;
    }
  | { readonly state: 'unknown' };

// Within this, an answer may be that much older than asked for: far less than rules take to get here.
const LOOK_AGAIN_MS = 50;

// How long to rest after a look, in its own length, and at most: a review has seconds in all.
const REST = 4;
const MOST_REST_MS = 1_000;

const TYPES = DECIDING_KINDS.map((kind) => WATCHED_TYPES[kind]);

/** Answers from the watches where that is good enough, else from a look that all reviews share which arrived before it began. */
export class GuardingRules {
  readonly #dependencies: GuardingRulesDependencies;
  readonly #looks: SharedLists<LiveLook>;
  readonly #told = new ToldMatches();
  #currentUntilMs = -Infinity;
  #mayLookAtMs = -Infinity;

  constructor(dependencies: GuardingRulesDependencies) {
    this.#dependencies = dependencies;
    this.#looks = new SharedLists(dependencies);
  }

  /** The rules that guard a type for a consumer. */
  async guarding(
    { where, type, bindings }: RulesQuestion,
    reader: Pick<ListReader<unknown>, 'signal' | 'patienceMs'>,
  ): Promise<KnownRules> {
    const { registry } = this.#dependencies;
    const watched = registry.guarding(where, type, authorsFor(bindings, registry.paths));
    if (watched.state === 'known' && registry.isNamed(where, type) && !watched.isBehind && this.#isCurrent()) {
      return this.#known(watched, registry, { where, type, bindings });
    }
    let looked: LiveLook | undefined;
    await this.#looks.read('', {
      ...reader,
      open: ({ signal }) => once(this.#look(signal)),
      accept: (look) => {
        looked = look;
        return 'more';
      },
    });
    if (looked === undefined || mayMiss(looked, where)) return { state: 'unknown' };
    const answer = looked.registry.guarding(where, type, authorsFor(bindings, registry.paths));
    return this.#known(answer, looked.registry, { where, type, bindings });
  }

  #known(
    { state, matches }: GuardingAnswer,
    registry: Pick<RegistryReader, 'paths' | 'isGuardedByOthers'>,
    { where, type, bindings }: RulesQuestion,
  ): KnownRules {
    if (state !== 'known') return { state: 'unknown' };
    const areOthers = registry.isGuardedByOthers(where, type, authorsFor(bindings, registry.paths));
    return { state, matches: this.#told.of(matches, registry.paths), areOthers };
  }

  /** A look reads all rules of all shards, and whoever has a URL token may ask about what no rule guards: looks take a fifth of the time at most. */
  async #look(signal: AbortSignal): Promise<LiveLook> {
    const { live, clock } = this.#dependencies;
    const restMs = this.#mayLookAtMs - clock.monotonic();
    if (restMs > 0) await clock.sleep(restMs, { signal });
    const beganMs = clock.monotonic();
    try {
      return await live.look({ signal });
    } finally {
      const endedMs = clock.monotonic();
      this.#mayLookAtMs = endedMs + Math.min(MOST_REST_MS, REST * (endedMs - beganMs));
    }
  }

  #isCurrent(): boolean {
    const { source, live, clock, maxRuleAgeMs } = this.#dependencies;
    const nowMs = clock.monotonic();
    if (nowMs < this.#currentUntilMs) return true;
    if (!isFresh({ state: source.state(), types: TYPES, proofs: live.proofs, nowMs, maxAgeMs: maxRuleAgeMs })) return false;
    this.#currentUntilMs = nowMs + LOOK_AGAIN_MS;
    return true;
  }
}

/** Whether the endpoint that shows the guarded workspace may not be named yet. */
function mayMiss({ registry, isFillingUp }: LiveLook, where: LogicalClusterName): boolean {
  return isFillingUp && !registry.isBound(where);
}

/** What is told about the same matches is the same list, until one of them changes: whoever prepares a question from it does so once. */
class ToldMatches {
  /** By the first of them. A rule that goes takes its lists along. */
  readonly #latest = new WeakMap<RuleMatch, { readonly of: readonly RuleMatch[]; readonly told: readonly GuardingMatch[] }>();

  of(matches: readonly RuleMatch[], paths: RegistryReader['paths']): readonly GuardingMatch[] {
    const [first] = matches;
    if (first === undefined) return [];
    const latest = this.#latest.get(first);
    const isTold = (match: RuleMatch, at: number): boolean =>
      latest?.of[at] === match && latest.told[at]?.rule.path === paths.pathOf(match.rule.cluster);
    if (latest?.of.length === matches.length && matches.every(isTold)) return latest.told;
    const told = guardingMatches(matches, paths);
    this.#latest.set(first, { of: matches, told });
    return told;
  }
}

/** One object for each rule, however many of its dependencies match. */
function guardingMatches(matches: readonly RuleMatch[], paths: RegistryReader['paths']): readonly GuardingMatch[] {
  const rules = new Map<RuleMatch['rule'], GuardingMatch['rule']>();
  return matches.map(({ rule, dependency }) => {
    const path = paths.pathOf(rule.cluster);
    const told = rules.get(rule) ?? (path === undefined ? rule : { ...rule, path });
    rules.set(rule, told);
    return { rule: told, dependency };
  });
}

async function* once<T>(value: Promise<T>): AsyncGenerator<T> {
  yield await value;
}
