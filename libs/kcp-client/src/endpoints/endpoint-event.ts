import type { GroupVersionResource } from '@dep-ctrl/kcp-names';
import type { KcpError } from '../errors/kcp-error.js';
import type { Freshness, ReflectorEvent } from '../watch/reflector-event.js';
import type { VirtualWorkspaceUrl } from '../http/server-url.js';

/** What happens at the endpoints of an APIExport, in order per endpoint. */
export type EndpointEvent =
  /** The slice names this endpoint; its watches begin. */
  | { readonly kind: 'appeared'; readonly endpoint: VirtualWorkspaceUrl }
  /** The slice does not name the endpoint any more: no workspace there binds the export. Never sent because a shard is away. */
  | { readonly kind: 'withdrawn'; readonly endpoint: VirtualWorkspaceUrl }
  /** These are all endpoints now: told at the first reading of the slice, also when there are none, and behind every change of them. */
  | { readonly kind: 'named'; readonly endpoints: readonly VirtualWorkspaceUrl[] }
  /** News of one type at one endpoint. */
  | {
      readonly kind: 'observed';
      readonly endpoint: VirtualWorkspaceUrl;
      readonly type: GroupVersionResource;
      readonly event: ReflectorEvent;
    };

/** What is known about the endpoint slice. */
export type SliceState =
  /** Not read yet, or never successfully. */
  | { readonly kind: 'unknown'; readonly lastError?: KcpError }
  /** Read: there is no slice for this export (or it is gone). Normal before the export exists. */
  | { readonly kind: 'no-slice' }
  /** Read: these are the endpoints. No endpoint is normal while no workspace binds the export. */
  | { readonly kind: 'read' };

/** What is known about the endpoints of an APIExport. */
export interface EndpointsState {
  readonly slice: SliceState;
  /** How fresh the knowledge about the slice itself is. */
  readonly sliceFreshness: Freshness;
  /** Per endpoint that the slice names, how fresh each type is; keys as `groupVersionResourceKey` makes them. */
  readonly endpoints: ReadonlyMap<VirtualWorkspaceUrl, ReadonlyMap<string, Freshness>>;
}
