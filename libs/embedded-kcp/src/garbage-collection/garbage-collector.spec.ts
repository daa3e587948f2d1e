import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { logicalCluster, type KubeObject } from '@dep-ctrl/kcp-names';
import { Background } from '../background/background.js';
import { forbidden } from '../http/api-status.js';
import { Loopback } from '../kcp/shards/loopback.js';
import type { Admission } from '../machinery/requests/admission.js';
import { CORE_RESOURCES, coreResource } from '../machinery/builtin/core-resources.js';
import { PLAIN_DELETE, type DeleteOptions } from '../machinery/requests/write-options.js';
import { ShardStore } from '../storage/shard-store.js';
import { GarbageCollector } from './garbage-collector.js';

const cluster = logicalCluster('c1');

const configmaps = coreResource('configmaps');

interface Collected {
  readonly create: (name: string, owners?: readonly string[], more?: object) => Promise<void>;
  readonly remove: (name: string, policy: NonNullable<DeleteOptions['propagationPolicy']>) => Promise<void>;
  readonly names: () => readonly string[];
  readonly find: (name: string) => KubeObject | undefined;
  readonly refused: Set<string>;
}

// ConfigMaps own ConfigMaps. Time is the test's: nothing happens until it advances.
function collected(): Collected {
  const store = new ShardStore(1);
  const refused = new Set<string>();
  const admission: Admission = {
    mutate: (_request, object) => Promise.resolve(object),
    validate: ({ operation, oldObject }) =>
      operation === 'DELETE' && refused.has(oldObject?.metadata.name ?? '')
        ? Promise.reject(forbidden({ group: '', resource: 'configmaps' }, oldObject?.metadata.name ?? '', 'still needed'))
        : Promise.resolve([]),
  };
  const loopback = new Loopback({ store, admission, now: () => Date.now() });
  const background = new Background('fast', (what, error) => {
    throw new Error(what, { cause: error });
  });
  const catalog = { all: () => CORE_RESOURCES, find: () => undefined };
  new GarbageCollector({ store, catalog, loopback, background }).start();
  const place = { cluster, namespace: 'default' };
  const find = (name: string): KubeObject | undefined => loopback.get(configmaps, place, name)?.object;
  return {
    refused,
    find,
    names: () => loopback.list(configmaps, cluster).map(({ name }) => name),
    create: async (name, owners = [], more = {}) => {
      const ownerReferences = owners.map((owner) => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        name: owner,
        uid: find(owner)?.metadata.uid ?? 'gone',
        ...more,
      }));
      await loopback.ensure(configmaps, place, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ownerReferences } });
    },
    remove: async (name, propagationPolicy) => {
      await loopback.delete(configmaps, place, name, { ...PLAIN_DELETE, propagationPolicy });
    },
  };
}

const settle = (): Promise<unknown> => jest.advanceTimersByTimeAsync(60_000);

describe(GarbageCollector, () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('given an owner, when it is deleted in the background, then its dependents and theirs follow', async () => {
    const kcp = collected();
    await kcp.create('owner');
    await kcp.create('child', ['owner']);
    await kcp.create('grandchild', ['child']);
    await kcp.create('bystander');

    await kcp.remove('owner', 'Background');
    expect(kcp.names()).toEqual(['bystander', 'child', 'grandchild']);
    await settle();

    expect(kcp.names()).toEqual(['bystander']);
  });

  it('given an owner that was never there, when a dependent is created, then it is collected', async () => {
    const kcp = collected();
    await kcp.create('child', ['nobody']);

    await settle();

    expect(kcp.names()).toEqual([]);
  });

  it('given two owners, when one is deleted, then the dependent stays with the other', async () => {
    const kcp = collected();
    await kcp.create('one');
    await kcp.create('two');
    await kcp.create('child', ['one', 'two']);

    await kcp.remove('one', 'Background');
    await settle();

    expect(kcp.find('child')?.metadata.ownerReferences?.map(({ name }) => name)).toEqual(['two']);
  });

  it('given an owner, when it is orphaning, then the dependents lose it and stay', async () => {
    const kcp = collected();
    await kcp.create('owner');
    await kcp.create('child', ['owner']);

    await kcp.remove('owner', 'Orphan');
    await settle();

    expect(kcp.names()).toEqual(['child']);
    expect(kcp.find('child')?.metadata.ownerReferences).toBeUndefined();
  });

  it('given a blocking dependent, when the owner is deleted in the foreground, then the dependent goes first', async () => {
    const kcp = collected();
    kcp.refused.add('child');
    await kcp.create('owner');
    await kcp.create('child', ['owner'], { blockOwnerDeletion: true });

    await kcp.remove('owner', 'Foreground');
    await settle();
    expect(kcp.find('owner')?.metadata.deletionTimestamp).toBeDefined();
    kcp.refused.clear();
    await settle();

    expect(kcp.names()).toEqual([]);
  });

  it('given a dependent that does not block, when the owner is deleted in the foreground, then the owner need not wait', async () => {
    const kcp = collected();
    kcp.refused.add('child');
    await kcp.create('owner');
    await kcp.create('child', ['owner']);

    await kcp.remove('owner', 'Foreground');
    await settle();

    expect(kcp.names()).toEqual(['child']);
  });

  it('given admission that refuses, when it stops refusing, then the dependent goes', async () => {
    const kcp = collected();
    kcp.refused.add('child');
    await kcp.create('owner');
    await kcp.create('child', ['owner']);
    await kcp.remove('owner', 'Background');
    await settle();
    expect(kcp.names()).toEqual(['child']);

    kcp.refused.clear();
    await jest.advanceTimersByTimeAsync(1_000_000);

    expect(kcp.names()).toEqual([]);
  });

  it('given the uid of an owner under another kind, when a dependent names it, then it does not count', async () => {
    const kcp = collected();
    await kcp.create('owner');

    await kcp.create('stray', ['owner'], { kind: 'Secret' });
    await settle();

    expect(kcp.names()).toEqual(['owner']);
  });
});
