import { afterEach, describe, expect, it } from '@jest/globals';
import {
  parseVirtualWorkspaceUrl,
  type EndpointEvent,
  type Observed,
  type ReflectorEvent,
  type VirtualWorkspaceUrl,
} from '@dep-ctrl/kcp-client';
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import { ManualClock, settled } from '@dep-ctrl/kcp-client/testing';
import { EventPace } from './event-pace.js';

const RULES = { group: 'example.com', version: 'v1', resource: 'rules' };
const BINDINGS = { ...RULES, resource: 'bindings' };
const SHARD = endpoint('one');
const OTHER_SHARD = endpoint('two');
const stops: AbortController[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop.abort();
});

describe(EventPace, () => {
  it('given a rule that is patched in a tight loop, then the first change is handed on at once, and of the rest the last every 100 ms', async () => {
    const stage = start();
    for (let version = 1; version <= 50; version += 1) {
      stage.take(applied('vms', version));
      await stage.clock.advance(5);
    }

    expect(stage.told).toEqual(['0: applied vms 1', '100: applied vms 20', '200: applied vms 40']);
    await stage.clock.advance(1_000);
    expect(stage.told).toEqual(['0: applied vms 1', '100: applied vms 20', '200: applied vms 40', '300: applied vms 50']);
  });

  it('given changes of several rules, then none waits for another', () => {
    const stage = start();

    for (const name of ['a', 'b', 'c']) stage.take(applied(name, 1));

    expect(stage.told).toEqual(['0: applied a 1', '0: applied b 1', '0: applied c 1']);
  });

  it('given a rule that was quiet for 100 ms, then its next change is handed on at once', async () => {
    const stage = start();
    stage.take(applied('vms', 1));
    await stage.clock.advance(100);

    stage.take(applied('vms', 2));

    expect(stage.told).toEqual(['0: applied vms 1', '100: applied vms 2']);
  });

  it('given a deletion, then it is handed on at once, and what was held before it never', async () => {
    const stage = start();
    stage.take(applied('vms', 1));
    stage.take(applied('vms', 2));
    await stage.clock.advance(10);

    stage.take(deleted('vms', 3));
    await stage.clock.advance(1_000);

    expect(stage.told).toEqual(['0: applied vms 1', '10: deleted vms 3']);
  });

  it('given a rule that is made and deleted in a loop, then every deletion is handed on, and what it is in the end', async () => {
    const stage = start();
    for (let version = 1; version <= 5; version += 2) {
      stage.take(applied('vms', version));
      stage.take(deleted('vms', version + 1));
    }
    stage.take(applied('vms', 7));
    await stage.clock.advance(1_000);

    expect(stage.told).toEqual(['0: applied vms 1', '0: deleted vms 2', '0: deleted vms 4', '0: deleted vms 6', '100: applied vms 7']);
  });

  it('given a whole list, then it is handed on at once, and nothing of that endpoint that was held before it', async () => {
    const stage = start();
    for (const shard of [SHARD, OTHER_SHARD]) for (const version of [1, 2]) stage.take(applied('vms', version), { shard });
    await stage.clock.advance(10);

    stage.take({ kind: 'replaced', objects: [] });
    await stage.clock.advance(1_000);

    expect(stage.told).toEqual(['0: applied vms 1', '0: applied vms 1', '10: replaced', '100: applied vms 2']);
  });

  it('given an endpoint that is withdrawn, then nothing of it is handed on, held for whatever reason', async () => {
    const stage = start();
    for (const version of [1, 2]) for (let index = 0; index < 30; index += 1) stage.take(applied(`rule-${index}`, version));
    expect([stage.told.length, stage.pace.waiting]).toEqual([20, 30]);

    stage.pace.take({ kind: 'withdrawn', endpoint: SHARD });
    await stage.clock.advance(1_000);

    expect([stage.told.slice(20), stage.pace.waiting]).toEqual([['0: withdrawn'], 0]);
  });

  it('given an author who changes more rules than twenty in 100 ms, then the rest waits, and nobody else', async () => {
    const stage = start();
    for (let index = 0; index < 50; index += 1) stage.take(applied(`rule-${index}`, 1));

    stage.take(applied('honest', 1, 'other'));
    expect([stage.told.length, stage.told.at(-1)]).toEqual([21, '0: applied honest 1']);
    await stage.clock.advance(100);
    expect(stage.told.length).toBe(41);
    await stage.clock.advance(100);

    expect([stage.told.length, stage.told.at(-1)]).toEqual([51, '200: applied rule-49 1']);
  });

  it('given several authors who wait, then they take turns', async () => {
    const stage = start();
    for (const author of ['a', 'b'])
      for (let index = 0; index < 40; index += 1) stage.take(applied(`of-${author}`.concat(String(index)), 1, author));
    const before = stage.told.length;

    await stage.clock.advance(100);

    const order = stage.told.slice(before).map((line) => line.replace(/^.*of-([ab]).*$/, '$1'));
    expect(order.join('')).toBe('ab'.repeat(20));
  });

  it('given changes that take long to take in, then others are let through between them', async () => {
    const stage = start({ takesMs: 4 });
    for (let author = 0; author < 30; author += 1) for (const version of [1, 2]) stage.take(applied('vms', version, `author-${author}`));

    for (let step = 0; step < 20; step += 1) await stage.clock.advance(50);

    expect(stage.told).toHaveLength(60);
    expect(stage.breathed.times).toBeGreaterThanOrEqual(6);
  });

  it('given anything but rules, and what cannot be decoded, then it is handed on at once', () => {
    const stage = start();

    for (const version of [1, 2]) stage.take({ kind: 'applied', object: rule({ name: `binding-${version}` }) }, { type: BINDINGS });
    stage.take({ kind: 'undecodable', problem: 'x' });

    expect(stage.told).toEqual(['0: applied binding-1 1', '0: applied binding-2 1', '0: undecodable']);
  });

  it('given rules that were changed once, then nothing of them is kept after 100 ms', async () => {
    const stage = start();
    for (let author = 0; author < 500; author += 1) stage.take(applied('vms', 1, `author-${author}`));
    await stage.clock.advance(100);

    expect(stage.pace.remembered).toBe(0);
  });
});

function applied(name: string, version: number, cluster = 'author'): ReflectorEvent {
  return { kind: 'applied', object: rule({ name, cluster, version: String(version) }) };
}

function deleted(name: string, version: number): ReflectorEvent {
  return { kind: 'deleted', object: rule({ name, cluster: 'author', version: String(version) }) };
}

function start({ takesMs = 0 }: { readonly takesMs?: number } = {}) {
  const clock = new ManualClock();
  const told: string[] = [];
  const breathed = { times: 0 };
  const pace = new EventPace({
    clock,
    paced: RULES,
    handOn: (happened: EndpointEvent) => {
      const event = happened.kind === 'observed' ? happened.event : happened;
      const object = 'object' in event ? event.object.object : undefined;
      const what = object === undefined ? '' : ` ${object.metadata.name ?? ''} ${object.metadata.resourceVersion ?? ''}`;
      told.push(`${clock.monotonic()}: ${event.kind}${what}`);
      clock.ms += takesMs;
    },
    breathe: async () => {
      breathed.times += 1;
      await settled();
    },
  });
  function take(
    event: ReflectorEvent,
    { shard = SHARD, type = RULES }: { readonly shard?: VirtualWorkspaceUrl; readonly type?: typeof RULES } = {},
  ): void {
    pace.take({ kind: 'observed', endpoint: shard, type, event });
  }
  const stop = new AbortController();
  stops.push(stop);
  pace.run(stop.signal).catch(() => undefined);
  return { clock, told, breathed, take, pace };
}

function endpoint(shard: string): VirtualWorkspaceUrl {
  const url = parseVirtualWorkspaceUrl(`https://${shard}.example.com/services/apiexport/owner1/rules.example.com`);
  if (!url.ok) throw new Error(url.problem);
  return url.value;
}

function rule({ cluster = 'compute1', name = 'vms', version = '1' } = {}): Observed {
  return {
    cluster: cluster as LogicalClusterName,
    object: { apiVersion: 'v1', kind: 'Rule', metadata: { name, resourceVersion: version, annotations: { 'kcp.io/cluster': cluster } } },
  };
}
