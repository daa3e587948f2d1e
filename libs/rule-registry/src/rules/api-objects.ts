import type { KubeObject } from '@dep-ctrl/kcp-names';

/** What becomes of a delete that a rule's dependents stand against. */
export type Enforcement = 'Deny' | 'Warn' | 'Audit';

/** Whether a dependent that is itself being deleted still stands against a delete. */
export type WhileTerminating = 'Block' | 'Ignore';

/** One entry of `status.conditions`, as Kubernetes defines it. */
export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly observedGeneration?: number;
  readonly lastTransitionTime: string;
  readonly reason: string;
  readonly message: string;
}

/** A DependencyRule as kcp stores it. Objects from a server are `unknown` until `parseRule` has read them; this is for writing. */
export interface DependencyRuleObject extends KubeObject {
  readonly spec: DependencyRuleSpec;
  readonly status?: DependencyRuleStatus;
}

/** What the author of a rule writes. */
export interface DependencyRuleSpec {
  readonly dependent: {
    readonly apiExportName: string;
    readonly group: string;
    readonly version: string;
    readonly kind: string;
    readonly resource: string;
  };
  readonly dependencies: readonly DependencySpec[];
  readonly enforcement?: Enforcement;
  readonly whileTerminating?: WhileTerminating;
}

/** One type that the dependent refers to, and where in the dependent the reference stands. */
export interface DependencySpec {
  readonly apiExportRef: { readonly path: string; readonly name: string };
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly fieldRef: { readonly path: string; readonly namespacePath?: string };
}

/** What the controller says about a rule. */
export interface DependencyRuleStatus {
  readonly observedGeneration?: number;
  /** For the printer column: how many of the targets are installed, as `1/2`. */
  readonly targetsInstalled?: string;
  readonly targets?: readonly RuleTarget[];
  readonly conditions?: readonly Condition[];
}

/** What became of one dependency of a rule. */
export interface RuleTarget {
  readonly path: string;
  readonly cluster?: string;
  /** For people: `vpcs.network.example.com`. */
  readonly resource: string;
  readonly state: 'Installed' | 'Pending' | 'Refused' | 'Missing' | 'Failed';
  readonly message?: string;
}

/** A DependencyGuard as kcp stores it. */
export interface DependencyGuardObject extends KubeObject {
  readonly spec?: DependencyGuardSpec;
  readonly status?: DependencyGuardStatus;
}

/** What the guarded provider may write. */
export interface DependencyGuardSpec {
  /** Workspace paths whose rules may guard this workspace. Absent: every workspace may. Empty: no other workspace may. Its own always may. */
  readonly allowRulesFrom?: readonly string[];
}

/** What the controller says about a guarded workspace. */
export interface DependencyGuardStatus {
  readonly observedGeneration?: number;
  /** How many rules hold resources of this workspace. More than `rules` names: the list was cut, as an object has a maximal size. */
  readonly ruleCount?: number;
  /** For the printer column: how many of these rules under which enforcement, as `2 Deny, 1 Warn`. Absent: there are none. */
  readonly enforcement?: string;
  /** For the printer column: the workspaces that the spec admits, in short. */
  readonly allowed?: string;
  readonly rules?: readonly GuardRuleEntry[];
  readonly conditions?: readonly Condition[];
}

/** One rule that holds resources of the guarded workspace. */
export interface GuardRuleEntry {
  /** The logical cluster that the rule lives in. */
  readonly cluster: string;
  /** The path of that workspace, when it is known. */
  readonly path?: string;
  /** The rule's name. */
  readonly rule: string;
  /** Which rule of that name it is, and which of its generations. Absent where an older controller wrote the entry. */
  readonly uid?: string;
  readonly generation?: number;
  /** For people: `VirtualMachine.compute.example.com`. */
  readonly dependent: string;
  /** For people: `vpcs.network.example.com`. */
  readonly resource: string;
  readonly enforcement: Enforcement;
}
