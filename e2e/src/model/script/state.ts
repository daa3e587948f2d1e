// What the model knows: what the users of a seed have written so far. Each step makes a new state of the last one.
import { isSameType, type ModelObject, type ModelRule, type ModelType } from './referenced.js';
import type { Topology, Version } from './topology.js';

/** A rule as it is written: names and versions mean nothing for who holds whom. */
export interface WrittenRule extends ModelRule {
  readonly name: string;
  readonly versions: { readonly dependent: Version; readonly dependency: Version };
}

/** That a consumer has bound a provider. */
export interface Bound {
  readonly consumer: number;
  readonly provider: number;
}

/** Whose rules a provider admits besides its own; where it has said nothing, everybody's. */
export interface Consent {
  readonly provider: number;
  readonly admits: readonly number[];
}

/** What users have written. */
export interface State {
  readonly topology: Topology;
  /** Consumers whose workspaces are there. */
  readonly consumers: readonly number[];
  readonly bound: readonly Bound[];
  /** Providers that have bound dep-ctrl. */
  readonly members: readonly number[];
  readonly consents: readonly Consent[];
  readonly objects: readonly ModelObject[];
  readonly rules: readonly WrittenRule[];
}

/** Which object. */
export interface ObjectKey {
  readonly consumer: number;
  readonly type: ModelType;
  readonly namespace?: string;
  readonly name: string;
}

/** Before the first step. */
export function opening(topology: Topology): State {
  return {
    topology,
    consumers: topology.consumers.map(({ consumer }) => consumer),
    bound: topology.consumers.flatMap(({ consumer, binds }) => binds.map((provider) => ({ consumer, provider }))),
    members: topology.providers,
    consents: [],
    objects: [],
    rules: [],
  };
}

/** An object's key alone. */
export function keyOf({ consumer, type, namespace, name }: ObjectKey): ObjectKey {
  return { consumer, type, ...(namespace === undefined ? {} : { namespace }), name };
}

/** Whether both are the same object. */
export function isSameObject(one: ObjectKey, other: ObjectKey): boolean {
  const isSamePlace = one.consumer === other.consumer && one.namespace === other.namespace;
  return isSamePlace && one.name === other.name && isSameType(one.type, other.type);
}

/** The object of a key, while it is there. */
export function objectOf(state: State, key: ObjectKey): ModelObject | undefined {
  return state.objects.find((object) => isSameObject(object, key));
}

/** Whether a consumer has bound a provider. */
export function isBound({ bound }: State, { consumer, provider }: Bound): boolean {
  return bound.some((each) => each.consumer === consumer && each.provider === provider);
}

/** The same without some objects. */
export function withoutObjects(state: State, gone: readonly ObjectKey[]): State {
  return { ...state, objects: state.objects.filter((object) => !gone.some((key) => isSameObject(object, key))) };
}
