import { describe, expect, it } from '@jest/globals';
import type { EndpointsState, Freshness, VirtualWorkspaceUrl } from '@dep-ctrl/kcp-client';
import { groupVersionResourceKey } from '@dep-ctrl/kcp-names';
import { isFresh, noProofs, type Proofs } from './rule-freshness.js';
import { rulesReadiness } from './rules-readiness.js';
import { DECIDING_TYPES } from './live-endpoint.js';
import { failure } from '../testing/scripted-workspaces.js';

const A = 'https://kcp/services/apiexport/d/a' as VirtualWorkspaceUrl;
const B = 'https://kcp/services/apiexport/d/b' as VirtualWorkspaceUrl;
const NOW = 100_000;
const MAX_AGE = 30_000;
const types = DECIDING_TYPES;
const recent: Freshness = { synced: true, lastSignOfLifeMs: NOW - 1_000 };
const old: Freshness = { synced: true, lastSignOfLifeMs: NOW - MAX_AGE - 1 };
const oldest: Freshness = { synced: true, lastSignOfLifeMs: NOW - MAX_AGE };
const never: Freshness = { synced: false };

describe(isFresh, () => {
  it.each<{ given: string; state: EndpointsState; proofs?: Proofs; expected: boolean }>([
    { given: 'recent signs of life everywhere', state: state({ [A]: recent, [B]: recent }), expected: true },
    { given: 'no endpoint at all', state: state({}), expected: true },
    { given: 'no slice yet', state: { ...state({}), slice: { kind: 'no-slice' } }, expected: true },
    { given: 'a slice that was never read', state: { ...state({}), slice: { kind: 'unknown' } }, expected: false },
    { given: 'an endpoint that has been silent', state: state({ [A]: recent, [B]: old }), expected: false },
    { given: 'an endpoint that was never listed', state: state({ [A]: recent, [B]: never }), expected: false },
    { given: 'a slice that has been silent', state: { ...state({ [A]: recent }), sliceFreshness: old }, expected: false },
    {
      given: 'silence everywhere, and a live read that agreed with all of it',
      state: { ...state({ [A]: old }), sliceFreshness: old },
      proofs: { sliceMs: NOW - 1_000, endpointsMs: new Map([[A, NOW - 1_000]]) },
      expected: true,
    },
    {
      given: 'silence, and a live read that agreed with another endpoint',
      state: state({ [A]: old, [B]: recent }),
      proofs: { sliceMs: NOW, endpointsMs: new Map([[B, NOW]]) },
      expected: false,
    },
    {
      given: 'a live read that agreed long ago',
      state: state({ [A]: old }),
      proofs: { sliceMs: NOW, endpointsMs: new Map([[A, NOW - MAX_AGE - 1]]) },
      expected: false,
    },
    {
      given: 'a proof for an endpoint that was never listed',
      state: state({ [A]: never }),
      proofs: { sliceMs: NOW, endpointsMs: new Map([[A, NOW]]) },
      expected: false,
    },
    { given: 'signs of life that are as old as they may be', state: state({ [A]: oldest }), expected: true },
    { given: 'a slice of which nothing was heard', state: { ...state({}), sliceFreshness: { synced: true } }, expected: false },
    { given: 'an endpoint that lists, and was never heard of', state: state({ [A]: { synced: true } }), expected: false },
    {
      given: 'an endpoint that is silent about one type of several',
      state: {
        ...state({}),
        endpoints: new Map([[A, new Map(types.map((type, at) => [groupVersionResourceKey(type), at === 0 ? old : recent]))]]),
      },
      expected: false,
    },
    { given: 'a type that nobody watches', state: { ...state({}), endpoints: new Map([[A, new Map()]]) }, expected: false },
  ])('given $given, then fresh is $expected', ({ state: at, proofs = noProofs, expected }) => {
    expect(isFresh({ state: at, types, proofs, nowMs: NOW, maxAgeMs: MAX_AGE })).toBe(expected);
  });
});

describe(rulesReadiness, () => {
  const away: Freshness = { synced: false, disconnectedSinceMs: 0, lastError: failure('unreachable') };
  const broken: Freshness = { synced: true, disconnectedSinceMs: NOW - 60_001 };

  it.each<{ given: string; state: EndpointsState; expected: string | undefined }>([
    { given: 'everything listed', state: state({ [A]: recent, [B]: recent }), expected: undefined },
    { given: 'nobody has bound the export', state: state({}), expected: undefined },
    { given: 'a silent watch, which is not a broken one', state: state({ [A]: old }), expected: undefined },
    {
      given: 'the slice not read',
      state: { ...state({}), slice: { kind: 'unknown' } },
      expected: 'the endpoints of the export have not been read',
    },
    { given: 'no slice', state: { ...state({}), slice: { kind: 'no-slice' } }, expected: 'the export has no endpoint slice yet' },
    {
      given: 'an endpoint not listed',
      state: state({ [A]: recent, [B]: never }),
      expected: `dependencyrules of ${B} have not been listed`,
    },
    {
      given: 'an endpoint that may not be listed',
      state: state({ [A]: recent, [B]: { ...never, lastError: failure('forbidden') } }),
      expected: `dependencyrules of ${B} have not been listed: cannot list at https://kcp: scripted`,
    },
    {
      given: 'an endpoint of which no watch has begun',
      state: { ...state({}), endpoints: new Map([[A, new Map()]]) },
      expected: `dependencyrules of ${A} have not been listed`,
    },
    ...(['timeout', 'unavailable'] as const).map((code) => ({
      given: `one shard of two away: ${code}`,
      state: state({ [A]: recent, [B]: { ...away, lastError: failure(code) } }),
      expected: undefined,
    })),
    {
      given: 'every shard away since a moment ago, before it listed anything',
      state: state({ [A]: { ...away, disconnectedSinceMs: NOW - 1 } }),
      expected: 'no endpoint of the export is being watched',
    },
    { given: 'one shard of two away', state: state({ [A]: recent, [B]: away }), expected: undefined },
    { given: 'every shard away', state: state({ [A]: away, [B]: away }), expected: 'no endpoint of the export is being watched' },
    { given: 'one watch of two broken for long', state: state({ [A]: recent, [B]: broken }), expected: undefined },
    {
      given: 'every watch broken for long',
      state: state({ [A]: broken, [B]: broken }),
      expected: 'no endpoint of the export is being watched',
    },
    {
      given: 'every watch broken for just as long as it may be',
      state: state({ [A]: { ...broken, disconnectedSinceMs: NOW - 60_000 } }),
      expected: undefined,
    },
    { given: 'every watch broken a moment ago', state: state({ [A]: { ...broken, disconnectedSinceMs: NOW - 1 } }), expected: undefined },
    {
      given: 'the watch of the slice broken for long',
      state: { ...state({ [A]: recent }), sliceFreshness: broken },
      expected: 'the endpoints of the export are not being watched',
    },
  ])('given $given, then $expected is missing', ({ state: at, expected }) => {
    const answer = rulesReadiness(at, { nowMs: NOW, maxDisconnectedMs: 60_000 });

    expect(answer.ready ? undefined : answer.missing).toBe(expected);
  });

  it('given everything as it should be, then it is ready, and there is nothing to say', () => {
    expect(rulesReadiness(state({ [A]: recent }), { nowMs: NOW, maxDisconnectedMs: 60_000 })).toStrictEqual({ ready: true });
  });

  it.each<{ given: string; state: EndpointsState; expected: RegExp }>([
    {
      given: 'rights that are missing',
      state: state({ [A]: { ...recent, lastError: failure('forbidden') } }),
      expected: /^guarded deletes are refused: cannot list/,
    },
    {
      given: 'credentials that kcp does not take any more',
      state: state({ [A]: recent, [B]: { ...recent, disconnectedSinceMs: NOW - 1, lastError: failure('unauthorized') } }),
      expected: /^guarded deletes are refused: cannot list/,
    },
    {
      given: 'an export that is gone',
      state: { ...state({ [A]: recent }), slice: { kind: 'no-slice' } },
      expected: /^the export of dep-ctrl is gone, and every guarded delete is refused: .*dep-ctrl bootstrap/,
    },
  ])('given $given, which no replica could do without, then it is ready and says that deletes are refused', ({ state: at, expected }) => {
    expect(rulesReadiness(at, { nowMs: NOW, maxDisconnectedMs: 60_000 })).toEqual({ ready: true, note: expect.stringMatching(expected) });
  });
});

function state(endpoints: Readonly<Record<string, Freshness>>): EndpointsState {
  const byType = (freshness: Freshness): ReadonlyMap<string, Freshness> =>
    new Map(DECIDING_TYPES.map((type) => [groupVersionResourceKey(type), freshness]));
  return {
    slice: { kind: 'read' },
    sliceFreshness: recent,
    endpoints: new Map(Object.entries(endpoints).map(([url, freshness]) => [url as VirtualWorkspaceUrl, byType(freshness)])),
  };
}
