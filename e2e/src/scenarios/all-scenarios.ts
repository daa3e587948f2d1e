import { references } from './s1-references.js';
import { ruleLife } from './s2-rules.js';
import { providers } from './s3-providers.js';
import { teardown } from './s4-teardown.js';
import { processes } from './s5-processes.js';
import { commands } from './s6-commands.js';
import type { Scenario } from './scenario.js';

/** Every scenario, in the order of the table at the end of a run. */
export const ALL_SCENARIOS: readonly Scenario[] = [...references, ...ruleLife, ...providers, ...teardown, ...processes, ...commands];
