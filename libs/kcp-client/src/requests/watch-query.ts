import type { GroupVersionResource } from '@dep-ctrl/kcp-names';
import { expectJson } from './json-body.js';
import { resourceRequest, type ClusterLocation } from './resource-url.js';
import type { Requester } from '../http/requester.js';

/** What to watch, from where, and when to call it broken. */
export interface WatchQuery {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly resourceVersion: string;
  /** Begin with all objects as ADDED events and a bookmark that ends them, instead of a list. */
  readonly sendInitialEvents?: boolean | undefined;
  /** Whole objects (default) or apiVersion, kind and metadata only. */
  readonly as?: 'objects' | 'metadata' | undefined;
  /** After so long the server ends the watch by itself. */
  readonly timeoutSeconds: number;
  /** No byte for so long means broken. Has to be longer than `timeoutSeconds`: a watch of a quiet type says nothing until its end. */
  readonly silenceMs: number;
}

/** Opens a watch; answers with its bytes once the server began to answer. Throws KcpError, also while it is read. */
export async function openWatch(
  { requester, location, type }: { readonly requester: Requester; readonly location: ClusterLocation; readonly type: GroupVersionResource },
  query: WatchQuery,
  { signal }: { readonly signal: AbortSignal },
): Promise<AsyncIterable<Buffer>> {
  const request = resourceRequest(
    'watch',
    location,
    type,
    { namespace: query.namespace },
    {
      watch: true,
      allowWatchBookmarks: true,
      resourceVersion: query.resourceVersion === '' ? undefined : query.resourceVersion,
      sendInitialEvents: query.sendInitialEvents === true ? true : undefined,
      resourceVersionMatch: query.sendInitialEvents === true ? 'NotOlderThan' : undefined,
      timeoutSeconds: query.timeoutSeconds,
      labelSelector: query.labelSelector,
      fieldSelector: query.fieldSelector,
    },
  );
  const accept = query.as === 'metadata' ? 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' : 'application/json';
  const answer = await requester.open(
    { method: 'GET', url: request.url, asked: request.asked, accept, silenceMs: query.silenceMs },
    { signal },
  );
  try {
    expectJson({ asked: request.asked, at: location.baseUrl }, answer);
  } catch (failure) {
    answer.cancel();
    throw failure;
  }
  return answer.chunks;
}
