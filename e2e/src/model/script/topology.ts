// Who plays in a seed. Workspaces cost a kcp much, so each lane has some providers and consumers to choose from, each made when it is first chosen;
// what a seed draws is which of them there are, and who has bound whom.
import type { ModelType, Resource } from './referenced.js';

/** Makes choices, for the same seed the same ones. */
export interface Draws {
  /** A whole number below the bound. */
  below(bound: number): number;
  /** True in so many of a hundred cases. */
  percent(share: number): boolean;
  /** One of them. */
  pick<T>(choices: readonly T[]): T;
}

/** A version of a type. */
export type Version = 'v1' | 'v2';

/** A type as a provider exports it. */
export interface TypeShape {
  readonly resource: Resource;
  readonly served: readonly [Version, ...Version[]];
  readonly stored: Version;
  /** The version that shows one of the references as a printer column, so that both ways of listing are played. */
  readonly column?: Version;
}

/** What each provider to choose from exports. */
export const PROVIDERS: readonly (readonly TypeShape[])[] = [
  [
    { resource: 'things', served: ['v1'], stored: 'v1', column: 'v1' },
    { resource: 'places', served: ['v1'], stored: 'v1' },
  ],
  [
    { resource: 'things', served: ['v1', 'v2'], stored: 'v2' },
    { resource: 'places', served: ['v1'], stored: 'v1' },
  ],
  [
    { resource: 'things', served: ['v1', 'v2'], stored: 'v1', column: 'v2' },
    { resource: 'places', served: ['v1', 'v2'], stored: 'v2' },
  ],
  [{ resource: 'things', served: ['v2'], stored: 'v2', column: 'v2' }],
  [{ resource: 'places', served: ['v1', 'v2'], stored: 'v1' }],
];

/** How many consumers there are to choose from. */
export const CONSUMERS = 8;

/** The providers and consumers of a seed, by their numbers. */
export interface Topology {
  readonly providers: readonly number[];
  readonly consumers: readonly ConsumerAtFirst[];
  /** What most steps are about: otherwise references would hardly ever meet a rule. */
  readonly topic: Topic;
}

/** A consumer, and which providers it has bound before the first step. */
export interface ConsumerAtFirst {
  readonly consumer: number;
  readonly binds: readonly number[];
}

/** One consumer and two types. */
export interface Topic {
  readonly consumer: number;
  readonly types: readonly ModelType[];
}

// Small topologies are the more likely ones: in large ones less of what happens has to do with each other.
const PROVIDER_COUNTS = [1, 2, 2, 3, 3, 4, 5];
const CONSUMER_COUNTS = [1, 1, 2, 2, 3, 4, 6, 8];
const BOUND_IN_HUNDRED = 75;

/** Any topology. The consumer that a seed is mostly about has bound all providers. */
export function drawTopology(draws: Draws): Topology {
  const providers = some(draws, draws.pick(PROVIDER_COUNTS), PROVIDERS.length);
  const chosen = some(draws, draws.pick(CONSUMER_COUNTS), CONSUMERS);
  const [topical = 0] = chosen;
  const consumers = chosen.map((consumer) => ({
    consumer,
    binds: consumer === topical ? providers : providers.filter(() => draws.percent(BOUND_IN_HUNDRED)),
  }));
  const types = [0, 1].map(() => draws.pick(typesOf(providers)));
  return { providers, consumers, topic: { consumer: topical, types } };
}

/** The types of providers. */
export function typesOf(providers: readonly number[]): readonly ModelType[] {
  return providers.flatMap((provider) => (PROVIDERS[provider] ?? []).map(({ resource }) => ({ provider, resource })));
}

/** The shape of a type. */
export function shapeOf({ provider, resource }: ModelType): TypeShape {
  const shape = PROVIDERS[provider]?.find((each) => each.resource === resource);
  if (shape === undefined) throw new Error(`provider ${provider} exports no ${resource}`);
  return shape;
}

/** So many numbers below a bound, each once, in any order. */
function some(draws: Draws, count: number, bound: number): readonly number[] {
  const left = Array.from({ length: bound }, (_, number) => number);
  return Array.from({ length: count }, () => left.splice(draws.below(left.length), 1)[0] ?? 0);
}
