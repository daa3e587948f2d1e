import { describe, expect, it } from '@jest/globals';
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { BucketEvent } from '../../storage/shard-store.js';
import { StoredObject } from '../../storage/stored-object.js';
import { isReplicated } from './replicated-kinds.js';
import { ReplicationCache } from './replication-cache.js';

function change(name: string, bucket = 'apis.kcp.io/apiexports', cluster = 'a'): BucketEvent {
  const current = new StoredObject({ cluster: cluster as LogicalClusterName, namespace: '', name }, 1, { metadata: { name } });
  return { bucket, event: { type: 'added', revision: 1, current } };
}

class Clock {
  now = 0;
  readonly #due: { at: number; work: () => void }[] = [];

  after(ms: number, work: () => void): void {
    this.#due.push({ at: this.now + ms, work });
  }

  advance(ms: number): void {
    this.now += ms;
    for (const { work } of this.#due.filter(({ at }) => at <= this.now)) work();
  }
}

function cacheOf(clock: Clock, delayMs = 30): { cache: ReplicationCache; arrived: string[] } {
  const cache = new ReplicationCache({ now: () => clock.now, after: (ms, work) => clock.after(ms, work) }, delayMs, isReplicated);
  const arrived: string[] = [];
  cache.subscribe(({ event }) => void arrived.push(event.current.name));
  return { cache, arrived };
}

describe(ReplicationCache, () => {
  it('given a change, then it arrives after the delay and not before', () => {
    const clock = new Clock();
    const { cache, arrived } = cacheOf(clock);

    cache.feed(change('x'));
    clock.advance(20);
    expect(arrived).toEqual([]);
    clock.advance(10);
    expect(arrived).toEqual(['x']);
  });

  it('given a shorter delay meanwhile, then changes still arrive in order', () => {
    const clock = new Clock();
    const { cache, arrived } = cacheOf(clock, 100);
    cache.feed(change('first'));
    cache.setDelay(1);

    cache.feed(change('second'));
    clock.advance(10);
    expect(arrived).toEqual([]);
    clock.advance(90);

    expect(arrived).toEqual(['first', 'second']);
  });

  it('given a timer that fires early, as after a turn that took long, then the change is not forgotten', () => {
    const clock = new Clock();
    const timers: (() => void)[] = [];
    const cache = new ReplicationCache({ now: () => clock.now, after: (_ms, work) => void timers.push(work) }, 30, isReplicated);
    const arrived: string[] = [];
    cache.subscribe(({ event }) => void arrived.push(event.current.name));
    cache.feed(change('x'));

    clock.now = 20;
    timers.shift()?.();
    clock.now = 30;
    timers.shift()?.();

    expect(arrived).toEqual(['x']);
  });

  it('given a pause, then what changes meanwhile arrives with the resume', () => {
    const clock = new Clock();
    const { cache, arrived } = cacheOf(clock);
    cache.pause();
    cache.feed(change('x'));
    clock.advance(1_000);
    expect(arrived).toEqual([]);

    cache.resume();

    expect(arrived).toEqual(['x']);
  });

  it.each([
    ['an export', change('x'), true],
    ['a configuration', change('x', 'admissionregistration.k8s.io/validatingwebhookconfigurations'), true],
    ['a workspace type', change('x', 'tenancy.kcp.io/workspacetypes:hash'), true],
    ['a workspace', change('x', 'tenancy.kcp.io/workspaces:hash'), false],
    ['a binding', change('x', 'apis.kcp.io/apibindings'), false],
    ['a secret', change('x', '/secrets'), false],
    ['a role of system:admin', change('x', 'rbac.authorization.k8s.io/clusterroles', 'system:admin'), false],
  ])('given %s, then replicated: %s', (_given, one, expected) => {
    expect(isReplicated(one)).toBe(expected);
  });
});
