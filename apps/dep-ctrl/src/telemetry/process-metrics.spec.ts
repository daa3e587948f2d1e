import { describe, expect, it } from '@jest/globals';
import { parseWorkspacePath } from '@dep-ctrl/kcp-names';
import type { EndpointsState, VirtualWorkspaceUrl } from '@dep-ctrl/kcp-client';
import { createRegistry } from '@dep-ctrl/rule-registry';
import { decideDeletion } from '../webhook/decision/decide-deletion.js';
import type { DecidedReview } from '../webhook/decision/review-observer.js';
import { answerOf } from '../webhook/decision/deny-message.js';
import type { Finding } from '../webhook/decision/lookup.js';
import { dependent, finding, listed, person, rule, subject } from '../webhook/testing/builders.js';
import { VERSION } from '../command-line/version.js';
import { CLUSTER_ANNOTATION } from '@dep-ctrl/kcp-names';
import { FedSource } from '../rules/spec-support/fed-source.js';
import { METRICS } from './metric-definitions.js';
import { ProcessMetrics } from './process-metrics.js';

const ENDPOINT = 'https://kcp/services/apiexport/abc/export' as VirtualWorkspaceUrl;
const clock = { now: () => 0, monotonic: () => 10_000, sleep: () => Promise.resolve() };

function observed({ isLeading = true }: { readonly isLeading?: boolean } = {}): ProcessMetrics {
  const metrics = new ProcessMetrics();
  const { reader } = createRegistry();
  const state: EndpointsState = {
    slice: { kind: 'read' },
    sliceFreshness: { synced: true },
    endpoints: new Map([
      [ENDPOINT, new Map([['rules', { synced: true, lastSignOfLifeMs: 7_500, disconnectedSinceMs: 9_000, restarts: 2 }]])],
    ]),
  };
  metrics.observe({
    clock,
    source: { state: () => state, seen: withRules() },
    registry: reader,
    controller: {
      state: () => ({
        isLeading,
        otherLeader: undefined,
        leaseProblem: undefined,
        waitingFor: [],
        queueDepth: 3,
        configurations: { installed: 2, pending: 1, failed: 0, unbound: 0 },
        teardown: { workspaces: 4, held: 1 },
      }),
    },
  });
  return metrics;
}

/** One rule that is in force and not ready, and one that no controller has looked at. */
function withRules(): FedSource['seen'] {
  const source = new FedSource();
  const condition = (type: string, status: string, reason: string) => ({
    type,
    status,
    reason,
    lastTransitionTime: '2026-11-23T11:00:00Z',
  });
  const conditions = [condition('Ready', 'False', 'KindNotServed'), condition('InForce', 'True', 'Installed')];
  const { cluster } = rule();
  const objects = [{ observedGeneration: 1, conditions }, {}].map((status, index) => ({
    cluster,
    object: { metadata: { name: `rule-${String(index)}`, generation: 1, annotations: { [CLUSTER_ANNOTATION]: cluster } }, status },
  }));
  source.list(ENDPOINT, 'rules', ...objects);
  return source.seen;
}

const samples = async (metrics: ProcessMetrics) => (await metrics.render()).text.split('\n').filter((line) => line.startsWith('dep_ctrl_'));

function decided(...findings: readonly Finding[]): DecidedReview {
  const target = { guardedCluster: undefined, token: undefined, mode: 'enforcing', timeoutMs: 10_000 } as const;
  const envelope = { apiVersion: 'admission.k8s.io/v1', uid: 'u' };
  const of = subject({ ownerUids: new Set(['uid-of-owner']) });
  const decision = decideDeletion(of, target.mode, { state: 'rules-known', findings });
  const answer = answerOf(decision, { subject: of, caller: person, mode: target.mode });
  const request = { subject: of, caller: person, isDryRun: false };
  return { target, review: { kind: 'deletion', envelope, request }, decision, answer, durationMs: 3 };
}

describe(ProcessMetrics, () => {
  it('given a process that runs both roles, then its gauges show what the roles say at that moment', async () => {
    expect(await samples(observed())).toEqual(
      expect.arrayContaining([
        'dep_ctrl_leader 1',
        'dep_ctrl_queue_depth 3',
        'dep_ctrl_teardown_workspaces 4',
        'dep_ctrl_teardown_held 1',
        'dep_ctrl_configurations{state="installed"} 2',
        'dep_ctrl_rules_syncing 1',
        'dep_ctrl_endpoints 1',
        `dep_ctrl_registry_age_seconds{endpoint="${ENDPOINT}",resource="rules"} 2.5`,
        `dep_ctrl_watch_disconnected{endpoint="${ENDPOINT}",resource="rules"} 1`,
        `dep_ctrl_watch_restarts_total{endpoint="${ENDPOINT}",resource="rules"} 2`,
      ]),
    );
  });

  it('given watches that were lost, then their restarts are counted once, however often that is read', async () => {
    const metrics = observed();
    await samples(metrics);

    expect(await samples(metrics)).toContain(`dep_ctrl_watch_restarts_total{endpoint="${ENDPOINT}",resource="rules"} 2`);
  });

  it('given rules that are not ready or not in force, then the leader counts them by reason, and nobody else does', async () => {
    const ofRules = async (metrics: ProcessMetrics) => (await samples(metrics)).filter((line) => line.startsWith('dep_ctrl_rules_not_'));

    expect(await ofRules(observed())).toEqual([
      'dep_ctrl_rules_not_ready{reason="KindNotServed"} 1',
      'dep_ctrl_rules_not_ready{reason="NoStatus"} 1',
      'dep_ctrl_rules_not_in_force{reason="NoStatus"} 1',
    ]);
    expect(await ofRules(observed({ isLeading: false }))).toEqual([]);
  });

  it('given any process, then it says which version it is', async () => {
    expect(await samples(new ProcessMetrics())).toContain(`dep_ctrl_build_info{version="${VERSION}"} 1`);
  });

  it('given decisions, then they are counted by verdict, reason, mode and refusing rule', async () => {
    const metrics = observed();
    const path = parseWorkspacePath('root:compute');
    const inUse = finding(listed(dependent('my-vm')), { rule: rule(path.ok ? { path: path.value } : {}) });

    metrics.decided(decided(inUse));
    metrics.decided(decided(finding(listed())));
    metrics.decided(decided(finding(listed())));
    metrics.decided(decided(finding(listed(dependent('owner', { isTerminating: true })))));

    expect(await samples(metrics)).toEqual(
      expect.arrayContaining([
        'dep_ctrl_reviews_total{verdict="deny",because="in-use",mode="enforcing",rule="root:compute/vm-dependencies"} 1',
        'dep_ctrl_reviews_total{verdict="allow",because="no-dependents",mode="enforcing",rule=""} 2',
        'dep_ctrl_reviews_total{verdict="allow",because="owner-waits",mode="enforcing",rule=""} 1',
        'dep_ctrl_review_duration_seconds_count{verdict="allow"} 3',
      ]),
    );
  });

  it('given a rule that only warns, then what it tolerates is counted by that rule', async () => {
    const metrics = observed();

    metrics.decided(decided(finding(listed(dependent('my-vm')), { rule: rule({ enforcement: 'Warn' }) })));

    expect(await samples(metrics)).toContain(
      'dep_ctrl_reviews_total{verdict="allow",because="tolerated",mode="enforcing",rule="compute/vm-dependencies"} 1',
    );
  });

  it('given a rule that is gone, then its series goes with the next scrape, but not while rules are being read', async () => {
    const metrics = new ProcessMetrics();
    const { reader, writer } = createRegistry();
    metrics.observe({
      clock,
      source: {
        state: () => ({ slice: { kind: 'read' }, sliceFreshness: { synced: true }, endpoints: new Map() }),
        seen: new FedSource().seen,
      },
      registry: reader,
      controller: undefined,
    });
    metrics.decided(decided(finding(listed(dependent('my-vm')))));
    const hasSeries = async () => (await samples(metrics)).some((line) => line.includes('rule="compute/vm-dependencies"'));

    expect(await hasSeries()).toBe(true);
    writer.endpointsRead([]);
    expect(await hasSeries()).toBe(false);
  });

  it('given lists and a certificate, then pages, bytes, outcomes and the expiry are there', async () => {
    const metrics = observed();

    metrics.listed({ of: 'dependents', form: 'table', outcome: 'ok', pages: 2, bytes: 1000, durationMs: 5 });
    metrics.listed({ of: 'dependents', form: 'table', outcome: 'timeout', pages: 0, bytes: 0, durationMs: 5 });
    metrics.certificateServed({ expiresAtMs: 5_000 });
    metrics.refused();

    expect(await samples(metrics)).toEqual(
      expect.arrayContaining([
        'dep_ctrl_lists_total{of="dependents",form="table",outcome="ok"} 1',
        'dep_ctrl_lists_total{of="dependents",form="table",outcome="timeout"} 1',
        'dep_ctrl_list_pages_total{of="dependents",form="table"} 2',
        'dep_ctrl_list_bytes_total{of="dependents",form="table"} 1000',
        'dep_ctrl_certificate_expiry_timestamp_seconds 5',
        'dep_ctrl_reviews_refused_total 1',
      ]),
    );
  });
});

describe('a process that serves no certificate', () => {
  it('given its metrics, then no expiry is among them: 0 would read as expired', async () => {
    expect((await observed().render()).text).not.toContain('dep_ctrl_certificate_expiry_timestamp_seconds');
  });
});

describe('METRICS', () => {
  it('given the definitions, then the process exports every one of them', async () => {
    const metrics = observed();
    metrics.certificateServed({ expiresAtMs: 5_000 });
    const { text } = await metrics.render();

    expect([...text.matchAll(/^# TYPE (dep_ctrl_\S+) (\S+)$/gm)].map(([, name, kind]) => ({ name, kind }))).toEqual(
      expect.arrayContaining(Object.entries(METRICS).map(([name, { kind }]) => ({ name, kind }))),
    );
  });
});
