import { describe, expect, it } from '@jest/globals';
import { KcpError, type KcpErrorCode } from '@dep-ctrl/kcp-client';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { removeEntry, type EntryRemoval } from './remove-entry.js';

const { signal } = new AbortController();
const failing = (code: KcpErrorCode, status: number): KcpError =>
  new KcpError({ code, status, asked: 'patch', at: 'https://kcp', problem: 'no' });

/** A LogicalCluster whose list others change between our reads; it answers a JSON patch as kcp does. */
function listOf(
  terminators: readonly string[],
  refusals: readonly KcpError[] = [],
): { readonly client: EntryRemoval['client']; readonly left: () => readonly string[] } {
  let list = terminators;
  const waiting = [...refusals];
  const object = (): KubeObject => ({ metadata: {}, status: { terminators: list } });
  return {
    left: () => list,
    client: {
      get: () => Promise.resolve(object()),
      patch: (_type, _ref, { body }) => {
        const refusal = waiting.shift();
        if (refusal !== undefined) return Promise.reject(refusal);
        const [test] = body as readonly { readonly path: string; readonly value: string }[];
        const index = Number(test?.path.split('/').at(-1));
        if (list[index] !== test?.value) return Promise.reject(failing('invalid', 422));
        list = list.filter((_, at) => at !== index);
        return Promise.resolve(object());
      },
    },
  };
}

describe(removeEntry, () => {
  it.each([
    { given: 'the list as it was seen', now: ['a', 'own', 'b'], seen: ['a', 'own', 'b'], outcome: 'removed', left: ['a', 'b'] },
    { given: 'another entry that went meanwhile', now: ['own'], seen: ['a', 'own'], outcome: 'removed', left: [] },
    { given: 'the own entry gone meanwhile', now: ['a'], seen: ['own', 'a'], outcome: 'absent', left: ['a'] },
    { given: 'a list without it', now: ['a'], seen: ['a'], outcome: 'absent', left: ['a'] },
  ] as const)('given $given, then exactly the own entry goes', async ({ now, seen, outcome, left }) => {
    const list = listOf(now);

    expect(await removeEntry({ client: list.client, kind: 'terminating', entry: 'own', seen }, { signal })).toBe(outcome);
    expect(list.left()).toEqual(left);
  });

  it('given conflicts with others, then it looks again until it succeeds', async () => {
    const list = listOf(['own', 'a'], [failing('conflict', 409), failing('invalid', 422), failing('conflict', 409)]);

    await removeEntry({ client: list.client, kind: 'terminating', entry: 'own', seen: ['own', 'a'] }, { signal });

    expect(list.left()).toEqual(['a']);
  });

  it.each([
    { given: 'a right that is missing', refusals: [failing('forbidden', 403)] },
    { given: 'a bad request', refusals: [failing('invalid', 400)] },
    { given: 'a workspace that is not found', refusals: [failing('not-found', 404)] },
    { given: 'conflicts without end', refusals: Array.from({ length: 9 }, () => failing('conflict', 409)) },
  ])('given $given, then it is thrown and the list is as it was', async ({ refusals }) => {
    const list = listOf(['own'], refusals);

    await expect(removeEntry({ client: list.client, kind: 'terminating', entry: 'own', seen: ['own'] }, { signal })).rejects.toThrow(
      KcpError,
    );
    expect(list.left()).toEqual(['own']);
  });
});
