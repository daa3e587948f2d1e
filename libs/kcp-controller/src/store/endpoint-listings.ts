import { groupVersionResourceKey, type GroupVersionResource } from '@dep-ctrl/kcp-names';
import type { EndpointsState, Freshness, KcpError, VirtualWorkspaceUrl } from '@dep-ctrl/kcp-client';

/** What is known of a type at one endpoint. */
export type EndpointListing =
  /** The slice names it; it has neither listed nor failed yet. */
  | { readonly state: 'syncing' }
  /** It has not listed yet, and the last try failed: its objects are unknown. */
  | { readonly state: 'away'; readonly error: KcpError }
  /** It has listed. The freshness says whether there is a watch now. */
  | { readonly state: 'listed'; readonly freshness: Freshness }
  /** The slice names it no more. Its objects stay until every endpoint that the slice names has listed. */
  | { readonly state: 'withdrawn' };

/** What the content of a store knows of its endpoints. */
export interface ListedEndpoints {
  named(): ReadonlySet<VirtualWorkspaceUrl> | 'unread';
  hasListed(endpoint: VirtualWorkspaceUrl): boolean;
  withdrawn(): readonly VirtualWorkspaceUrl[];
}

const NOTHING_KNOWN: Freshness = { synced: false };

/** What is known of a type at each endpoint. Pure. */
export function endpointListings(
  type: GroupVersionResource,
  content: ListedEndpoints,
  { endpoints }: Pick<EndpointsState, 'endpoints'>,
): ReadonlyMap<VirtualWorkspaceUrl, EndpointListing> {
  const named = content.named();
  const key = groupVersionResourceKey(type);
  const listing = (endpoint: VirtualWorkspaceUrl): EndpointListing => {
    const freshness = endpoints.get(endpoint)?.get(key) ?? NOTHING_KNOWN;
    if (content.hasListed(endpoint)) return { state: 'listed', freshness };
    return freshness.lastError === undefined ? { state: 'syncing' } : { state: 'away', error: freshness.lastError };
  };
  return new Map([
    ...content.withdrawn().map((endpoint) => [endpoint, { state: 'withdrawn' }] as const),
    ...(named === 'unread' ? [] : [...named].map((endpoint) => [endpoint, listing(endpoint)] as const)),
  ]);
}

/** The endpoints that have not listed. Pure. */
export function missingListings(listings: ReadonlyMap<VirtualWorkspaceUrl, EndpointListing>): {
  readonly syncing: readonly VirtualWorkspaceUrl[];
  readonly away: readonly VirtualWorkspaceUrl[];
} {
  const inState = (wanted: EndpointListing['state']): readonly VirtualWorkspaceUrl[] =>
    [...listings].flatMap(([endpoint, { state }]) => (state === wanted ? [endpoint] : []));
  return { syncing: inState('syncing'), away: inState('away') };
}
