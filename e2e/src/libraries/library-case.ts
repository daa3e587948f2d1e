import type { Connection } from '@dep-ctrl/kcp-client';
import type { Case } from '../running/case.js';
import type { Stage } from '../stage/stage.js';

/** What a case of the libraries is given. */
export interface Library {
  readonly kcp: Stage;
  /** kcp-admin, where users go. */
  readonly connection: Connection;
  /** Whether the server is in this process, with delays to match: then the cases wait less. */
  readonly isEmbedded: boolean;
  /** Says what was measured. */
  readonly tell: (figure: string) => void;
}

/** One law of a library, shown on a kcp that is broken on the way. */
export type LibraryCase = Case<Library>;
