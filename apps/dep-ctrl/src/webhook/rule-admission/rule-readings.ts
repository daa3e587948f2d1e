// Facts about a rule that were read beside its text. A fact that could not be read is absent, and causes no warning.
import type { KubeObject } from '@dep-ctrl/kcp-names';
import type { FoundSchema, WrongReason } from '@dep-ctrl/exported-types';

/** The facts about one target. */
export interface TargetReading {
  /** Whether a workspace at its path binds dep-ctrl. One that does not is the same as none. */
  readonly isBound?: boolean;
  readonly isClusterScoped?: boolean;
  /** What does not exist of what the rule names there, as its status will say. */
  readonly wrong?: { readonly reason: WrongReason; readonly message: string };
  /** Whether types refer to each other in a circle with this target of the rule. */
  readonly closesCycle?: boolean;
}

/** The facts. */
export interface RuleReadings {
  /** The schema of the dependent, in its author's own workspace. */
  readonly dependent?: Exclude<FoundSchema, { readonly state: 'not-verified' }>;
  /** By the position of the dependency in the rule. */
  readonly targets: ReadonlyMap<number, TargetReading>;
  /** Why not all of it was read, for the author, and what helps. Absent: all was read that could be. */
  readonly cutShort?: string;
}

/** No facts. */
export const NOTHING_READ: RuleReadings = { targets: new Map() };

/** The schema of the dependent, where it was found. */
export function schemaIn({ dependent }: RuleReadings): KubeObject | undefined {
  return dependent?.state === 'found' ? dependent.schema : undefined;
}
