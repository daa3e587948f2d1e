import { describe, expect, it } from '@jest/globals';
import { KcpError, systemClock, type Clock } from '@dep-ctrl/kcp-client';
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import { SchemaMemory } from './schema-memory.js';
import type { BoundSchema } from '../schemas/bound-schema.js';

const exporter = 'compute' as LogicalClusterName;
const reader = { signal: new AbortController().signal, patienceMs: 0 };

describe(SchemaMemory, () => {
  it('given a schema that was read, then it is not read again', async () => {
    const { memory, reads } = memoryOf({ one: schemaWith(1) });

    await ask(memory, 'one', 'one');

    expect(reads).toEqual(['one']);
  });

  it('given schemas with more fields than are kept, then the oldest is forgotten and read again', async () => {
    const { memory, reads } = memoryOf({ old: schemaWith(200_000), young: schemaWith(200_000) });

    await ask(memory, 'old', 'young', 'young', 'old');

    expect(reads).toEqual(['old', 'young', 'old']);
  });

  it('given a schema that alone has more, then it is answered with, and costs the others nothing', async () => {
    const { memory, reads } = memoryOf({ small: schemaWith(1), huge: schemaWith(400_000) });

    expect(await ask(memory, 'small', 'huge', 'huge', 'small')).toEqual(['small', 'huge', 'huge', 'small']);

    expect(reads).toEqual(['small', 'huge', 'huge']);
  });

  it('given one that cannot be read, then it is asked for again after a while', async () => {
    let nowMs = 0;
    const { memory, reads } = memoryOf({}, { ...systemClock, monotonic: () => nowMs });

    expect(await ask(memory, 'gone', 'gone')).toEqual([undefined, undefined]);
    nowMs = 10_000;
    await ask(memory, 'gone');

    expect(reads).toEqual(['gone', 'gone']);
  });
});

function memoryOf(
  schemas: Readonly<Record<string, BoundSchema>>,
  clock: Clock = systemClock,
): { readonly memory: SchemaMemory; readonly reads: string[] } {
  const reads: string[] = [];
  const memory = new SchemaMemory({
    clock,
    read: (_exporter, { uid }) => {
      reads.push(uid);
      const schema = schemas[uid];
      return schema === undefined
        ? Promise.reject(new KcpError({ code: 'not-found', asked: 'get apiresourceschemas', at: 'https://kcp', problem: 'there is none' }))
        : Promise.resolve({ ...schema, uid });
    },
  });
  return { memory, reads };
}

async function ask(memory: SchemaMemory, ...uids: readonly string[]): Promise<readonly (string | undefined)[]> {
  const found: (string | undefined)[] = [];
  for (const uid of uids) found.push((await memory.schema(exporter, { name: uid, uid }, reader))?.uid);
  return found;
}

function schemaWith(count: number): BoundSchema {
  const properties = Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, {}]));
  return {
    uid: 'any',
    isNamespaced: true,
    versions: [{ name: 'v1', isServed: true, columns: [], columnOf: new Map(), fields: { properties } }],
  };
}
