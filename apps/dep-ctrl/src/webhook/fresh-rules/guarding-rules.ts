// Which rules guard a resource of a workspace. kcp asks only about what was once configured, so "no rule" is suspicious; so is what a silent
// watch said long ago, and what says less than the guard does: all that is looked up live before it is believed.
import type { Clock, EndpointsState } from '@dep-ctrl/kcp-client';
import type { GroupResource, LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { GuardingAnswer, RegistryReader } from '@dep-ctrl/rule-registry';
import { WATCHED_TYPES } from '../../rules/watched-types.js';
import type { HeldByRule } from '../lookup/held-lookup.js';
import { DECIDING_KINDS } from './live-endpoint.js';
import type { LiveLook } from './live-rules.js';
import { isFresh, type Proofs } from './rule-freshness.js';
import { SharedLists, type ListReader } from '../lists/shared-lists.js';
import type { GuardingMatch } from '../lookup/type-question.js';

/** What {@link GuardingRules} needs. */
export interface GuardingRulesDependencies {
  /** What the watches say. */
  readonly registry: Pick<RegistryReader, 'guarding' | 'paths'>;
  readonly source: { state(): EndpointsState };
  readonly live: { look(options: { readonly signal: AbortSignal }): Promise<LiveLook>; readonly proofs: Proofs };
  readonly maxRuleAgeMs: number;
  readonly clock: Clock;
}

/** The rules that guard a resource and what rules held that cannot be read any more, or that nobody can tell yet whether there are more. */
export type KnownRules =
  | { readonly state: 'known'; readonly matches: readonly GuardingMatch[]; readonly held: readonly HeldByRule[] }
  | { readonly state: 'unknown' };

// Within this, an answer may be that much older than asked for: far less than rules take to get here.
const LOOK_AGAIN_MS = 50;

const TYPES = DECIDING_KINDS.map((kind) => WATCHED_TYPES[kind]);

/** Answers from the watches where that is good enough, else from a look that all reviews share which arrived before it began. */
export class GuardingRules {
  readonly #dependencies: GuardingRulesDependencies;
  readonly #looks: SharedLists<LiveLook>;
  #currentUntilMs = -Infinity;

  constructor(dependencies: GuardingRulesDependencies) {
    this.#dependencies = dependencies;
    this.#looks = new SharedLists(dependencies);
  }

  /** The rules that guard a type; `where` is undefined when nobody says which workspace exports it. */
  async guarding(
    where: LogicalClusterName | undefined,
    type: GroupResource,
    reader: Pick<ListReader<unknown>, 'signal' | 'patienceMs'>,
  ): Promise<KnownRules> {
    const { registry, live } = this.#dependencies;
    const watched = registry.guarding(where ?? 'anywhere', type);
    const isGuarded = watched.matches.length > 0 || watched.held.length > 0;
    if (watched.state === 'known' && isGuarded && !watched.isBehind && this.#isCurrent()) return known(watched, registry);
    let looked: LiveLook | undefined;
    await this.#looks.read('', {
      ...reader,
      open: ({ signal }) => once(live.look({ signal })),
      accept: (look) => {
        looked = look;
        return 'more';
      },
    });
    if (looked === undefined || mayMiss(looked, where)) return { state: 'unknown' };
    return known(looked.registry.guarding(where ?? 'anywhere', type), looked.registry);
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
function mayMiss({ registry, isFillingUp }: LiveLook, where: LogicalClusterName | undefined): boolean {
  return isFillingUp && (where === undefined || registry.paths.pathOf(where) === undefined);
}

// The registry keeps its answers until something is written.
const answered = new WeakMap<GuardingAnswer, KnownRules>();

function known(answer: GuardingAnswer, registry: Pick<RegistryReader, 'paths'>): KnownRules {
  const kept = answered.get(answer) ?? withPaths(answer, registry);
  answered.set(answer, kept);
  return kept;
}

function withPaths(answer: GuardingAnswer, { paths }: Pick<RegistryReader, 'paths'>): KnownRules {
  if (answer.state !== 'known') return { state: 'unknown' };
  const matches = answer.matches.map(({ rule, dependency }): GuardingMatch => {
    const path = paths.pathOf(rule.cluster);
    return { rule: path === undefined ? rule : { ...rule, path }, dependency };
  });
  const held = answer.held.map((each): HeldByRule => {
    const path = paths.pathOf(each.rule.cluster);
    return path === undefined ? each : { ...each, path };
  });
  return { state: 'known', matches, held };
}

async function* once<T>(value: Promise<T>): AsyncGenerator<T> {
  yield await value;
}
