// What is kept of the objects that endpoints show. Their owners may write labels, finalizers and claims of 1.4 MB into each, and any number of
// objects: what nobody reads takes no memory.
import { CLUSTER_ANNOTATION, PATH_ANNOTATION, type GroupVersionResource, type KubeObject } from '@dep-ctrl/kcp-names';
import { GUARD_NAME, PERMISSION_CLAIM } from '@dep-ctrl/rule-registry';
import type { SeenKind } from './seen-objects.js';
import { seenKindOf } from './watched-types.js';

/** What is kept of an object of a watched type; undefined: nothing. */
export function keptOf(type: GroupVersionResource, object: KubeObject): KubeObject | undefined {
  const kind = seenKindOf(type);
  return kind === undefined ? object : KEPT[kind](object);
}

const KEPT: Readonly<Record<SeenKind, (object: KubeObject) => KubeObject | undefined>> = {
  // Only their status is ever written, and there kcp takes nothing else.
  rules: withFewMetadata,
  bindings: (binding) => withOwnClaim(withFewMetadata(binding)),
  // Guards and configurations are written whole; there is one of each in a workspace.
  guards: (guard) => (guard.metadata.name === GUARD_NAME ? guard : undefined),
  configurations: (configuration) => (configuration.metadata.name === GUARD_NAME ? configuration : undefined),
};

const METADATA = ['name', 'uid', 'resourceVersion', 'generation', 'creationTimestamp', 'deletionTimestamp'] as const;
const ANNOTATIONS = [CLUSTER_ANNOTATION, PATH_ANNOTATION];

function withFewMetadata(object: KubeObject): KubeObject {
  const { metadata } = object;
  const annotations = Object.fromEntries(
    ANNOTATIONS.flatMap((key) => (metadata.annotations?.[key] === undefined ? [] : [[key, metadata.annotations[key]]])),
  );
  const few = Object.fromEntries(METADATA.flatMap((key) => (metadata[key] === undefined ? [] : [[key, metadata[key]]])));
  return { ...object, metadata: { ...few, annotations } };
}

/** The first answer to the claim is the one that is read. */
function withOwnClaim(binding: KubeObject): KubeObject {
  const { spec } = binding as { readonly spec?: unknown };
  if (typeof spec !== 'object' || spec === null || !('permissionClaims' in spec) || !Array.isArray(spec.permissionClaims)) return binding;
  const own = (spec.permissionClaims as readonly unknown[]).find(isOwnClaim);
  return { ...binding, spec: { ...spec, permissionClaims: own === undefined ? [] : [own] } };
}

function isOwnClaim(claim: unknown): boolean {
  if (typeof claim !== 'object' || claim === null) return false;
  const { group, resource } = claim as { readonly group?: unknown; readonly resource?: unknown };
  return group === PERMISSION_CLAIM.group && resource === PERMISSION_CLAIM.resource;
}
