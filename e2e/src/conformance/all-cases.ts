import { pathsAndErrors } from './a-paths-and-errors.js';
import type { ConformanceCase } from './case.js';

/** Every case, in the order of the table at the end of a run. */
export const ALL_CASES: readonly ConformanceCase[] = [...pathsAndErrors];
