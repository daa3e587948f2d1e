// The facts that doctor reads beyond the installed objects: rights, and kcp's answers to dry-run deletes.
import type { KubeObject, LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { Grant } from '../../controller/rule-status/grant-answer.js';
import type { Reading } from '../../installation/reading.js';
import type { ReviewAnswer } from '../../read-access/access-review.js';
import type { DerivedTypes } from '../../read-access/derive-types.js';

/** Everything beyond. */
export interface Probes {
  readonly rights: readonly RightAnswer[];
  readonly policies: readonly PolicyAnswer[];
  readonly deletes: readonly RehearsedDelete[];
  readonly shardAdmins: readonly ShardAdminFacts[];
  readonly identities: readonly IdentityFacts[];
  /** Undefined where the ordered teardown is not used. */
  readonly teardown: TeardownFacts | undefined;
}

/** What the type of the ordered teardown should permit, and who may follow it. */
export interface TeardownFacts {
  readonly derived: Reading<DerivedTypes>;
  /** kcp's answers about each identity that is bound to the rights about the type: one for each verb. */
  readonly followers: readonly { readonly name: string; readonly answers: Reading<readonly ReviewAnswer[]> }[];
}

/** Whether the identity of a role has a right, as kcp says. */
export interface RightAnswer {
  readonly role: 'controller' | 'webhook';
  /** `consumers`: what each review asks first, on one shard. `dependents`: the type that a rule is about. */
  readonly of: 'consumers' | 'dependents';
  /** In which workspace it was asked about. */
  readonly workspace: string;
  /** `list vpcs.network.example.com`. */
  readonly action: string;
  readonly grant: Reading<Grant>;
}

/** Whether the export of a dependent shows its objects to the webhook. */
export interface PolicyAnswer {
  readonly workspace: string;
  readonly exportName: string;
  /** Whether it has a maximalPermissionPolicy and the webhook is a ServiceAccount, which kcp then shows nothing. */
  readonly isHidden: Reading<boolean>;
}

/** The result of a dry-run delete of an object that a rule guards. */
export interface RehearsedDelete {
  /** The shard that was asked, by its address; or the guarded workspace, where nothing could be tried. */
  readonly shard: string;
  readonly object: string;
  readonly outcome:
    | { readonly state: 'asked' }
    | { readonly state: 'not-reached'; readonly problem: string }
    /** The webhook refuses since it cannot tell. */
    | { readonly state: 'cannot-tell'; readonly says: string }
    | { readonly state: 'not-tried'; readonly because: 'not-asked' | 'failed'; readonly why: string };
}

/** The objects of this and other installations that an admin of a shard sees. */
export interface ShardAdminFacts {
  readonly file: string;
  /** ClusterRoles and ClusterRoleBindings of dep-ctrl in `system:admin`, by kind and name. */
  readonly rights: Reading<ReadonlyMap<string, KubeObject>>;
  /** Installations that have rights here, and whose workspace cannot be found. */
  readonly orphans: readonly string[];
  /** Configurations with our label, anywhere on the shard. */
  readonly configurations: Reading<readonly { readonly cluster: LogicalClusterName; readonly owner: string }[]>;
}

/** kcp's answer to a role, asked with the kubeconfig that bootstrap wrote. */
export interface IdentityFacts {
  readonly file: string;
  readonly role: 'controller' | 'webhook' | 'all';
  /** Reading the endpoints in the workspace of dep-ctrl. */
  readonly home: Reading<true> | { readonly state: 'damaged'; readonly problem: string };
  /** One list in a workspace of another owner on each shard. */
  readonly foreign: readonly { readonly workspace: string; readonly listed: Reading<true> }[];
}

/** Nothing was tried. */
export const NO_PROBES: Probes = { rights: [], policies: [], deletes: [], shardAdmins: [], identities: [], teardown: undefined };
