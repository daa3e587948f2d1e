import { references } from './s1-references.js';
import type { Scenario } from './scenario.js';

/** Every scenario, in the order of the table at the end of a run. */
export const ALL_SCENARIOS: readonly Scenario[] = [...references];
