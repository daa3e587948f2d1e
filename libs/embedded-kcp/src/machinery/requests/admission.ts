import type { KubeObject, LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { UserInfo } from '../../authentication/user.js';
import type { JsonRecord } from '../../json/json.js';
import type { ResourceDefinition, ResourceVersion } from '../resources/resource-definition.js';

/** A write that is about to happen. */
export interface AdmissionRequest {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly definition: ResourceDefinition;
  /** The version that the caller used; `object` and `oldObject` are in the storage version. */
  readonly version: ResourceVersion;
  readonly cluster: LogicalClusterName;
  readonly namespace: string;
  /** Undefined in a collection delete, as in a real kcp: the subject is then known from the old object only. */
  readonly name: string | undefined;
  readonly subresource: string | undefined;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  /** CreateOptions, UpdateOptions or DeleteOptions as reviews show them. */
  readonly options: JsonRecord;
  readonly object?: KubeObject;
  readonly oldObject?: KubeObject;
}

/** The checks and changes between a write and the storage. */
export interface Admission {
  /** May change the object of a create or an update; throws an ApiError to refuse. */
  readonly mutate: (request: AdmissionRequest, object: KubeObject) => Promise<KubeObject>;
  /** Throws an ApiError to refuse; returns warnings for the caller. */
  readonly validate: (request: AdmissionRequest) => Promise<readonly string[]>;
}
