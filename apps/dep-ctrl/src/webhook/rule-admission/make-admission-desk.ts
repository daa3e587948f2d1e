import type { Clock, Connection, Logger } from '@dep-ctrl/kcp-client';
import type { RegistryReader } from '@dep-ctrl/rule-registry';
import type { WorkspaceResolver } from '@dep-ctrl/workspace-resolver';
import { ExportReader } from '../../schema-checks/export-reader.js';
import { AdmissionDesk } from './admission-desk.js';
import { RuleReader } from './rule-reader.js';

/** What judging rules and guards as they are written needs. */
export interface AdmissionDeskParts {
  readonly connection: Connection;
  readonly registry: RegistryReader;
  readonly resolver: Pick<WorkspaceResolver, 'resolve'>;
  readonly clock: Clock;
  readonly logger?: Logger;
}

/** Joins what reads about a rule to a desk that answers reviews. */
export function makeAdmissionDesk(parts: AdmissionDeskParts): AdmissionDesk {
  const { connection, clock } = parts;
  const exports = (): ExportReader => new ExportReader({ connection, clock });
  return new AdmissionDesk({ ...parts, reader: new RuleReader({ ...parts, exports }) });
}
