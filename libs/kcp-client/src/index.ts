// What every caller of a client needs of @dep-ctrl/kcp-names.
export {
  clusterOf,
  groupVersionResourceKey,
  logicalCluster,
  objectKey,
  parseLogicalClusterName,
  parseWorkspacePath,
  workspacePath,
  type ClusterAddress,
  type GroupResource,
  type GroupVersionResource,
  type KubeLike,
  type KubeObject,
  type LogicalClusterName,
  type ObjectMeta,
  type ObjectRef,
  type OwnerReference,
  type Parsed,
  type WorkspacePath,
} from '@dep-ctrl/kcp-names';
export { Connection, type ConnectionOptions } from './connection/connection.js';
export { type Credentials, type CredentialSource, type ProxyChoice } from './http/credentials.js';
export { parseServerUrl, parseVirtualWorkspaceUrl, type ServerUrl, type VirtualWorkspaceUrl } from './http/server-url.js';
export { type OpenAnswer } from './http/exchange.js';
export { type RawRequest, type RawResponse, type RawWatch, type Requester } from './http/requester.js';
export {
  ClusterClient,
  type CallOptions,
  type DeleteOptions,
  type NamedRef,
  type ObjectClient,
  type ParseObject,
  type Patch,
  type PatchClient,
  type WriteOptions,
} from './connection/cluster-client.js';
export { WildcardClient, type WatchableClient } from './connection/wildcard-client.js';
export { VirtualWorkspace } from './connection/virtual-workspace.js';
export { type ListQuery, type TableQuery } from './requests/list-pages.js';
export {
  MOST_PAGE_BYTES,
  type ListPage,
  type Page,
  type ParsePage,
  type Table,
  type TableColumn,
  type TablePage,
  type TableRow,
} from './requests/list-page.js';
export { PageBuffer, type AnswerMemory } from './http/page-buffer.js';
export { fitHeap, makeCollectYoung, YoungGarbage, type CollectYoung } from './http/young-garbage.js';
export { collect, type Collecting } from './connection/collect.js';
export { listAll, type WholeList } from './connection/list-all.js';
export { type WatchQuery } from './requests/watch-query.js';
export { type ResourceRef } from './requests/resource-url.js';
export {
  isKcpError,
  KcpError,
  type KcpErrorCode,
  type KcpErrorOf,
  type KcpFailure,
  type Status,
  type StatusDetails,
} from './errors/kcp-error.js';
export { isAbsent, type RequestedObject } from './errors/absence.js';
export { retrying, type RetryOptions } from './time/retrying.js';
export { jittered, pauseAfter, type Backoff } from './time/backoff.js';
export { Brake, type BrakeSettings } from './time/brake.js';
export { systemClock, type Clock, type Stoppable, type Waiting } from './time/clock.js';
export { silentLogger, type LogFields, type Logger } from './running/logger.js';
export { Readiness, type ReadinessAnswer, type ReadinessCheck } from './running/readiness.js';
export { atMost } from './running/at-most.js';
export { every, pause } from './running/every.js';
export { runAll, type Runnable } from './running/run-all.js';
export { type Freshness, type Observed, type ReflectorEvent, type TakeEvent } from './watch/reflector-event.js';
export { type EndpointEvent, type EndpointsState, type SliceState } from './endpoints/endpoint-event.js';
export {
  Reflector,
  type KeepObject,
  type ParseLarge,
  type ReflectorBounds,
  type ReflectorOptions,
  type ReflectorQuery,
} from './watch/reflector.js';
export { EndpointObjects, type EndpointObjectsReader, type Seen, type TouchedObject } from './endpoints/endpoint-objects.js';
export { ExportEndpoints, type ExportEndpointsOptions } from './endpoints/export-endpoints.js';
export { KeyedQueue, type KeyedQueueOptions, type QueueOutcome } from './running/keyed-queue.js';
export { LeadersConnection, type VirtualWorkspaces } from './election/leaders-connection.js';
export { LeaseHolder } from './election/lease-holder.js';
export { LeaderElector, type LeaderElectorOptions } from './election/leader-elector.js';
export { type ElectionDurations } from './election/election-step.js';
