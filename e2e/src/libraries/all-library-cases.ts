import { elections } from './l2-elections.js';
import { movedEndpoint } from './l1-moved-endpoint.js';
import { workspaces } from './l3-workspaces.js';
import { installations } from './l4-installations.js';
import type { LibraryCase } from './library-case.js';
import { watches } from './l1-watches.js';
import { operators } from './operators/l5-operators.js';
import { operatorReplicas } from './operators/l5-replicas.js';

/** Every case, in the order of the table at the end of a run. */
export const ALL_LIBRARY_CASES: readonly LibraryCase[] = [
  ...watches,
  ...movedEndpoint,
  ...elections,
  ...workspaces,
  ...installations,
  ...operators,
  ...operatorReplicas,
];
