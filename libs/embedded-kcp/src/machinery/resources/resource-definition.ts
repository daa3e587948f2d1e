// The rows of the resource table: a resource is data, not a handler. The rows of built-in resources and of kcp's own stand in the source; those of bound
// resources and CRDs are made at run time from their schemas.
import type { GroupResource, KubeObject, LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { StatusCause } from '../../http/api-status.js';
import type { Verb } from '../../http/request-info.js';
import type { JsonRecord } from '../../json/json.js';
import type { NameRule } from './metadata-rules.js';

/** One printer column beyond the name. */
export interface ResourceColumn {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
  /** Where the cell is read, in kubectl's JSONPath without braces; or a function for built-ins whose cell is computed. */
  readonly value: string | ((object: KubeObject, nowMs: number) => unknown);
}

/** One version of a resource. */
export interface ResourceVersion {
  readonly name: string;
  /** The structural schema: what is pruned, defaulted and validated. Without one the object is taken as it is. */
  readonly schema?: JsonRecord;
  readonly columns?: readonly ResourceColumn[];
  readonly hasStatus: boolean;
  readonly deprecationWarning?: string;
  /** Fields that a field selector may name, beside those of the metadata: `spec.color`. */
  readonly selectable?: readonly string[];
}

/** A resource as the API server serves it. */
export interface ResourceDefinition extends GroupResource {
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly namespaced: boolean;
  /** The served versions, preferred first. */
  readonly versions: readonly ResourceVersion[];
  readonly storageVersion: string;
  /** Where its objects are stored: group, resource and identity. */
  readonly bucket: string;
  readonly origin: ResourceOrigin;
  readonly verbs: readonly Verb[];
  readonly subresources?: readonly Subresource[];
  readonly rules?: ResourceRules;
}

/** Where a resource comes from. */
export type ResourceOrigin =
  | { readonly kind: 'builtin' }
  | { readonly kind: 'system' }
  | {
      readonly kind: 'bound';
      readonly exportCluster: LogicalClusterName;
      readonly exportName: string;
      /** How the binding names the exporting workspace: a path, or the name of a cluster. */
      readonly exportPath: string;
      readonly identityHash: string;
    }
  | { readonly kind: 'crd' };

/** A subresource beyond status. */
export interface Subresource {
  readonly name: string;
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly Verb[];
}

/** The rules of a resource for writes of its objects: pure functions, all on the storage version. */
export interface ResourceRules {
  /** Fills in what the server sets on a create. */
  readonly onCreate?: (object: KubeObject) => KubeObject;
  /** Carries over or corrects what the client may not change. */
  readonly onUpdate?: (object: KubeObject, previous: KubeObject) => KubeObject;
  /** What a status write changes beside the status. */
  readonly onStatus?: (object: KubeObject, sent: KubeObject) => KubeObject;
  /** What a delete changes on an object that stays for now. */
  readonly onDelete?: (object: KubeObject) => KubeObject;
  /** Whether something beside metadata.finalizers keeps a deleted object. */
  readonly isHeld?: (object: KubeObject) => boolean;
  /** Whether its own storage checks the preconditions of a delete, in its own words. */
  readonly checksPreconditions?: boolean;
  /** What is wrong with an object beyond its schema. `previous` is undefined on a create. */
  readonly check?: (object: KubeObject, previous: KubeObject | undefined) => readonly StatusCause[];
  /** Turns an object of one version into another. Without it only apiVersion changes. */
  readonly convert?: (object: KubeObject, version: string) => KubeObject;
  /** Which names are taken. Default: RFC 1123 subdomains. */
  readonly names?: NameRule;
  /** Whether a spec change raises metadata.generation. Custom resources always do; built-ins that have one say so here. */
  readonly hasGeneration?: boolean;
  /** Whether an update may come without a resourceVersion. */
  readonly allowsUnconditionalUpdate?: boolean;
  /** Whether an update of a missing object creates it. */
  readonly allowsCreateOnUpdate?: boolean;
}

/** Every verb of a stored resource. */
export const STORED_VERBS: readonly Verb[] = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

/** The version of a definition, if served. */
export function versionOf(definition: ResourceDefinition, name: string): ResourceVersion | undefined {
  return definition.versions.find((version) => version.name === name);
}

/** Whether objects of a definition are custom resources, which lists show with apiVersion and kind. */
export function isCustom(definition: ResourceDefinition): boolean {
  return definition.origin.kind !== 'builtin';
}
