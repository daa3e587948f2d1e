// Finds the rules that guard a resource of a workspace. The watches are not believed, and the rules are read live, in three cases: there is no rule,
// although kcp calls only for configured resources; the watches are too old; the watches name fewer rules than the guard.
import type { Clock, EndpointsState, Stoppable } from '@dep-ctrl/kcp-client';
import type { GroupResource, LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { GuardingAnswer, RegistryReader, RuleMatch } from '@dep-ctrl/rule-registry';
import { SharedLists, type ListReader } from '@dep-ctrl/shared-lists';
import type { ApiBinding } from '@dep-ctrl/exported-types';
import { authorsFor } from '../bindings/consumer-bindings.js';
import { DECIDING_TYPES } from './live-endpoint.js';
import type { LiveLook } from './live-rules.js';
import { isFresh, type Proofs } from './rule-freshness.js';
import type { GuardingMatch } from '../lookup/type-question.js';

/** What {@link GuardingRules} needs. */
export interface GuardingRulesDependencies {
  /** Fed by the watches. */
  readonly registry: Pick<RegistryReader, 'isBound' | 'guarding' | 'isGuardedByOthers' | 'isNamed' | 'paths'>;
  readonly source: { state(): EndpointsState };
  readonly live: { look(options: Stoppable): Promise<LiveLook>; readonly proofs: Proofs };
  readonly maxRuleAgeMs: number;
  /** Whether kcp asks, because of a configuration; false: `explain` or the console asks. Default: true. */
  readonly isAskedByKcp?: boolean;
  readonly clock: Clock;
}

/** The question: which rules guard this type for this consumer? */
export interface RulesQuestion {
  /** The workspace that exports the type. */
  readonly where: LogicalClusterName;
  readonly type: GroupResource;
  /** The consumer's bindings: only rules of their exporters concern it. */
  readonly bindings: readonly ApiBinding[];
}

/** The rules that guard a resource; unknown: there may be more. */
export type KnownRules =
  | {
      readonly state: 'known';
      readonly matches: readonly GuardingMatch[];
      /** Rules of other authors guard it, too, or may do so. They concern the consumer only if it has bound more than these bindings. */
      readonly areOthers: boolean;
    }
  | { readonly state: 'unknown' }
  /** kcp asks for a workspace that is not bound: no controller of this installation made the configuration. */
  | { readonly state: 'not-bound' };

// For this time an answer is used again: far less than the time in which rules arrive.
const LOOK_AGAIN_MS = 50;

// The pause after a live look, as a multiple of its length, and its maximum: a review has seconds in all.
const REST = 4;
const MOST_REST_MS = 1_000;

/** Answers from the watches if they suffice, else from a live look. All reviews that arrived before a look share it. */
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
    const isUsable = watched.state === 'known' && !watched.isBehind && registry.isNamed(where, type) && this.#isInPlace(registry, where);
    if (isUsable && this.#isCurrent()) {
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
    if (answer.state === 'known' && !this.#isInPlace(looked.registry, where)) return { state: 'not-bound' };
    return this.#known(answer, looked.registry, { where, type, bindings });
  }

  /** kcp asks because of a configuration, and a controller of this installation writes one in workspaces that are bound. */
  #isInPlace(registry: Pick<RegistryReader, 'isBound'>, where: LogicalClusterName): boolean {
    return this.#dependencies.isAskedByKcp === false || registry.isBound(where);
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

  /** A look reads all rules of all shards, and a caller with a token can force one: so looks take at most a fifth of the time. */
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
    if (!isFresh({ state: source.state(), types: DECIDING_TYPES, proofs: live.proofs, nowMs, maxAgeMs: maxRuleAgeMs })) return false;
    this.#currentUntilMs = nowMs + LOOK_AGAIN_MS;
    return true;
  }
}

/** Whether the endpoint slice may still lack the endpoint of the guarded workspace. */
function mayMiss({ registry, isFillingUp }: LiveLook, where: LogicalClusterName): boolean {
  return isFillingUp && !registry.isBound(where);
}

/** Returns the same list for the same matches until one of them changes, so that questions made from it can be kept. */
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
