// The parts of watched objects that are kept. Tenants may write any number of objects, each with labels, finalizers and claims of 1.4 MB: parts that no
// code reads must take no memory.
import { EACH, JsonProjection, type PathStep } from '@dep-ctrl/fieldpath';
import { CLUSTER_ANNOTATION, elements, PATH_ANNOTATION, record, type GroupVersionResource, type KubeObject } from '@dep-ctrl/kcp-names';
import { GUARD_NAME, PERMISSION_CLAIM } from '@dep-ctrl/rule-registry';
import { inTurns } from '@dep-ctrl/fair-shares';
import type { SeenKind } from './seen-objects.js';
import { seenKindOf } from './watched-types.js';

/** The part of an object that is kept; undefined: nothing. */
export function keptOf(type: GroupVersionResource, object: KubeObject): KubeObject | undefined {
  const kind = seenKindOf(type);
  return kind === undefined ? object : KEPT[kind](object);
}

/**
 * Parses a large answer or event in turns, so that large objects of one tenant do not delay others. It never waits for others itself, because everything
 * on the same watch waits for it.
 */
export function parseKept(type: GroupVersionResource, json: Buffer, form: 'list' | 'event'): Promise<unknown> {
  const kind = seenKindOf(type);
  return inTurns((kind === undefined ? EVERYTHING : PARSED[kind][form]).parse(json), {
    sharer: LARGE_OBJECTS,
    isUrgent: () => true,
  });
}

/** All authors of large objects are one sharer: their objects come on the same watch. */
const LARGE_OBJECTS = 'large objects';

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

const EVERYTHING = new JsonProjection('everything');

const MOST = { list: keptWithin(['items', EACH]), event: keptWithin(['object'], [['type']]) };
const ALL = { list: EVERYTHING, event: EVERYTHING };

const PARSED: Readonly<Record<SeenKind, Readonly<Record<'list' | 'event', JsonProjection>>>> = {
  rules: MOST,
  bindings: MOST,
  guards: ALL,
  configurations: ALL,
};

function keptWithin(place: readonly PathStep[], beside: readonly (readonly PathStep[])[] = []): JsonProjection {
  const parts = [
    ['apiVersion'],
    ['kind'],
    ...METADATA.map((key) => ['metadata', key]),
    ...ANNOTATIONS.map((key) => ['metadata', 'annotations', key]),
  ];
  const whole = [['spec'], ['status']];
  return new JsonProjection([...beside, ...parts.map((part) => [...place, ...part])], { whole: whole.map((part) => [...place, ...part]) });
}

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
  const spec = record(binding['spec']);
  if (!Array.isArray(spec?.['permissionClaims'])) return binding;
  const own = elements(spec['permissionClaims']).find(isOwnClaim);
  return { ...binding, spec: { ...spec, permissionClaims: own === undefined ? [] : [own] } };
}

function isOwnClaim(claim: unknown): boolean {
  const { group, resource } = record(claim) ?? {};
  return group === PERMISSION_CLAIM.group && resource === PERMISSION_CLAIM.resource;
}
