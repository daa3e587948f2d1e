import { describe, expect, it } from '@jest/globals';
import type { KubeObject, LogicalClusterName } from '@dep-ctrl/kcp-names';
import { readClaim } from './claim.js';

const bound = { cluster: 'abc' as LogicalClusterName, name: 'x.io' };
const claim = { group: 'g', resource: 'rs' };
const all = { group: 'g', resource: 'rs', state: 'Accepted', verbs: ['*'] };

describe(readClaim, () => {
  it.each<{ given: string; bindings: KubeObject[]; expected: object }>([
    { given: 'no binding', bindings: [], expected: { state: 'not-bound' } },
    { given: 'a binding to another export', bindings: [binding({ name: 'y.io' })], expected: { state: 'not-bound' } },
    { given: 'a binding to the same name elsewhere', bindings: [binding({ cluster: 'other' })], expected: { state: 'not-bound' } },
    { given: 'a binding on its way out', bindings: [binding({ deleting: true })], expected: { state: 'unbinding' } },
    { given: 'one on its way out and a new one', bindings: [binding({ deleting: true }), binding({})], expected: { state: 'accepted' } },
    { given: 'no answer to the claim', bindings: [binding({ claims: [] })], expected: { state: 'not-answered' } },
    { given: 'a claim rejected', bindings: [binding({ claims: [item('Rejected', ['*'])] })], expected: { state: 'rejected' } },
    { given: 'verbs listed', bindings: [binding({ claims: [item('Accepted', ['get', 'create'])] })], expected: { state: 'accepted' } },
    {
      given: 'a verb left out',
      bindings: [binding({ claims: [item('Accepted', ['get'])] })],
      expected: { state: 'verbs-missing', verbs: ['create'] },
    },
    {
      given: 'every verb accepted where the export lists them',
      bindings: [binding({ claims: [item('Accepted', ['*'])], exported: ['get', 'create'] })],
      expected: { state: 'verbs-missing', verbs: ['get', 'create'] },
    },
    {
      given: 'an answer about another resource',
      bindings: [binding({ claims: [{ ...all, resource: 'os' }] })],
      expected: { state: 'not-answered' },
    },
    {
      given: 'an answer about another group',
      bindings: [binding({ claims: [{ ...all, group: 'o' }] })],
      expected: { state: 'not-answered' },
    },
    { given: 'garbage among the answers', bindings: [binding({ claims: [null, 7, all] })], expected: { state: 'accepted' } },
    { given: 'answers that are no list', bindings: [binding({ claims: 'all' })], expected: { state: 'not-answered' } },
    {
      given: 'an export that claims nothing of it now',
      bindings: [binding({ claims: [item('Accepted', ['get', 'create'])], exported: undefined })],
      expected: { state: 'accepted' },
    },
    {
      given: 'an answer without verbs',
      bindings: [binding({ claims: [{ ...all, verbs: undefined }] })],
      expected: { state: 'verbs-missing', verbs: ['get', 'create'] },
    },
    { given: 'garbage', bindings: [{ metadata: {}, spec: 7, status: [] }], expected: { state: 'not-bound' } },
  ])('given $given, then it says $expected.state', ({ bindings, expected }) => {
    expect(readClaim(bindings, bound, claim, ['get', 'create'])).toEqual(expected);
  });
});

describe('a claim of the core group', () => {
  it('is answered by an item without a group', () => {
    const answered = binding({ claims: [{ resource: 'rs', state: 'Accepted', verbs: ['get'] }], exported: undefined });

    expect(readClaim([answered], bound, { group: '', resource: 'rs' }, ['get'])).toEqual({ state: 'accepted' });
  });
});

function item(state: string, verbs: string[]): object {
  return { group: 'g', resource: 'rs', state, verbs };
}

interface Given {
  readonly name?: string;
  readonly cluster?: string;
  readonly deleting?: boolean;
  readonly claims?: unknown;
  readonly exported?: readonly string[] | undefined;
}

function binding(given: Given): KubeObject {
  const { name, cluster, deleting, claims, exported } = {
    ...{ name: 'x.io', cluster: 'abc', deleting: false, claims: [all], exported: ['*', 'get', 'create'] },
    ...given,
  };
  return {
    metadata: { name: 'b', ...(deleting && { deletionTimestamp: '2026-01-01T00:00:00Z' }) },
    spec: { reference: { export: { path: 'root:x', name } }, permissionClaims: claims },
    status: {
      apiExportClusterName: cluster,
      ...(exported && { exportPermissionClaims: [{ group: 'g', resource: 'rs', verbs: exported }] }),
    },
  };
}
