// The panels of the Grafana dashboard, and the queries in them. `$namespace` is a variable of the dashboard.

/** One query of a panel and what its lines are called. */
export interface PanelQuery {
  readonly query: string;
  readonly legend: string;
}

/** One panel. */
export interface Panel {
  readonly title: string;
  /** What a reader should conclude. */
  readonly about: string;
  readonly kind: 'number' | 'lines';
  /** As Grafana names units. */
  readonly unit: 'short' | 'reqps' | 's' | 'Bps' | 'bytes' | 'percentunit' | 'dateTimeFromNow';
  /** From this value on it is red. */
  readonly redFrom?: number;
  /** Below this value it is red. */
  readonly redBelow?: number;
  readonly queries: readonly PanelQuery[];
}

/** A row of panels. */
export interface PanelRow {
  readonly title: string;
  readonly panels: readonly Panel[];
}

const HERE = 'namespace=~"$namespace"';
const RATE = '[$__rate_interval]';
const one = (query: string, legend = ''): readonly PanelQuery[] => [{ query, legend }];
const quantile = (q: string, metric: string, by: string, legend: string): PanelQuery => ({
  query: `histogram_quantile(${q}, sum by (${by}) (rate(${metric}_bucket{${HERE}}${RATE})))`,
  legend,
});

/** The dashboard from top to bottom: is it well, what is decided, what does it cost. */
export const ROWS: readonly PanelRow[] = [
  {
    title: 'Is it well?',
    panels: [
      {
        title: 'Webhooks',
        about: 'Webhooks that serve a certificate. With none, every delete of a guarded object is refused.',
        kind: 'number',
        unit: 'short',
        redBelow: 1,
        queries: one(`count(dep_ctrl_certificate_expiry_timestamp_seconds{${HERE}}) or vector(0)`),
      },
      {
        title: 'Leaders',
        about: 'Exactly one controller leads.',
        kind: 'number',
        unit: 'short',
        redBelow: 1,
        redFrom: 2,
        queries: one(`sum(dep_ctrl_leader{${HERE}}) or vector(0)`),
      },
      {
        title: 'Certificate ends',
        about: 'The earliest end of a certificate that is served.',
        kind: 'number',
        unit: 'dateTimeFromNow',
        queries: one(`min(dep_ctrl_certificate_expiry_timestamp_seconds{${HERE}}) * 1000`),
      },
      {
        title: 'Rules',
        about: 'Rules that every process knows.',
        kind: 'number',
        unit: 'short',
        queries: one(`max(dep_ctrl_rules{${HERE},state="known"})`),
      },
      {
        title: 'Rules that cannot be read',
        about: 'Only what can be read of them is in force.',
        kind: 'number',
        unit: 'short',
        redFrom: 1,
        queries: one(`max(dep_ctrl_rules{${HERE},state="rejected"})`),
      },
      {
        title: 'Rules that are not in force',
        about: 'Rules of which at least one target is not checked. Which ones, dep-ctrl status says.',
        kind: 'number',
        unit: 'short',
        redFrom: 1,
        queries: one(`sum(dep_ctrl_rules_not_in_force{${HERE}}) or vector(0)`),
      },
      {
        title: 'Watches that are away',
        about: 'Watches of kcp that do not work, over all processes.',
        kind: 'number',
        unit: 'short',
        redFrom: 1,
        queries: one(`sum(dep_ctrl_watch_disconnected{${HERE}}) or vector(0)`),
      },
    ],
  },
  {
    title: 'Decisions',
    panels: [
      {
        title: 'Reviews',
        about:
          'Deletes that kcp asked about, by answer and reason. "in-use" is the product at work; "cannot-tell", "rules-unknown" and "bindings-unknown" are trouble.',
        kind: 'lines',
        unit: 'reqps',
        queries: one(`sum by (verdict, because) (rate(dep_ctrl_reviews_total{${HERE}}${RATE}))`, '{{verdict}}: {{because}}'),
      },
      {
        title: 'Time to an answer',
        about: 'kcp waits 10 s for an answer.',
        kind: 'lines',
        unit: 's',
        redFrom: 5,
        queries: [
          quantile('0.5', 'dep_ctrl_review_duration_seconds', 'le', 'half'),
          quantile('0.99', 'dep_ctrl_review_duration_seconds', 'le', '99 of 100'),
        ],
      },
      {
        title: 'Rules that refuse most',
        about: 'The ten rules that refused most deletes.',
        kind: 'lines',
        unit: 'reqps',
        queries: one(`topk(10, sum by (rule) (rate(dep_ctrl_reviews_total{${HERE},verdict="deny",rule!=""}${RATE})))`, '{{rule}}'),
      },
      {
        title: 'Let through in spite of a rule',
        about: 'Annotated objects, and owners that wait for their dependents.',
        kind: 'lines',
        unit: 'reqps',
        queries: one(`sum by (because) (rate(dep_ctrl_reviews_total{${HERE},because=~"bypassed|owner-waits"}${RATE}))`, '{{because}}'),
      },
    ],
  },
  {
    title: 'Rules and configurations',
    panels: [
      {
        title: 'Workspaces that rules name',
        about: 'How far the leader came: installed, pending, failed, or unbound (its owner should bind dep-ctrl).',
        kind: 'lines',
        unit: 'short',
        queries: one(`max by (state) (dep_ctrl_configurations{${HERE}})`, '{{state}}'),
      },
      {
        title: 'Rules that are not ready',
        about: 'By reason: see reference/conditions.md. Such a rule may be in force.',
        kind: 'lines',
        unit: 'short',
        queries: one(`sum by (reason) (dep_ctrl_rules_not_ready{${HERE}})`, '{{reason}}'),
      },
      {
        title: 'Work of the controller',
        about: 'Guarded workspaces and rules that are looked at now or due to be.',
        kind: 'lines',
        unit: 'short',
        queries: one(`max(dep_ctrl_queue_depth{${HERE}})`, 'queue'),
      },
      {
        title: 'Dying workspaces',
        about: 'Those that are torn down in order, and of these the ones that wait for finalizers or for deletes that are refused.',
        kind: 'lines',
        unit: 'short',
        queries: [...one(`max(dep_ctrl_teardown_workspaces{${HERE}})`, 'all'), ...one(`max(dep_ctrl_teardown_held{${HERE}})`, 'held')],
      },
      {
        title: 'Workspaces let go',
        about: 'By how that ended, per hour. timed-out: something held it for longer than --teardown-timeout; the log says what.',
        kind: 'lines',
        unit: 'short',
        queries: one(`sum by (end) (increase(dep_ctrl_teardown_seconds_count{${HERE}}[1h]))`, '{{end}}'),
      },
      {
        title: 'Objects in dying workspaces',
        about: 'Deleted, and annotated as they held each other in a circle; per hour.',
        kind: 'lines',
        unit: 'short',
        queries: [
          ...one(`sum(increase(dep_ctrl_teardown_objects_deleted_total{${HERE}}[1h]))`, 'deleted'),
          ...one(`sum(increase(dep_ctrl_teardown_annotated_total{${HERE}}[1h]))`, 'annotated'),
        ],
      },
      {
        title: 'Age of what is known',
        about: 'Since kcp last proved that nothing is missing. Beyond --max-rule-age the webhook reads the rules before it answers.',
        kind: 'lines',
        unit: 's',
        redFrom: 30,
        queries: one(`max by (pod, endpoint) (dep_ctrl_registry_age_seconds{${HERE}})`, '{{pod}} {{endpoint}}'),
      },
      {
        title: 'Watches that began anew',
        about: 'Working watches that were lost. Some when kcp restarts; many without one: the network or a proxy between cuts connections.',
        kind: 'lines',
        unit: 'short',
        queries: one(`sum by (pod, resource) (increase(dep_ctrl_watch_restarts_total{${HERE}}${RATE}))`, '{{pod}} {{resource}}'),
      },
      {
        title: 'Processes that have not read everything',
        about: 'They refuse guarded deletes, or change no configuration, until they have.',
        kind: 'lines',
        unit: 'short',
        redFrom: 1,
        queries: one(`sum(dep_ctrl_rules_syncing{${HERE}})`, 'syncing'),
      },
    ],
  },
  {
    title: 'What it reads from kcp',
    panels: [
      {
        title: 'Lists',
        about: 'Lists for reviews, by what is listed and how.',
        kind: 'lines',
        unit: 'reqps',
        queries: one(`sum by (of, form) (rate(dep_ctrl_lists_total{${HERE}}${RATE}))`, '{{of}} as {{form}}'),
      },
      {
        title: 'Lists that fail',
        about: 'By outcome. The deletes that need them are refused.',
        kind: 'lines',
        unit: 'reqps',
        queries: one(
          `sum by (of, outcome) (rate(dep_ctrl_lists_total{${HERE},outcome!~"ok|stopped|aborted"}${RATE}))`,
          '{{of}}: {{outcome}}',
        ),
      },
      {
        title: 'Time of a list',
        about: 'If dependents take long, give their type a printer column for each reference path.',
        kind: 'lines',
        unit: 's',
        queries: [quantile('0.99', 'dep_ctrl_list_duration_seconds', 'of, le', '{{of}}, 99 of 100')],
      },
      {
        title: 'Bytes',
        about: 'What is read for reviews.',
        kind: 'lines',
        unit: 'Bps',
        queries: one(`sum by (of, form) (rate(dep_ctrl_list_bytes_total{${HERE}}${RATE}))`, '{{of}} as {{form}}'),
      },
    ],
  },
  {
    title: 'Processes',
    panels: [
      {
        title: 'Lateness of the event loop',
        about: 'Reviews and probes wait that long.',
        kind: 'lines',
        unit: 's',
        redFrom: 0.25,
        queries: one(`max by (pod) (dep_ctrl_event_loop_lag_seconds{${HERE},quantile="0.99"})`, '{{pod}}'),
      },
      {
        title: 'Versions',
        about: 'Processes by the version of dep-ctrl. More than one line: an upgrade is under way, or was forgotten half way.',
        kind: 'lines',
        unit: 'short',
        queries: one(`count by (version) (dep_ctrl_build_info{${HERE}})`, '{{version}}'),
      },
      {
        title: 'CPU',
        about: 'Cores in use.',
        kind: 'lines',
        unit: 'short',
        queries: one(
          `sum by (pod) (rate(process_cpu_seconds_total{${HERE}}${RATE}) and on (instance) dep_ctrl_leader{${HERE}})`,
          '{{pod}}',
        ),
      },
      {
        title: 'Memory',
        about: 'What the limits of the chart are set against.',
        kind: 'lines',
        unit: 'bytes',
        queries: one(`max by (pod) (process_resident_memory_bytes{${HERE}} and on (instance) dep_ctrl_leader{${HERE}})`, '{{pod}}'),
      },
      {
        title: 'Requests that are no review',
        about: 'Somebody probes the webhook, or something that is not kcp is pointed at it.',
        kind: 'lines',
        unit: 'reqps',
        queries: one(`sum(rate(dep_ctrl_reviews_refused_total{${HERE}}${RATE}))`, 'refused'),
      },
    ],
  },
];
