import type { Case } from '../running/case.js';
import type { Stage } from '../stage/stage.js';

/** One assertion about kcp. */
export type ConformanceCase = Case<Stage>;
