import { describe, expect, it } from '@jest/globals';
import { logicalCluster, type KubeObject } from '@dep-ctrl/kcp-names';
import { ShardStore } from '../../storage/shard-store.js';
import type { StoredObject } from '../../storage/stored-object.js';
import { API_BINDINGS } from '../kinds/system-resources.js';
import { WorkspaceCatalog } from './workspace-catalog.js';

const parsed = logicalCluster('consumer');
const cluster = parsed;
const key = { cluster, namespace: '', name: 'b' };

function binding(...schemaUids: readonly string[]): KubeObject {
  const boundResources = schemaUids.map((UID) => ({ group: 'g', resource: 'things', schema: { name: UID, UID, identityHash: 'i' } }));
  return {
    metadata: { name: 'b' },
    ...{ spec: { reference: { export: { name: 'g' } } }, status: { apiExportClusterName: 'provider', boundResources } },
  };
}

function schema(uid: string, column: string): KubeObject {
  const version = {
    name: 'v1',
    served: true,
    storage: true,
    schema: { type: 'object' },
    additionalPrinterColumns: [{ name: column, jsonPath: '.a' }],
  };
  return {
    metadata: { uid },
    ...{ spec: { group: 'g', names: { plural: 'things', kind: 'Thing' }, scope: 'Cluster', versions: [version] } },
  };
}

function setUp(): {
  readonly catalog: WorkspaceCatalog;
  readonly columns: () => string | undefined;
  readonly bind: (object: KubeObject) => void;
  readonly late: (() => void)[];
} {
  const store = new ShardStore(1);
  const late: (() => void)[] = [];
  const catalog = new WorkspaceCatalog(store, (work) => void late.push(work));
  catalog.keepSchema(schema('one', 'One'));
  catalog.keepSchema(schema('two', 'Two'));
  const bind = (object: KubeObject): void => {
    const found: StoredObject | undefined = store.bucket(API_BINDINGS.bucket).get(key);
    if (found === undefined) store.create(API_BINDINGS.bucket, key, object);
    else store.replace(API_BINDINGS.bucket, found, object);
  };
  return { catalog, columns: () => catalog.find(cluster, 'g', 'things')?.versions[0]?.columns?.[0]?.name, bind, late };
}

describe(WorkspaceCatalog, () => {
  it('given a first binding, then its type is served at once', () => {
    const { bind, columns, late } = setUp();
    bind(binding());
    expect(columns()).toBeUndefined();

    bind(binding('one'));

    expect([columns(), late.length]).toEqual(['One', 0]);
  });

  it('given a binding that moves to another schema, then the old one is served until the shard has followed', () => {
    const { bind, columns, late } = setUp();
    bind(binding('one'));
    expect(columns()).toBe('One');

    bind(binding('two'));

    expect(columns()).toBe('One');
    for (const work of late) work();
    expect(columns()).toBe('Two');
  });

  it('given a change that says nothing about types, then nobody has to follow', () => {
    const { bind, columns, late } = setUp();
    bind(binding('one'));
    expect(columns()).toBe('One');

    bind({ ...binding('one'), metadata: { name: 'b', labels: { a: 'b' } } });

    expect([columns(), late.length]).toEqual(['One', 0]);
  });

  it('given a claim on a type whose export moved on, then all workspaces together are shown by the newest schema', () => {
    const { catalog, bind, columns, late } = setUp();
    bind(binding('one'));
    columns();
    bind(binding('two'));
    for (const work of late) work();
    columns();

    expect(catalog.find('*', 'g', 'things', 'i')?.versions[0]?.columns?.[0]?.name).toBe('Two');
  });
});
