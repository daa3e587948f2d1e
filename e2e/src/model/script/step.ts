// What can happen in a seed. A script is a list of these; one that makes no sense where it is reached is skipped, so that any part of a script is one.
import type { ModelObject } from './referenced.js';
import type { Consent, ObjectKey, State, WrittenRule } from './state.js';
import type { Draws, Topology, Version } from './topology.js';

/** A user creates an object. */
export interface Create {
  readonly kind: 'create';
  readonly object: ModelObject;
  readonly version: Version;
}

/** A user changes what an object refers to. */
export interface Repoint {
  readonly kind: 'repoint';
  readonly object: ModelObject;
  readonly version: Version;
}

/** A user asks by a dry run whether an object may go, or deletes it. */
export interface Delete {
  readonly kind: 'ask' | 'delete';
  readonly object: ObjectKey;
  readonly version: Version;
}

/** A user deletes all objects of a type, in a namespace or in a workspace. */
export interface DeleteCollection {
  readonly kind: 'delete-collection';
  readonly collection: Omit<ObjectKey, 'name'>;
  readonly version: Version;
}

/** A provider writes a rule, or replaces what it says. */
export interface WriteRule {
  readonly kind: 'add-rule' | 'edit-rule';
  readonly rule: WrittenRule;
}

/** A provider deletes a rule. */
export interface RemoveRule {
  readonly kind: 'remove-rule';
  readonly name: string;
}

/** A provider says whose rules it admits; without a consent everybody's. */
export interface GiveConsent {
  readonly kind: 'consent';
  readonly provider: number;
  readonly consent?: Consent;
}

/** A provider lets go of dep-ctrl, or binds it again. */
export interface Membership {
  readonly kind: 'leave' | 'join';
  readonly provider: number;
}

/** A consumer binds a provider, or lets go of it with all objects. */
export interface Binding {
  readonly kind: 'bind' | 'unbind';
  readonly consumer: number;
  readonly provider: number;
}

/** A namespace ends. */
export interface EndNamespace {
  readonly kind: 'end-namespace';
  readonly consumer: number;
  readonly namespace: string;
}

/** The workspace of a consumer ends. */
export interface EndWorkspace {
  readonly kind: 'end-workspace';
  readonly consumer: number;
}

/** What dep-ctrl learns of by watching: it takes a moment to be in force. */
export type Change = WriteRule | RemoveRule | GiveConsent;

/** A role is killed and started again. The controller finds out what changed meanwhile. */
export interface Restart {
  readonly kind: 'restart';
  readonly role: 'webhook' | 'controller';
  readonly meanwhile?: Change;
}

/** Something breaks for a while; the number says what. */
export interface Fault {
  readonly kind: 'fault';
  readonly number: number;
}

/** Anything that happens. */
export type Step =
  Create | Repoint | Delete | DeleteCollection | Change | Membership | Binding | EndNamespace | EndWorkspace | Restart | Fault;

/** The steps of one kind. */
export type StepOf<Kind extends Step['kind'], S extends Step = Step> = S extends { readonly kind: infer Own }
  ? Kind extends Own
    ? S
    : never
  : never;

/** A step, and beside it what a hostile tenant does. */
export interface Entry {
  readonly step: Step;
  /** The position in the script that it was drawn for, from 1. */
  readonly at: number;
  /** Says what the hostile tenant does meanwhile; absent: nothing. */
  readonly hostile?: number;
}

/** What is played. */
export interface Script {
  readonly topology: Topology;
  readonly entries: readonly Entry[];
}

/** What the model must know about a kind of steps. */
export interface StepKind<S extends Step> {
  /** How often it is chosen, compared with the others. */
  readonly weight: number;
  /** One that makes sense now; nothing where none does. */
  choose(state: State, draws: Draws): S | undefined;
  isPossible(state: State, step: S): boolean;
  /** What is there once it is done. */
  after(state: State, step: S): State;
}

/** One of some, if there is any. */
export function anyOf<T>(draws: Draws, choices: readonly T[]): T | undefined {
  return choices.length === 0 ? undefined : draws.pick(choices);
}
