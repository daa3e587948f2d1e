import type { Case } from '../running/case.js';
import type { World } from './world.js';

/** One thing that users of dep-ctrl see, shown with the product as processes of its own. */
export type Scenario = Case<World>;
