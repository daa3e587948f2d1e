import type { Scenario } from '../scenarios/scenario.js';

/** A text of a source, which is there exactly once, and the text that is built instead. */
export interface Change {
  /** From the root of the repository. */
  readonly file: string;
  readonly now: string;
  readonly instead: string;
}

/** A text with a change made. */
export function changed(text: string, { now, instead }: Pick<Change, 'now' | 'instead'>): string {
  return text.replace(now, () => instead);
}

/** One thing that dep-ctrl does wrong in a build that is never shipped, and the scenarios that must notice. */
export interface Saboteur {
  /** For the command line and the table: `second-page-skipped`. */
  readonly name: string;
  /** What the program does, as a clause: "believes the first page of a list". */
  readonly does: string;
  readonly changes: readonly Change[];
  /** How long scenarios wait for what is to come, where the usual time of sabotage is not enough to set one up. */
  readonly patienceMs?: number;
  /** By scenario, a part of what its failed expectation says; several, where it depends on the moment which one. A failure that says something else shows nothing. */
  readonly fails: Readonly<Record<string, string | readonly string[]>>;
}

/** One scenario under one saboteur. */
export interface Trial {
  readonly saboteur: Saboteur;
  readonly scenario: Scenario;
  /** One of these. */
  readonly says: readonly string[];
}

/** Every trial of these saboteurs. Throws where one names a scenario that does not exist. */
export function trialsOf(saboteurs: readonly Saboteur[], scenarios: readonly Scenario[]): readonly Trial[] {
  return saboteurs.flatMap((saboteur) =>
    Object.entries(saboteur.fails).map(([id, says]) => {
      const scenario = scenarios.find((each) => each.id === id);
      if (scenario === undefined) throw new Error(`saboteur ${saboteur.name}: there is no scenario ${id}`);
      return { saboteur, scenario, says: typeof says === 'string' ? [says] : says };
    }),
  );
}
