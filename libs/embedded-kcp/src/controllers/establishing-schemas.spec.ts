import { describe, expect, it } from '@jest/globals';
import { logicalCluster } from '@dep-ctrl/kcp-names';
import { StoredObject } from '../storage/stored-object.js';
import { EstablishingSchemas } from './establishing-schemas.js';

const cluster = logicalCluster('abc');
const key = { cluster: cluster, namespace: '' };
const schema = (name: string): StoredObject => new StoredObject({ ...key, name }, 1, { metadata: { name, uid: `uid-${name}` } });

describe(EstablishingSchemas, () => {
  it('given a new schema, then everybody waits for it, and nobody once its time is over', () => {
    let now = 0;
    const schemas = new EstablishingSchemas(() => now, 5_000);

    expect(schemas.waitingFor([schema('a')])).toEqual({ names: ['a'], ms: 5_000 });
    now = 3_000;
    expect(schemas.waitingFor([schema('b'), schema('a')])).toEqual({ names: ['a', 'b'], ms: 5_000 });
    now = 5_000;
    expect(schemas.waitingFor([schema('a')])).toBeUndefined();
    expect(schemas.waitingFor([schema('a'), schema('b')])).toEqual({ names: ['b'], ms: 3_000 });
  });
});
