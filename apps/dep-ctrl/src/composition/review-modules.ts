import { ContainerModule } from 'inversify';
import type { YoungGarbage } from '@dep-ctrl/kcp-client';
import { defaultReadLimits, type ReadLimits, WorkspaceLists, WorkspacePages } from '@dep-ctrl/shared-lists';
import { BindingReads, SchemaMemory } from '@dep-ctrl/exported-types';
import { RuleSource } from '../rules/rule-source.js';
import { GuardingRules } from '../webhook/fresh-rules/guarding-rules.js';
import { LiveRules } from '../webhook/fresh-rules/live-rules.js';
import { BindingMemory } from '../webhook/lookup/binding-memory.js';
import { DependentLookup } from '../webhook/lookup/dependent-lookup.js';
import { TypeLookup } from '../webhook/lookup/type-lookup.js';
import type { ReviewObserver } from '../webhook/decision/review-observer.js';
import { DeletionGuard } from '../webhook/review/deletion-guard.js';
import { ReviewDesk } from '../webhook/review/review-desk.js';
import type { SharedParts } from './tokens.js';

/** The options of the parts that judge deletions. */
export interface ReviewOptions {
  readonly observer: ReviewObserver;
  /** How many objects that refer to the subject are looked for, of each rule and path; as many as a refusal names unless given. */
  readonly wanted?: number | undefined;
  /** How long a watch may be silent before its rules are looked up live. */
  readonly maxRuleAgeMs: number;
  /** Whether kcp asks, because of a configuration; false: `explain` or the console asks. Default: true. */
  readonly isAskedByKcp?: boolean;
  /** For how long a new endpoint slice may lack shards. */
  readonly sliceFillsUpMs?: number;
  readonly limits?: Partial<ReadLimits>;
  /** Has what is left of large reads collected; absent: V8 does it when it likes. */
  readonly garbage?: Pick<YoungGarbage, 'add'>;
}

/** The parts that judge deletions, with or without a server in front. */
export function reviewModules(shared: SharedParts, options: ReviewOptions): readonly ContainerModule[] {
  const { connection, clock } = shared;
  const { observer, garbage = { add: () => undefined } } = options;
  const limits = { ...defaultReadLimits, ...options.limits };
  const lists = new ContainerModule(({ bind }) => {
    bind(WorkspacePages).toResolvedValue(
      () => new WorkspacePages({ workspace: (cluster) => connection.cluster(cluster), clock, observer, limits, garbage }),
    );
    bind(WorkspaceLists).toResolvedValue((pages) => new WorkspaceLists({ pages, clock, of: 'dependents' }), [WorkspacePages]);
    bind(BindingReads).toResolvedValue((pages) => new BindingReads({ pages, clock }), [WorkspacePages]);
  });
  const lookup = new ContainerModule(({ bind }) => {
    bind(SchemaMemory).toResolvedValue((reads) => new SchemaMemory({ read: (...asked) => reads.schema(...asked), clock }), [BindingReads]);
    bind(TypeLookup).toResolvedValue(
      (lists, reads, schemas) => new TypeLookup({ lists, reads, schemas, wanted: options.wanted }),
      [WorkspaceLists, BindingReads, SchemaMemory],
    );
    bind(BindingMemory).toResolvedValue(() => new BindingMemory());
    bind(DependentLookup).toResolvedValue((types) => new DependentLookup({ types, wanted: options.wanted }), [TypeLookup]);
  });
  const freshRules = new ContainerModule(({ bind }) => {
    bind(LiveRules).toResolvedValue((source) => new LiveRules({ ...shared, ...options, source }), [RuleSource]);
    bind(GuardingRules).toResolvedValue(
      (source, live) => new GuardingRules({ ...shared, ...options, source, live }),
      [RuleSource, LiveRules],
    );
  });
  const review = new ContainerModule(({ bind }) => {
    bind(DeletionGuard).toResolvedValue(
      (reads, rules, findings, bindings) => new DeletionGuard({ reads, rules, lookup: findings, bindings, clock }),
      [BindingReads, GuardingRules, DependentLookup, BindingMemory],
    );
    bind(ReviewDesk).toResolvedValue((guard) => new ReviewDesk({ ...shared, observer, guard }), [DeletionGuard]);
  });
  return [lists, lookup, freshRules, review];
}
