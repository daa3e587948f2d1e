/*
 * Writes the status of one rule if it differs, through the virtual workspace of the endpoint that shows the rule. A PUT with resourceVersion: if the rule
 * has changed meanwhile, it is looked at again.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  Brake,
  type BrakeSettings,
  type Clock,
  isKcpError,
  type Logger,
  type VirtualWorkspaces,
  type Stoppable,
} from '@dep-ctrl/kcp-client';
import {
  isRejected,
  ruleInForce,
  RULES,
  type DependencyRuleStatus,
  type RegistryReader,
  type RuleKey,
  type RuleReport,
} from '@dep-ctrl/rule-registry';
import { timestamp } from '@dep-ctrl/kcp-names';
import type { Seen, SeenObjects } from '../../rules/watched-objects.js';
import type { RuleFactGatherer } from './rule-facts.js';
import { isWorthSaying, overQuotaStatus, rejectedRuleStatus, ruleStatus } from './rule-status.js';

/** What a `RuleStatusWriter` needs. */
export interface RuleStatusWriterDependencies {
  readonly registry: RegistryReader;
  readonly seen: Pick<SeenObjects, 'get'>;
  readonly workspaces: VirtualWorkspaces;
  readonly facts: RuleFactGatherer;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface DecidedStatus {
  readonly status: DependencyRuleStatus;
  /** When to look again without being told to. */
  readonly againInMs: number | undefined;
}

// What is wrong with a rule that was just written is often fixed by its author, who also writes the type that it names.
const WRONG_FIRST_MS = 1_000;
const WRONG_MS = 60_000;
// A type that is taken out of service shows within half a minute, where there are not thousands of rules to look at.
const RENEW_MS = 10_000;
const RENEW_EACH_MS = 10;
// If another writer keeps changing a status, we write at most this often.
const WRITES: BrakeSettings = { atOnce: 0, backoff: { firstMs: 500, factor: 1, capMs: 500 }, forgetMs: 500 };

/** Writes rule statuses, one call per rule at a time. */
export class RuleStatusWriter {
  readonly #dependencies: RuleStatusWriterDependencies;
  readonly #writes: Brake<RuleKey>;
  /** When a problem of a rule's current generation was first seen. */
  readonly #wrongSince = new Map<RuleKey, { readonly generation: number; readonly atMs: number }>();
  /** Rules whose status kcp refuses, with its message. */
  readonly #refusals = new Map<RuleKey, string>();

  constructor(dependencies: RuleStatusWriterDependencies) {
    this.#dependencies = dependencies;
    this.#writes = new Brake(dependencies.clock, WRITES);
  }

  /** Writes the status of a rule. Answers after how many milliseconds to look again: no watch shows that an export changes. */
  async write(key: RuleKey, { signal }: Stoppable): Promise<number | undefined> {
    const { registry, seen } = this.#dependencies;
    const report = registry.rule(key);
    const shown = report === undefined ? undefined : seen.get(report);
    if (report === undefined || shown === undefined) {
      this.#refusals.delete(key);
      this.#wrongSince.delete(key);
      return undefined;
    }
    const decided = await this.#statusOf(report, shown, signal);
    if (decided === undefined) return undefined;
    const { status, againInMs } = decided;
    if (isDeepStrictEqual(shown.value['status'], status)) return againInMs;
    if (!this.#writes.tryNow(key, undefined)) return this.#writes.waitMs(key, undefined);
    try {
      await this.#put(shown, status, signal);
    } catch (error) {
      this.#tellRefused(key, error);
      throw error;
    }
    this.#refusals.delete(key);
    return againInMs;
  }

  /** Undefined: too little is known. The reconciliation of the targets asks for the status again. */
  async #statusOf(report: RuleReport, { value: object }: Seen, signal: AbortSignal): Promise<DecidedStatus | undefined> {
    const context = { before: object['status'], now: timestamp(this.#dependencies.clock.now()) };
    if (this.#dependencies.registry.isOverQuota(report.key)) {
      return { status: overQuotaStatus(report, context), againInMs: undefined };
    }
    const rule = ruleInForce(report);
    const gathered = rule && (await this.#dependencies.facts.gather(rule, { signal }));
    const facts = gathered?.facts;
    if (facts !== undefined && !isWorthSaying(report, facts, context.before)) return undefined;
    const status = isRejected(report) ? rejectedRuleStatus(report, facts, context) : facts && ruleStatus(report, facts, context);
    return status && { status, againInMs: earlier(this.#againInMs(report, status), gathered?.againInMs) };
  }

  /** Mistakes are often fixed in the provider's workspace, so look again soon at first and then less often. */
  #againInMs({ key, generation }: RuleReport, { conditions = [] }: DependencyRuleStatus): number | undefined {
    const { clock, registry } = this.#dependencies;
    const resolved = conditions.find(({ type }) => type === 'TargetsResolved');
    if (resolved?.status !== 'False') this.#wrongSince.delete(key);
    if (resolved === undefined) return undefined;
    if (resolved.status !== 'False') return Math.max(RENEW_MS, registry.ruleCount * RENEW_EACH_MS);
    const known = this.#wrongSince.get(key);
    const since = known?.generation === generation ? known : { generation, atMs: clock.monotonic() };
    this.#wrongSince.set(key, since);
    return Math.min(WRONG_MS, Math.max(WRONG_FIRST_MS, clock.monotonic() - since.atMs));
  }

  /** A refusal stays until people act, so it is logged once. Other failures pass. */
  #tellRefused(rule: RuleKey, error: unknown): void {
    if (!isKcpError(error, 'forbidden', 'unauthorized', 'invalid') || this.#refusals.get(rule) === error.message) return;
    this.#refusals.set(rule, error.message);
    this.#dependencies.logger.warn('rule status refused', { rule, problem: error.message });
  }

  async #put({ endpoint, cluster, value: object }: Seen, status: DependencyRuleStatus, signal: AbortSignal): Promise<void> {
    const client = this.#dependencies.workspaces.virtualWorkspace(endpoint).cluster(cluster);
    await client.replaceStatus(RULES, { ...object, status }, { signal });
    const ready = status.conditions?.find(({ type }) => type === 'Ready');
    const { name } = object.metadata;
    this.#dependencies.logger.info('rule status written', { cluster, rule: name, ready: ready?.status, reason: ready?.reason });
  }
}

/** The earlier of two times, of which either may be missing. */
function earlier(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}
