// Alerts and dashboard ask for metrics, labels and values that the code has; each alert has its section in the runbook.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { parse } from 'yaml';
import {
  CONDITION_REASONS,
  METRICS,
  NO_STATUS,
  OTHER_REASON,
  type Decision,
  type InstallationCounts,
  type MetricDefinition,
  type TeardownEnd,
} from '../app-sources.js';
import { ROWS } from './panels.js';
import { parseQuery } from './promql.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const textOf = (name: string) => readFileSync(join(ROOT, name), 'utf8');

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

const { groups } = parse(textOf('deploy/dashboards/alerts.yaml')) as { readonly groups: readonly { readonly rules: readonly Alert[] }[] };
const ALERTS = groups.flatMap(({ rules }) => rules);
const QUERIES = [
  ...ALERTS.map(({ alert, expr }) => [alert, expr] as const),
  ...ROWS.flatMap(({ panels }) => panels).flatMap(({ title, queries }) => queries.map(({ query }) => [title, query] as const)),
];

/** What Prometheus adds to everything that it scrapes in Kubernetes. */
const OF_TARGETS = ['namespace', 'pod', 'instance', 'job', 'service', 'container'];

const BECAUSE: Readonly<Record<Decision['because'], true>> = {
  'not-a-deletion': true,
  bypassed: true,
  terminating: true,
  'not-guarded': true,
  'no-dependents': true,
  tolerated: true,
  'owner-waits': true,
  'in-doubt': true,
  'in-use': true,
  'cannot-tell': true,
  'rules-unknown': true,
  'rules-not-back': true,
  'not-exported-here': true,
  'too-many': true,
  broken: true,
  'bindings-unknown': true,
  'invalid-review': true,
};
const CONFIGURATION_STATES: Readonly<Record<keyof InstallationCounts, true>> = {
  installed: true,
  pending: true,
  failed: true,
  unbound: true,
};

const REASONS = [...Object.keys(CONDITION_REASONS), NO_STATUS, OTHER_REASON];

/** The values of labels that have few; the compiler holds the first two to the code. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  'dep_ctrl_reviews_total because': Object.keys(BECAUSE),
  'dep_ctrl_configurations state': Object.keys(CONFIGURATION_STATES),
  'dep_ctrl_reviews_total verdict': ['allow', 'deny'] satisfies readonly Decision['verdict'][],
  'dep_ctrl_rules state': ['known', 'rejected'],
  'dep_ctrl_rules_not_ready reason': REASONS,
  'dep_ctrl_rules_not_in_force reason': REASONS,
  'dep_ctrl_event_loop_lag_seconds quantile': ['0.5', '0.99', '1'],
  'dep_ctrl_teardown_seconds_count end': ['empty', 'partly-left', 'type-gone', 'forbidden', 'timed-out'] satisfies readonly TeardownEnd[],
};

describe('the queries of alerts and dashboard', () => {
  it.each(QUERIES)('given %s, then its metrics, labels and values are those of the code', (_, query) => {
    expect(unknownIn(query)).toEqual([]);
  });

  it.each([
    ['sum(dep_ctrl_no_such)', ['dep_ctrl_no_such is no metric']],
    ['rate(dep_ctrl_leader_bucket[5m])', ['dep_ctrl_leader_bucket is no metric']],
    ['sum by (of) (dep_ctrl_leader)', ['dep_ctrl_leader has no label of']],
    ['dep_ctrl_rules{form="x"}', ['dep_ctrl_rules has no label form']],
    ['dep_ctrl_rules{state="known|gone"}', ['dep_ctrl_rules has no state gone']],
    ['histogram_quantile(0.9, sum by (le) (rate(dep_ctrl_review_duration_seconds_bucket[5m])))', []],
  ])('given %s, then what is wrong in it is found', (query, problems) => {
    expect(unknownIn(query)).toEqual(problems);
  });

  it('given a text that is no query, then it is refused', () => {
    expect(() => parseQuery('sum by (dep_ctrl_leader')).toThrow('no PromQL');
  });

  it('given our metrics, then each is on the dashboard or in an alert', () => {
    const asked = new Set(QUERIES.flatMap(([, query]) => parsed(query).selectors.map(({ metric }) => familyOf(metric)?.name)));
    const elsewhere = ['dep_ctrl_list_pages_total', 'dep_ctrl_endpoints'];

    expect(Object.keys(METRICS).filter((name) => !asked.has(name))).toEqual(elsewhere);
  });
});

describe('the alerts', () => {
  const operations = textOf('docs/operations.md');

  it.each(ALERTS.map((alert) => [alert.alert, alert] as const))(
    'given %s, then it says how bad it is, and its section says what to do',
    (name, alert) => {
      const section = operations.split(`\n### ${name}\n`)[1]?.split(/\n##/)[0] ?? '';

      expect(['critical', 'warning', 'info']).toContain(alert.labels['severity']);
      expect(Object.keys(alert.annotations)).toEqual(['summary', 'description', 'runbook']);
      expect(alert.annotations['runbook']).toBe(`docs/operations.md#${name.toLowerCase()}`);
      expect(section).toMatch(/`[^`]*(?:kubectl|dep-ctrl|curl) /);
    },
  );

  it('given the sections of alerts in the runbook, then each is of an alert', () => {
    const sections = [...operations.matchAll(/^### (DepCtrl\w+)$/gm)].map(([, name]) => name);

    expect(sections).toEqual(ALERTS.map(({ alert }) => alert));
  });
});

function parsed(query: string) {
  return parseQuery(query.replaceAll('$__rate_interval', '5m'));
}

function unknownIn(query: string): readonly string[] {
  const { selectors, groupings } = parsed(query);
  return [
    ...selectors.flatMap(({ metric, matchers }) => {
      const family = familyOf(metric);
      if (family === undefined) return [`${metric} is no metric`];
      return matchers.flatMap(({ label, value }) =>
        hasLabel(family, label) ? unknownValues(metric, label, value) : [`${metric} has no label ${label}`],
      );
    }),
    ...groupings.flatMap(({ labels, metrics }) =>
      labels.flatMap((label) =>
        metrics.flatMap((metric) => {
          const family = familyOf(metric);
          return family === undefined || hasLabel(family, label) ? [] : [`${metric} has no label ${label}`];
        }),
      ),
    ),
  ];
}

interface Family {
  readonly name: string;
  readonly labels: readonly string[];
}

function familyOf(metric: string): Family | undefined {
  const ours: Readonly<Record<string, MetricDefinition>> = METRICS;
  const exact = ours[metric];
  if (exact !== undefined) return exact.kind === 'histogram' ? undefined : { name: metric, labels: exact.labels };
  const [, base = '', part = ''] = /^(.*)_(bucket|sum|count)$/.exec(metric) ?? [];
  const histogram = ours[base];
  if (histogram?.kind === 'histogram') return { name: base, labels: [...histogram.labels, ...(part === 'bucket' ? ['le'] : [])] };
  return DEFAULTS.has(metric) ? { name: metric, labels: [] } : undefined;
}

const DEFAULTS = defaultMetrics();

function defaultMetrics(): ReadonlySet<string> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return new Set(registry.getMetricsAsArray().map(({ name }) => name));
}

function hasLabel({ labels }: Family, label: string): boolean {
  return labels.includes(label) || OF_TARGETS.includes(label);
}

function unknownValues(metric: string, label: string, value: string): readonly string[] {
  const known = VALUES[`${metric} ${label}`];
  if (known === undefined || value === '') return [];
  return value.split('|').flatMap((each) => (known.includes(each) ? [] : [`${metric} has no ${label} ${each}`]));
}
