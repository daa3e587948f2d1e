export {
  EmbeddedKcp,
  type EmbeddedKcpOptions,
  type EmbeddedShard,
  type Faults,
  type KubeconfigQuery,
} from './installation/embedded-kcp.js';
export type { StartOptions } from './installation/shard.js';
export type { Delays } from './background/delays.js';
export type { InjectedFault, RequestFault } from './faults/request-faults.js';
export type { RecordedRequest, RequestLog, RequestMatch } from './faults/request-log.js';
export type { KeyPair } from './http/certificates.js';
