import { describe, expect, it } from '@jest/globals';
import type { KubeObject, LogicalClusterName } from '@dep-ctrl/kcp-names';
import { readClaim } from './claim.js';

const bound = { cluster: 'abc' as LogicalClusterName, name: 'x.io' };
const claim = { group: 'g', resource: 'rs' };

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
    { given: 'garbage', bindings: [{ metadata: {}, spec: 7, status: [] }], expected: { state: 'not-bound' } },
  ])('given $given, then it says $expected.state', ({ bindings, expected }) => {
    expect(readClaim(bindings, bound, claim, ['get', 'create'])).toEqual(expected);
  });
});

function item(state: string, verbs: string[]): object {
  return { group: 'g', resource: 'rs', state, verbs };
}

function binding({
  name = 'x.io',
  cluster = 'abc',
  deleting = false,
  claims = [item('Accepted', ['*'])],
  exported = ['*', 'get', 'create'],
}): KubeObject {
  return {
    metadata: { name: 'b', ...(deleting && { deletionTimestamp: '2026-01-01T00:00:00Z' }) },
    spec: { reference: { export: { path: 'root:x', name } }, permissionClaims: claims },
    status: { apiExportClusterName: cluster, exportPermissionClaims: [{ group: 'g', resource: 'rs', verbs: exported }] },
  };
}
