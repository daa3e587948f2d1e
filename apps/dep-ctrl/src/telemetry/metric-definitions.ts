/** A metric as operators see it. Names and labels are a contract: dashboards and alerts rely on them. */
export interface MetricDefinition {
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
  readonly help: string;
}

/** Every metric of ours; docs/reference/metrics.md is generated from here. */
export const METRICS = {
  dep_ctrl_reviews_total: {
    kind: 'counter',
    labels: ['verdict', 'because', 'mode', 'rule'],
    help: 'Reviews answered. rule: the first rule that refused, or for tolerated the first that would have under Deny; empty if none; other beyond ten rules of one author and 1 000 in all; deleted rules are dropped. because: a delete that a rule would refuse passes as bypassed (annotated) or owner-waits (ownerReferences).',
  },
  dep_ctrl_reviews_refused_total: { kind: 'counter', labels: [], help: 'Requests to the webhook that were not reviews.' },
  dep_ctrl_review_duration_seconds: { kind: 'histogram', labels: ['verdict'], help: 'From the last byte of a review to its answer.' },
  dep_ctrl_lists_total: {
    kind: 'counter',
    labels: ['of', 'form', 'outcome'],
    help: 'Lists read for reviews. outcome: ok, or the reason of the failure.',
  },
  dep_ctrl_list_pages_total: { kind: 'counter', labels: ['of', 'form'], help: 'Pages of those lists.' },
  dep_ctrl_list_bytes_total: { kind: 'counter', labels: ['of', 'form'], help: 'Bytes of those lists.' },
  dep_ctrl_list_duration_seconds: { kind: 'histogram', labels: ['of'], help: 'Duration of those lists.' },
  dep_ctrl_rules: {
    kind: 'gauge',
    labels: ['state'],
    help: 'Rules: known, or rejected: something in them cannot be read, and only the rest is in force.',
  },
  dep_ctrl_rules_not_ready: {
    kind: 'gauge',
    labels: ['reason'],
    help: 'Rules whose condition Ready is False, by its reason; NoStatus: the controller has not looked at the rule as it is now; other: a reason that it does not write. Of the leader only.',
  },
  dep_ctrl_rules_not_in_force: {
    kind: 'gauge',
    labels: ['reason'],
    help: 'Rules whose condition InForce is False, so that deletes are not checked for at least one of their targets. reason: see dep_ctrl_rules_not_ready. Of the leader only.',
  },
  dep_ctrl_build_info: { kind: 'gauge', labels: ['version'], help: 'Always 1, with the version of dep-ctrl.' },
  dep_ctrl_rules_syncing: { kind: 'gauge', labels: [], help: '1 while something that rules depend on has not been read yet.' },
  dep_ctrl_endpoints: { kind: 'gauge', labels: [], help: 'Endpoints of the export: one per shard that has bindings.' },
  dep_ctrl_registry_age_seconds: {
    kind: 'gauge',
    labels: ['endpoint', 'resource'],
    help: 'Since kcp last proved that nothing is missing.',
  },
  dep_ctrl_watch_disconnected: { kind: 'gauge', labels: ['endpoint', 'resource'], help: '1 while there is no working watch.' },
  dep_ctrl_watch_restarts_total: {
    kind: 'counter',
    labels: ['endpoint', 'resource'],
    help: 'Restarts of watches that were lost. A watch that kcp ends in order is not counted.',
  },
  dep_ctrl_configurations: {
    kind: 'gauge',
    labels: ['state'],
    help: 'Workspaces that rules name: installed, pending, failed, or unbound (no binding to dep-ctrl: for people to fix). Of the leader only.',
  },
  dep_ctrl_teardown_workspaces: {
    kind: 'gauge',
    labels: [],
    help: 'Dying workspaces that are being torn down in order. Of the leader only.',
  },
  dep_ctrl_teardown_held: {
    kind: 'gauge',
    labels: [],
    help: 'Of those, the ones that wait for finalizers, or for deletes that are refused. Of the leader only.',
  },
  dep_ctrl_teardown_seconds: {
    kind: 'histogram',
    labels: ['end'],
    help: 'From when this process saw first that a workspace dies until it was let go. end: empty (all that has an order is gone), partly-left (types were left to kcp; the log says why), timed-out (--teardown-timeout), type-gone (the WorkspaceType was deleted), forbidden (its APIBindings may not be read).',
  },
  dep_ctrl_teardown_objects_deleted_total: {
    kind: 'counter',
    labels: [],
    help: 'Objects in dying workspaces whose delete was accepted.',
  },
  dep_ctrl_teardown_annotated_total: {
    kind: 'counter',
    labels: [],
    help: 'Objects in dying workspaces that held each other in a circle and were given the skip annotation.',
  },
  dep_ctrl_queue_depth: { kind: 'gauge', labels: [], help: 'Guarded workspaces and rules that are being worked on or are due.' },
  dep_ctrl_leader: { kind: 'gauge', labels: [], help: '1 while this process leads.' },
  dep_ctrl_certificate_expiry_timestamp_seconds: {
    kind: 'gauge',
    labels: [],
    help: 'End of the certificate that the webhook serves. Absent if none is served.',
  },
  dep_ctrl_event_loop_lag_seconds: {
    kind: 'gauge',
    labels: ['quantile'],
    help: 'How late the event loop was since the last scrape: 0.5, 0.99 and 1 (the worst).',
  },
} as const satisfies Readonly<Record<string, MetricDefinition>>;

/** The name of one of our metrics. */
export type MetricName = keyof typeof METRICS;
