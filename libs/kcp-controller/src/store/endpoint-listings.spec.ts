import { describe, expect, it } from '@jest/globals';
import { KcpError, type Freshness, type VirtualWorkspaceUrl } from '@dep-ctrl/kcp-client';
import { groupVersionResourceKey } from '@dep-ctrl/kcp-names';
import { endpointOf, GEARS, WIDGETS } from '../spec-support/widgets.js';
import { endpointListings, missingListings, type EndpointListing, type ListedEndpoints } from './endpoint-listings.js';

const [a, b, c, d] = [endpointOf('a'), endpointOf('b'), endpointOf('c'), endpointOf('d')];
const error = new KcpError({ code: 'unreachable', asked: 'list', at: a, problem: 'it is away' });
const fresh: Freshness = { synced: true, lastSignOfLifeMs: 7 };
const lost: Freshness = { synced: true, lastError: error };

describe(endpointListings, () => {
  it.each<{ given: string; freshness: Freshness | undefined; hasListed: boolean; expected: EndpointListing }>([
    { given: 'nothing known', freshness: undefined, hasListed: false, expected: { state: 'syncing' } },
    { given: 'a list under way', freshness: { synced: false }, hasListed: false, expected: { state: 'syncing' } },
    { given: 'a list that failed', freshness: { synced: false, lastError: error }, hasListed: false, expected: { state: 'away', error } },
    { given: 'a list', freshness: fresh, hasListed: true, expected: { state: 'listed', freshness: fresh } },
    { given: 'a list, and a watch that failed', freshness: lost, hasListed: true, expected: { state: 'listed', freshness: lost } },
    {
      given: 'a list of which no more is known',
      freshness: undefined,
      hasListed: true,
      expected: { state: 'listed', freshness: { synced: false } },
    },
  ])('given an endpoint with $given, then it is $expected.state', ({ freshness, hasListed, expected }) => {
    const types = new Map([[groupVersionResourceKey(GEARS), fresh]]);
    if (freshness !== undefined) types.set(groupVersionResourceKey(WIDGETS), freshness);
    const content = contentOf({ named: new Set([a]), hasListed: () => hasListed });

    expect([...endpointListings(WIDGETS, content, { endpoints: new Map([[a, types]]) })]).toStrictEqual([[a, expected]]);
  });

  it('given an endpoint that is not followed yet, then it is syncing', () => {
    expect([...endpointListings(WIDGETS, contentOf({ named: new Set([a]) }), { endpoints: new Map() })]).toEqual([
      [a, { state: 'syncing' }],
    ]);
  });

  it('given endpoints that the slice names no more, then they are withdrawn, unless it names them again', () => {
    const content = contentOf({ named: new Set([b]), withdrawn: () => [a, b] });

    expect([...endpointListings(WIDGETS, content, { endpoints: new Map() })]).toEqual([
      [a, { state: 'withdrawn' }],
      [b, { state: 'syncing' }],
    ]);
  });

  it('given a slice that was not read, then no endpoint is known', () => {
    expect([...endpointListings(WIDGETS, contentOf({ named: 'unread' }), { endpoints: new Map() })]).toEqual([]);
  });
});

describe(missingListings, () => {
  it('given endpoints in all states, then those are missing that have not listed', () => {
    const listings = new Map<VirtualWorkspaceUrl, EndpointListing>([
      [a, { state: 'listed', freshness: fresh }],
      [b, { state: 'syncing' }],
      [c, { state: 'away', error }],
      [d, { state: 'withdrawn' }],
    ]);

    expect(missingListings(listings)).toEqual({ syncing: [b], away: [c] });
  });
});

function contentOf({ named, hasListed = () => false, withdrawn = () => [] }: ContentParts): ListedEndpoints {
  return { named: () => named, hasListed, withdrawn };
}

type ContentParts = { readonly named: ReturnType<ListedEndpoints['named']> } & Partial<Omit<ListedEndpoints, 'named'>>;
