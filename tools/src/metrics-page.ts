// docs/reference/metrics.md: every metric of ours.
import { METRICS, type MetricDefinition } from './app-sources.js';
import { code, page, table } from './markdown.js';

/** The page. */
export function metricsPage(): string {
  return page([
    '# Metrics',
    'Served at `/metrics` of `--metrics-bind-address`, beside the process and Node.js metrics of prom-client. Every value is of one process: sum counters over replicas, and read `dep_ctrl_configurations` and `dep_ctrl_queue_depth` from the replica whose `dep_ctrl_leader` is 1. What to alert on is in [operations.md](../operations.md#watch).',
    table(
      ['Name', 'Kind', 'Labels', 'Meaning'],
      Object.entries<MetricDefinition>(METRICS).map(([name, { kind, labels, help }]) => [
        code(name),
        kind,
        labels.map(code).join(', '),
        help,
      ]),
    ),
  ]);
}
