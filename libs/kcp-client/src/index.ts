export { Connection, type ConnectionOptions } from './connection.js';
export { type Credentials, type CredentialSource, type ProxyChoice } from './credentials.js';
export { parseServerUrl, parseVirtualWorkspaceUrl, type ServerUrl, type VirtualWorkspaceUrl } from './server-url.js';
export { type OpenAnswer } from './exchange.js';
export { type RawRequest, type RawResponse, type RawWatch, type Requester } from './requester.js';
export { ClusterClient, type CallOptions, type DeleteOptions, type NamedRef, type Patch, type WriteOptions } from './cluster-client.js';
export { WildcardClient, type WatchableClient } from './wildcard-client.js';
export { VirtualWorkspace } from './virtual-workspace.js';
export { type ListQuery, type TableQuery } from './list-pages.js';
export { type ListPage, type Page, type Table, type TableColumn, type TablePage, type TableRow } from './list-page.js';
export { PageBuffer, type AnswerMemory } from './page-buffer.js';
export { listAll, type WholeList } from './list-all.js';
export { type WatchQuery } from './watch-query.js';
export { type ResourceRef } from './resource-url.js';
export { isKcpError, KcpError, type KcpErrorCode, type KcpFailure, type Status, type StatusDetails } from './kcp-error.js';
export { retrying, type RetryOptions } from './retrying.js';
export { jittered, type Backoff } from './backoff.js';
export { systemClock, type Clock } from './clock.js';
export { silentLogger, type LogFields, type Logger } from './logger.js';
export { runAll, type Runnable } from './run-all.js';
export { type Freshness, type Observed, type ReflectorEvent } from './reflector-event.js';
export { type EndpointEvent, type EndpointsState, type SliceState } from './endpoint-event.js';
export {
  Reflector,
  type KeepObject,
  type ParseLarge,
  type ReflectorBounds,
  type ReflectorOptions,
  type ReflectorQuery,
} from './reflector.js';
export { ExportEndpoints, type ExportEndpointsOptions } from './export-endpoints.js';
export { KeyedQueue, type KeyedQueueOptions, type QueueOutcome } from './keyed-queue.js';
export { LeaderElector, type LeaderElectorOptions } from './leader-elector.js';
export { type ElectionDurations } from './election-step.js';
