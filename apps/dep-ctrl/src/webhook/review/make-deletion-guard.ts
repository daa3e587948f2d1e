import type { Clock, ClusterClient, Connection, Logger } from '@dep-ctrl/kcp-client';
import type { RegistryReader } from '@dep-ctrl/rule-registry';
import type { RuleSource } from '../../rules/rule-source.js';
import { noDecisions, type Decisions } from '../decision/decisions.js';
import { DeletionGuard } from './deletion-guard.js';
import { BindingMemory } from '../lookup/binding-memory.js';
import { DependentLookup } from '../lookup/dependent-lookup.js';
import { GuardingRules } from '../fresh-rules/guarding-rules.js';
import { LiveRules } from '../fresh-rules/live-rules.js';
import { SchemaMemory } from '../lookup/schema-memory.js';
import { defaultReadLimits, WorkspaceReads, type ReadLimits } from '../lists/workspace-reads.js';
import type { CollectYoung } from '../lists/young-garbage.js';

/** What judging deletions needs, with or without a server before it. */
export interface DeletionGuardParts {
  readonly connection: Connection;
  readonly home: { readonly exportName: string; readonly workspace: Pick<ClusterClient, 'list'> };
  readonly registry: RegistryReader;
  readonly source: Pick<RuleSource, 'seen' | 'state'>;
  readonly maxRuleAgeMs: number;
  readonly sliceFillsUpMs?: number;
  readonly clock: Clock;
  readonly decisions?: Pick<Decisions, 'listed'>;
  readonly logger?: Logger;
  readonly limits?: ReadLimits;
  readonly collectYoung?: CollectYoung;
}

/** Joins rules and lookups to a guard that reads kcp. */
export function makeDeletionGuard(parts: DeletionGuardParts): DeletionGuard {
  const { connection, clock, decisions = noDecisions, limits = defaultReadLimits, collectYoung = () => undefined } = parts;
  const reads = new WorkspaceReads({ workspace: (cluster) => connection.cluster(cluster), clock, decisions, limits, collectYoung });
  const schemas = new SchemaMemory({ read: (exporter, schema, reader) => reads.schema(exporter, schema, reader), clock });
  const rules = new GuardingRules({ ...parts, live: new LiveRules(parts) });
  const lookup = new DependentLookup({ reads, schemas });
  return new DeletionGuard({ reads, rules, lookup, bindings: new BindingMemory(), clock });
}
