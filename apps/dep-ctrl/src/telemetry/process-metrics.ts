// Our metrics on prom-client. Counters and histograms observe reviews and lists. Gauges read the state of the roles when they are scraped, so no state is
// kept twice.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Clock, Freshness } from '@dep-ctrl/kcp-client';
import type { TeardownEnd, TeardownObserver } from '@dep-ctrl/ordered-teardown';
import { ruleKeyOf, type RegistryReader } from '@dep-ctrl/rule-registry';
import type { FinishedList } from '@dep-ctrl/shared-lists';
import type { ControllerRole } from '../controller/controller-role.js';
import type { RuleSource } from '../rules/rule-source.js';
import type { Decision } from '../webhook/decision/decide-deletion.js';
import type { ReviewObserver, DecidedReview } from '../webhook/decision/review-observer.js';
import type { DecidingRule } from '../webhook/decision/lookup.js';
import { VERSION } from '../command-line/version.js';
import { METRICS, type MetricName } from './metric-definitions.js';
import { RuleSeries } from './rule-series.js';
import { falseByReason } from './rule-states.js';

/** The state that gauges read. */
export interface ObservedProcess {
  readonly clock: Clock;
  readonly source: Pick<RuleSource, 'state' | 'seen'>;
  readonly registry: Pick<RegistryReader, 'snapshot' | 'completeness'>;
  /** Undefined if the controller does not run here. */
  readonly controller: Pick<ControllerRole, 'state'> | undefined;
}

// From what the API server itself needs to the 10 s that a review may take.
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
// To the 10 min of --teardown-timeout.
const TEARDOWN_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];
const LAG_SAMPLE_MS = 20;

/** The metrics of one process. */
export class ProcessMetrics implements ReviewObserver, TeardownObserver {
  readonly #registry = new Registry();
  readonly #reviews = new RuleSeries(this.#counter('dep_ctrl_reviews_total'));
  readonly #refused = this.#counter('dep_ctrl_reviews_refused_total');
  readonly #reviewSeconds = this.#histogram('dep_ctrl_review_duration_seconds');
  readonly #lists = this.#counter('dep_ctrl_lists_total');
  readonly #pages = this.#counter('dep_ctrl_list_pages_total');
  readonly #bytes = this.#counter('dep_ctrl_list_bytes_total');
  readonly #listSeconds = this.#histogram('dep_ctrl_list_duration_seconds');
  readonly #teardownSeconds = this.#histogram('dep_ctrl_teardown_seconds', TEARDOWN_SECONDS);
  readonly #tornDown = this.#counter('dep_ctrl_teardown_objects_deleted_total');
  readonly #annotated = this.#counter('dep_ctrl_teardown_annotated_total');
  #certificate: Gauge | undefined;
  #forgetRules: () => void = () => undefined;

  constructor() {
    collectDefaultMetrics({ register: this.#registry });
    this.#gauge('dep_ctrl_build_info').set({ version: VERSION }, 1);
    const delay = monitorEventLoopDelay({ resolution: LAG_SAMPLE_MS });
    delay.enable();
    this.#gauge('dep_ctrl_event_loop_lag_seconds', (gauge) => {
      gauge.set({ quantile: '0.5' }, lagSeconds(delay.percentile(50)));
      gauge.set({ quantile: '0.99' }, lagSeconds(delay.percentile(99)));
      gauge.set({ quantile: '1' }, lagSeconds(delay.max));
      delay.reset();
    });
  }

  /** Connects the gauges to the roles. Called once per process. */
  observe(process: ObservedProcess): void {
    this.#forgetRules = () => {
      // While something has not been read yet, a missing rule may exist.
      if (process.registry.completeness().state === 'syncing') return;
      const { rules, rejected } = process.registry.snapshot();
      this.#reviews.keepOnly(new Set([...rules, ...rejected].map(({ cluster, name }) => ruleKeyOf(cluster, name))));
    };
    this.#gauge('dep_ctrl_rules', (gauge) => {
      const { rules, rejected } = process.registry.snapshot();
      gauge.set({ state: 'known' }, rules.length - rejected.filter(({ inForce }) => inForce !== undefined).length);
      gauge.set({ state: 'rejected' }, rejected.length);
    });
    this.#perReason('dep_ctrl_rules_not_ready', 'Ready', process);
    this.#perReason('dep_ctrl_rules_not_in_force', 'InForce', process);
    this.#gauge('dep_ctrl_rules_syncing', (gauge) => gauge.set(process.registry.completeness().state === 'syncing' ? 1 : 0));
    this.#gauge('dep_ctrl_endpoints', (gauge) => gauge.set(process.source.state().endpoints.size));
    this.#perWatch('dep_ctrl_registry_age_seconds', process, ({ lastSignOfLifeMs }) =>
      lastSignOfLifeMs === undefined ? undefined : (process.clock.monotonic() - lastSignOfLifeMs) / 1000,
    );
    this.#perWatch('dep_ctrl_watch_disconnected', process, ({ disconnectedSinceMs }) => (disconnectedSinceMs === undefined ? 0 : 1));
    this.#countRestarts(process);
    this.#gauge('dep_ctrl_configurations', (gauge) => {
      for (const [state, count] of Object.entries(process.controller?.state().configurations ?? {})) gauge.set({ state }, Number(count));
    });
    this.#gauge('dep_ctrl_teardown_workspaces', (gauge) => gauge.set(process.controller?.state().teardown.workspaces ?? 0));
    this.#gauge('dep_ctrl_teardown_held', (gauge) => gauge.set(process.controller?.state().teardown.held ?? 0));
    this.#gauge('dep_ctrl_queue_depth', (gauge) => gauge.set(process.controller?.state().queueDepth ?? 0));
    this.#gauge('dep_ctrl_leader', (gauge) => gauge.set(process.controller?.state().isLeading === true ? 1 : 0));
  }

  /** Everything, as Prometheus reads it. */
  async render(): Promise<{ readonly contentType: string; readonly text: string }> {
    this.#forgetRules();
    return { contentType: this.#registry.contentType, text: await this.#registry.metrics() };
  }

  decided({ target, decision, durationMs }: DecidedReview): void {
    const { verdict, because } = decision;
    this.#reviews.count({ verdict, because, mode: target.mode }, decidingRule(decision));
    this.#reviewSeconds.observe({ verdict }, durationMs / 1000);
  }

  refused(): void {
    this.#refused.inc();
  }

  listed({ of, form, outcome, pages, bytes, durationMs }: FinishedList): void {
    this.#lists.inc({ of, form, outcome });
    this.#pages.inc({ of, form }, pages);
    this.#bytes.inc({ of, form }, bytes);
    this.#listSeconds.observe({ of }, durationMs / 1000);
  }

  objectDeleted(): void {
    this.#tornDown.inc();
  }

  objectAnnotated(): void {
    this.#annotated.inc();
  }

  teardownEnded(end: TeardownEnd, seconds: number): void {
    this.#teardownSeconds.observe({ end }, seconds);
  }

  certificateServed({ expiresAtMs }: { readonly expiresAtMs: number }): void {
    // Made with its first value: a process that serves no certificate has no such metric, and alerts read 0 as long expired.
    this.#certificate ??= this.#gauge('dep_ctrl_certificate_expiry_timestamp_seconds');
    this.#certificate.set(expiresAtMs / 1000);
  }

  /** Only the leader keeps statuses true. */
  #perReason(name: MetricName, type: 'Ready' | 'InForce', { source, controller }: ObservedProcess): void {
    this.#gauge(name, (gauge) => {
      gauge.reset();
      if (controller?.state().isLeading !== true) return;
      for (const [reason, count] of falseByReason(source.seen.rules, type)) gauge.set({ reason }, count);
    });
  }

  #perWatch(name: MetricName, process: ObservedProcess, valueOf: (freshness: Freshness) => number | undefined): void {
    this.#gauge(name, (gauge) => {
      gauge.reset();
      for (const { labels, freshness } of watchesOf(process)) {
        const value = valueOf(freshness);
        if (value !== undefined) gauge.set(labels, value);
      }
    });
  }

  /** The watches count themselves. The series of a shard go with its endpoint. */
  #countRestarts(process: ObservedProcess): void {
    this.#counter('dep_ctrl_watch_restarts_total', (counter) => {
      counter.reset();
      for (const { labels, freshness } of watchesOf(process)) counter.inc(labels, freshness.restarts ?? 0);
    });
  }

  #counter(name: MetricName, look?: (counter: Counter) => void): Counter {
    const counter: Counter = new Counter({
      ...optionsOf(name),
      registers: [this.#registry],
      ...(look === undefined ? {} : { collect: () => look(counter) }),
    });
    return counter;
  }

  #histogram(name: MetricName, buckets = SECONDS): Histogram {
    return new Histogram({ ...optionsOf(name), buckets, registers: [this.#registry] });
  }

  #gauge(name: MetricName, look?: (gauge: Gauge) => void): Gauge {
    const gauge: Gauge = new Gauge({
      ...optionsOf(name),
      registers: [this.#registry],
      ...(look === undefined ? {} : { collect: () => look(gauge) }),
    });
    return gauge;
  }
}

function watchesOf({ source }: ObservedProcess) {
  return [...source.state().endpoints].flatMap(([endpoint, byType]) =>
    [...byType].map(([resource, freshness]) => ({ labels: { endpoint, resource }, freshness })),
  );
}

// Node measures from one sample to the next: what is above the pause between two samples is lag.
function lagSeconds(ns: number): number {
  return Math.max(0, ns / 1e6 - LAG_SAMPLE_MS) / 1000;
}

/** The rule that refused, or that would have, if it did more than warn or audit. */
function decidingRule(decision: Decision): DecidingRule | undefined {
  if (decision.because === 'in-use') return decision.blockers[0].rule;
  if (decision.because !== 'tolerated') return undefined;
  const { blockers, doubts } = decision.tolerated;
  return [...blockers, ...doubts][0]?.rule;
}

function optionsOf(name: MetricName): { readonly name: string; readonly help: string; readonly labelNames: string[] } {
  const { help, labels } = METRICS[name];
  return { name, help, labelNames: [...labels] };
}
