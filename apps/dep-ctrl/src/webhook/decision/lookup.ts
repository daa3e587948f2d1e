import type { GroupResource, LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';
import type { Enforcement, NonEmpty, WhileTerminating } from '@dep-ctrl/rule-registry';

/** As much of a rule as a decision needs. */
export interface DecidingRule {
  readonly cluster: LogicalClusterName;
  readonly name: string;
  readonly path?: WorkspacePath;
  readonly enforcement: Enforcement;
  readonly whileTerminating: WhileTerminating;
}

/** The type whose objects hold the reference. */
export interface DependentType extends GroupResource {
  readonly kind: string;
}

/** An object that refers to the subject. */
export interface Dependent {
  /** As it says itself. Rules may name another by mistake, and two rules two. */
  readonly kind?: string;
  readonly namespace?: string;
  readonly name: string;
  readonly uid?: string;
  readonly isTerminating: boolean;
}

/**
 * Why a lookup has no answer. Lasting: people must fix something first. Passing: the same request may succeed in a second.
 */
export type LookupFailure =
  /** `problem`: kcp's own message. It names workspaces and identities, so only the operator may see it. */
  | { readonly code: 'unauthorized' | 'forbidden'; readonly lasting: true; readonly problem?: string }
  | { readonly code: 'version-not-served'; readonly lasting: true; readonly version: string }
  | { readonly code: 'export-recreated'; readonly lasting: false; readonly binding: string }
  | { readonly code: 'too-large'; readonly lasting: true }
  | { readonly code: FailedReadCode; readonly lasting: false };

/** What may be over in a second, of which there is nothing more to say. */
export type FailedReadCode =
  'timeout' | 'throttled' | 'unavailable' | 'unreachable' | 'not-served' | 'unreadable' | 'changing' | 'not-finished';

/** The answer of one dependent type for one deletion, one rule and one reference path. */
export type Lookup =
  /** Read to the end: only these refer to the subject, besides `waitingOwners`, which own it, are being deleted and wait for it. */
  | { readonly answer: 'listed'; readonly dependents: readonly Dependent[]; readonly waitingOwners?: readonly Dependent[] }
  /** Reading stopped because these are enough to refuse. There may be more. */
  | { readonly answer: 'enough'; readonly dependents: NonEmpty<Dependent> }
  /** The consumer workspace has not bound the type: it holds no such objects. */
  | { readonly answer: 'not-bound' }
  | { readonly answer: 'cannot-tell'; readonly failure: LookupFailure };

/** A lookup with what it was made for. */
export interface Finding {
  readonly rule: DecidingRule;
  readonly type: DependentType;
  /** The reference path as people write it: `.spec.vpcRef.name`. */
  readonly fieldPath: string;
  readonly lookup: Lookup;
}

/** The facts on which a deletion is decided. */
export type Evidence =
  | { readonly state: 'rules-unknown' }
  /** The workspace whose webhook was asked is not bound: its configuration was left, by a former installation or when it unbound. */
  | { readonly state: 'rules-not-back' }
  /** What the consumer has bound could not be read. */
  | { readonly state: 'bindings-unknown'; readonly failure: LookupFailure }
  /** The subject's type is not bound from the guarded workspace in the URL. kcp calls so only while a consumer changes its binding to another export. */
  | { readonly state: 'not-exported-here' }
  /** No findings: no rule guards the subject. */
  | { readonly state: 'rules-known'; readonly findings: readonly Finding[] };
