// The facts of an installation for status and doctor: read once, judged by pure functions.
import type { KubeObject, LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';
import type { DyingWorkspace } from '../teardown-type/dying-workspaces.js';
import type { Peek } from './peek.js';
import type { Reading } from './reading.js';

/** Everything that was read. */
export interface Facts {
  /** The clock of this machine, corrected by that of kcp where kcp says its own. */
  readonly nowMs: number;
  readonly server: ServerFacts;
  /** Absent where the server does not answer these credentials: nothing else was asked. */
  readonly installation?: InstallationFacts;
}

/** The objects in kcp, and the webhooks that kcp calls. */
export interface InstallationFacts {
  readonly home: HomeFacts;
  /** One for each endpoint of the export, which is one for each shard on which a workspace binds it. */
  readonly shards: readonly ShardFacts[];
  /** Of each path that rules and guards name, and that workspaces say of themselves, the cluster that kcp named for it; absent: not known. */
  readonly paths: ReadonlyMap<WorkspacePath, LogicalClusterName | 'missing'>;
  /** The webhook that the configuration in the workspace of dep-ctrl names, once for each CA bundle that it is named with. */
  readonly webhooks: readonly WebhookFacts[];
}

/** One address of kcp. */
export interface ServerFacts {
  readonly baseUrl: string;
  readonly peek: Peek;
  /** As kcp names it: `v1.33.3+kcp-v0.32.3`. */
  readonly version: Reading<string>;
}

/** The workspace of dep-ctrl. */
export interface HomeFacts {
  readonly path: LogicalClusterName | WorkspacePath;
  /** `missing`: surely not there; the text says what to do. */
  readonly presence:
    | { readonly state: 'found'; readonly cluster: LogicalClusterName }
    | { readonly state: 'missing'; readonly what: 'workspace' | 'export'; readonly text: string }
    | { readonly state: 'in-doubt'; readonly text: string };
  readonly apiExport: Reading<KubeObject | undefined>;
  /** The names of all schemas there. */
  readonly schemas: Reading<ReadonlySet<string>>;
  readonly slice: Reading<KubeObject | undefined>;
  readonly lease: Reading<KubeObject | undefined>;
  /** Roles, bindings and ServiceAccounts, by kind and name. */
  readonly rights: Reading<ReadonlyMap<string, KubeObject>>;
  readonly secrets: Reading<readonly SecretFacts[]>;
  /** The configuration that has rules and guards checked as they are written. */
  readonly admission: Reading<KubeObject | undefined>;
  /** What of the policy in root, by kind, that keeps the workspace from being deleted, is there. */
  readonly protection: Reading<ReadonlyMap<string, KubeObject>>;
  /** The WorkspaceType of the ordered teardown that dep-ctrl made; it is a choice. */
  readonly teardownType: Reading<KubeObject | undefined>;
  /** Workspaces that are being deleted and wait for its terminator; none where there is no type. */
  readonly dying: Reading<readonly DyingWorkspace[]>;
}

/** A Secret, without its content. */
export interface SecretFacts {
  readonly name: string;
  readonly type: string;
  readonly isFilled: boolean;
  /** When it was written last, as far as it says. */
  readonly writtenAt?: string;
  /** PEM, of the CA that `all` makes. */
  readonly certificate?: string;
}

/** What the export's virtual workspace on one shard shows. */
export interface ShardFacts {
  readonly url: string;
  readonly server: ServerFacts;
  readonly bindings: Reading<readonly KubeObject[]>;
  readonly rules: Reading<readonly KubeObject[]>;
  readonly guards: Reading<readonly KubeObject[]>;
  readonly configurations: Reading<readonly KubeObject[]>;
}

/** The webhook as installed configurations name it, asked from here. */
export interface WebhookFacts {
  readonly origin: string;
  /** The PEM bundle that kcp is told to trust. */
  readonly caBundle?: string;
  /** The workspaces whose configurations name it; the workspace of dep-ctrl among them. */
  readonly namedIn: readonly LogicalClusterName[];
  readonly peek: Peek;
  /** The workspaces whose URL it was asked about, and those of them whose URL it does not accept. */
  readonly askedTokens: readonly LogicalClusterName[];
  readonly refusedTokens: readonly LogicalClusterName[];
  /** The versions that answered: replicas behind one address may be of several. */
  readonly versions?: readonly string[];
}
