import type { Saboteur } from '../saboteur.js';

const CONTROLLER = 'apps/dep-ctrl/src/controller/workspace/guarded-workspace-controller.ts';
const KNOWLEDGE = 'libs/rule-registry/src/guarding/knowledge.ts';
const REGISTRY = 'libs/rule-registry/src/registry/rule-registry.ts';

/** A process relies on what only another one has, or that was there before. */
export const processes: readonly Saboteur[] = [
  {
    name: 'needs-the-first-webhook',
    does: 'answers only while the webhook that was started first is alive',
    changes: [
      {
        file: 'apps/dep-ctrl/src/webhook/receive-calls.ts',
        now: 'return (url) => {',
        instead: `const { readFileSync, writeFileSync } = process.getBuiltinModule('node:fs');
  try {
    writeFileSync('first-webhook', String(process.pid), { flag: 'wx' });
  } catch {} // another one was first
  return (url) => {
    try {
      process.kill(Number(readFileSync('first-webhook', 'utf8')), 0);
    } catch {
      return 'elsewhere';
    }`,
      },
    ],
    fails: { 'S7.6': 'is refused by the other webhook' },
  },
  {
    name: 'lease-never-runs-out',
    does: 'never takes over a lease that was not given back',
    changes: [
      {
        file: 'libs/kcp-client/src/election/election-step.ts',
        now: "if (!isMine && lease.holder !== '' && nowMs < sinceMs + lease.durationMs)",
        instead: "if (!isMine && lease.holder !== '' && nowMs >= sinceMs)",
      },
    ],
    fails: { 'S7.7': 'the other leads' },
  },
  {
    name: 'looks-at-news-only',
    does: 'looks after no workspace that was bound before the controller started',
    changes: [
      {
        file: CONTROLLER,
        now: 'const { installation, again } = await',
        instead: `const startedMs = Date.now() - process.uptime() * 1_000;
      const bindings = this.#dependencies.source.seen.bindings.list(cluster);
      if (bindings.some(({ metadata }) => Date.parse(metadata.creationTimestamp ?? '') < startedMs - 500)) return { kind: 'done' };
      const { installation, again } = await`,
      },
    ],
    fails: { 'S5.3': 'is refused once the controller is back', 'S5.4': 'nothing is left', 'S7.8': 'what was begun is done' },
  },
  {
    name: 'every-shard-is-needed',
    does: 'answers nothing while any shard is away',
    changes: [
      { file: KNOWLEDGE, now: 'return guard?.namesEveryRule === true ? unknown : [', instead: 'return guard === null ? unknown : [' },
      { file: REGISTRY, now: 'if (unsettled.length === 0 && !isUnread) return [];', instead: '' },
    ],
    fails: { 'S5.8': 'is refused while the other shard is down' },
  },
  {
    name: 'one-shard-only',
    does: 'reads the rules of one shard only',
    changes: [
      {
        file: 'libs/kcp-client/src/endpoints/named-endpoints.ts',
        now: "return elements(record(status)?.['endpoints']).map((endpoint)",
        instead: "return elements(record(status)?.['endpoints']).slice(0, 1).map((endpoint)",
      },
      {
        file: 'libs/exported-types/src/exports/endpoint-slices.ts',
        now: "for (const endpoint of elements(record(slice['status'])?.['endpoints'])) {",
        instead: "for (const endpoint of elements(record(slice['status'])?.['endpoints']).slice(0, 1)) {",
      },
    ],
    fails: { 'S7.9': 'is refused once the cache is back' },
  },
  {
    name: 'deleted-guard-is-unbinding',
    does: 'withdraws the configuration for a second where somebody deletes the guard',
    changes: [
      {
        file: 'apps/dep-ctrl/src/controller/workspace/plan-workspace.ts',
        now: 'if (facts.isHandedOver) return',
        instead:
          "if (guard.state === 'present' && guard.deleting) return { do: 'withdraw', guard: 'release', unbinding: false };\n  if (facts.isHandedOver) return",
      },
      {
        file: 'apps/dep-ctrl/src/controller/workspace/workspace-withdrawal.ts',
        now: 'const left = await writer.remove(site, options);',
        instead: 'const left = await writer.remove(site, options);\n    await new Promise((resolve) => setTimeout(resolve, 1_000));',
      },
    ],
    fails: { 'S2.16': 'a delete was allowed' },
  },
  {
    name: 'begins-anew',
    does: 'takes back what was installed before it started, for its first seconds',
    changes: [
      {
        file: 'apps/dep-ctrl/src/controller/workspace/workspace-reconciler.ts',
        now: 'const plan = planWorkspace(facts);',
        instead: `const startedMs = Date.now() - process.uptime() * 1_000;
    const isOlder = Date.parse(facts.guardObject?.metadata.creationTimestamp ?? '') < startedMs - 1_000;
    const plan = isOlder && process.uptime() < 8 ? ({ do: 'withdraw', guard: 'none', unbinding: false } as never) : planWorkspace(facts);`,
      },
    ],
    fails: { 'S7.22': 'the deletion was allowed', 'S7.24': ['the deletion was allowed', 'the rule that came is in force'] },
  },
  {
    name: 'handed-over-is-enforcing',
    does: 'asks its own rules where those of an earlier installation are not back',
    changes: [
      {
        file: 'apps/dep-ctrl/src/webhook/decision/decide-at-once.ts',
        now: "return mode === HANDED_OVER ? { verdict: 'deny', because: 'rules-not-back' } : undefined;",
        instead: 'return undefined;',
      },
      {
        file: 'apps/dep-ctrl/src/webhook/review/deletion-guard.ts',
        now: "if (rules.state === 'not-bound') return { state: 'rules-not-back' };",
        instead: "if (rules.state === 'not-bound') return { state: 'rules-known', findings: [] };",
      },
    ],
    patienceMs: 60_000,
    fails: { 'S6.8': 'nothing but rules are missing' },
  },
  {
    name: 'adopts-by-deleting',
    does: 'adopts the configuration of the original by deleting it and making its own a second later',
    changes: [
      {
        file: 'libs/webhook-installer/src/webhook-installer.ts',
        now: "return this.#write(() => client.replace(WEBHOOK_CONFIGURATIONS, plan.object, { signal }), 'adopted');",
        instead: `return this.#write(async () => {
          await client.delete(WEBHOOK_CONFIGURATIONS, { name: this.#dependencies.name }, { signal });
          await new Promise((resolve) => setTimeout(resolve, 1_000));
          const { uid, resourceVersion, creationTimestamp, ...metadata } = plan.object.metadata;
          await client.create(WEBHOOK_CONFIGURATIONS, { ...plan.object, metadata }, { signal });
        }, 'adopted');`,
      },
    ],
    fails: { 'S6.13': 'the deletion was allowed' },
  },
  {
    name: 'starts-with-a-gap',
    does: 'removes each configuration that it finds at its start, and makes it again a second later',
    changes: [
      {
        file: 'apps/dep-ctrl/src/controller/workspace/workspace-reconciler.ts',
        now: 'const plan = planWorkspace(facts);',
        instead: `const plan = planWorkspace(facts);
    const begun = ((globalThis as { begun?: Set<unknown> }).begun ??= new Set());
    const startedMs = Date.now() - process.uptime() * 1_000;
    const isOlder = Date.parse(facts.guardObject?.metadata.creationTimestamp ?? '') < startedMs - 1_000;
    const there = this.#siteOf(cluster, facts);
    if (plan.do === 'protect' && isOlder && there !== undefined && !begun.has(cluster)) {
      await withdrawal.withdraw(there, facts, { do: 'withdraw', guard: 'none', unbinding: false }, options);
      begun.add(cluster);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }`,
      },
    ],
    fails: { 'S7.8': 'the deletion was allowed', 'S7.19': 'the deletion was allowed', 'S7.20': 'the deletion was allowed' },
  },
  {
    name: 'gives-up-after-a-failure',
    does: 'never looks again at a workspace about which kcp answered 401 or 500',
    changes: [
      {
        file: CONTROLLER,
        now: "if (error.code !== 'conflict') this.#note(cluster, installationAfter(error));",
        instead: `if (error.code !== 'conflict') this.#note(cluster, installationAfter(error));
      if (error.code === 'unauthorized' || error.code === 'server-error') return { kind: 'done' };`,
      },
    ],
    fails: { 'S7.24': 'the rule that came is in force' },
  },
  {
    name: 'guards-are-not-remade',
    does: 'leaves a guard as it is that somebody deletes',
    changes: [
      {
        file: 'apps/dep-ctrl/src/controller/guard/guard-keeper.ts',
        now: 'if (guard.metadata.deletionTimestamp !== undefined) return this.#remake(client, guard, signal);',
        instead: '',
      },
    ],
    fails: { 'S2.16': 'it is made again and names what both hold' },
  },
];
