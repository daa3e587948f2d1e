// What a test declares: everything that should be there before it begins.
import type { KubeObject } from '@dep-ctrl/kcp-names';
import type { Delays } from '../background/delays.js';

/** What there should be. Workspaces and exports are made in the order in which they are declared; a parent comes before its children. */
export interface KcpSetup {
  /** By path: `root:owner`. */
  readonly workspaces?: Readonly<Record<string, WorkspaceSetup>>;
  /** By user name. Users without rights need no declaration. */
  readonly users?: Readonly<Record<string, UserSetup>>;
}

/** A kcp and what there should be in it. */
export interface TestKcpOptions extends KcpSetup {
  /** `root`, and with two also `shard-1`. Default 1. */
  readonly shards?: 1 | 2;
  /** How slow kcp's background work is. Default `fast`: a hundredth of a real kcp. */
  readonly delays?: Delays;
}

/** One workspace. */
export interface WorkspaceSetup {
  /** `root` or `shard-1`. Default: kcp chooses. */
  readonly shard?: string;
  /** The path and name of its WorkspaceType. Default `root:universal`. */
  readonly type?: string;
  /** The APIExports in it, by name. */
  readonly exports?: Readonly<Record<string, ExportSetup>>;
  /** The exports that it binds: `root:owner:widgets.example.com`, which accepts every claim, or the details. */
  readonly binds?: readonly (string | BindingSetup)[];
  readonly namespaces?: readonly string[];
  /** Whatever else: objects, or YAML of one or more. Made last, when all that is bound is served. */
  readonly objects?: readonly (KubeObject | string)[];
}

/** One APIExport. */
export interface ExportSetup {
  readonly types?: readonly TypeSetup[];
  readonly claims?: readonly ClaimSetup[];
}

/** An exported type: in short, or a CustomResourceDefinition or APIResourceSchema as an object, or YAML of one or more of these. */
export type TypeSetup = ShortType | KubeObject | string;

/** A type in short. It has a status subresource. */
export interface ShortType {
  readonly kind: string;
  /** Default: the kind in lower case and an s. */
  readonly plural?: string;
  /** Default: the name of the export. */
  readonly group?: string;
  /** Default v1. */
  readonly version?: string;
  /** Default Namespaced. */
  readonly scope?: 'Namespaced' | 'Cluster';
  /** The fields of `spec`. Default: any. */
  readonly spec?: Readonly<Record<string, FieldSetup>>;
  /** The fields of `status`. Default: any. */
  readonly status?: Readonly<Record<string, FieldSetup>>;
}

/** The type of a field, or its OpenAPI schema. */
export type FieldSetup = 'string' | 'integer' | 'number' | 'boolean' | Readonly<Record<string, unknown>>;

/** One permission claim. */
export interface ClaimSetup {
  /** Default: the core group. */
  readonly group?: string;
  readonly resource: string;
  /** Default: all. */
  readonly verbs?: readonly string[];
  /** The export that serves the type, where it is not built in: `root:other:gadgets.example.com`. It is declared before. */
  readonly of?: string;
}

/** One APIBinding. */
export interface BindingSetup {
  /** `root:owner:widgets.example.com`. */
  readonly export: string;
  /** Default: the name of the export. */
  readonly name?: string;
  /** What it says to the claims of the export. Default `Accepted`. */
  readonly claims?: 'Accepted' | 'Rejected' | 'unanswered';
}

/** One user. */
export interface UserSetup {
  readonly groups?: readonly string[];
  /** What the user may do, by workspace: everything, or what the rules of a ClusterRole say. Either brings access to the workspace. */
  readonly rights?: Readonly<Record<string, 'admin' | readonly RightsRule[]>>;
}

/** A rule of a ClusterRole. */
export interface RightsRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}
