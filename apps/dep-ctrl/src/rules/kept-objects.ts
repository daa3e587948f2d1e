// The parts of watched objects that are kept. Tenants may write any number of objects, each with labels, finalizers and claims of 1.4 MB: parts that no
// code reads must take no memory.
import { EACH, JsonProjection, type PathStep } from '@dep-ctrl/fieldpath';
import { CLUSTER_ANNOTATION, elements, PATH_ANNOTATION, record, type GroupVersionResource, type KubeObject } from '@dep-ctrl/kcp-names';
import { API_BINDINGS } from '@dep-ctrl/kcp-objects';
import { GUARD_NAME, PERMISSION_CLAIM, RULES } from '@dep-ctrl/rule-registry';
import { inTurns } from '@dep-ctrl/fair-shares';

/**
 * The part of an object that is kept; undefined: nothing. Of rules and bindings only the status is ever written, and there kcp takes nothing else. Guards and
 * configurations are written whole; there is one of each in a workspace.
 */
export function keptOf(type: GroupVersionResource, object: KubeObject): KubeObject | undefined {
  if (type === RULES) return withFewMetadata(object);
  if (type === API_BINDINGS) return withOwnClaim(withFewMetadata(object));
  return object.metadata.name === GUARD_NAME ? object : undefined;
}

/**
 * Parses a large answer or event in turns, so that large objects of one tenant do not delay others. It never waits for others itself, because everything
 * on the same watch waits for it.
 */
export function parseKept(type: GroupVersionResource, json: Buffer, form: 'list' | 'event'): Promise<unknown> {
  const projection = type === RULES || type === API_BINDINGS ? MOST[form] : EVERYTHING;
  return inTurns(projection.parse(json), { sharer: LARGE_OBJECTS, isUrgent: () => true });
}

/** The same for the pages of a list. */
export function pagesOf(type: GroupVersionResource): (json: Buffer) => Promise<unknown> {
  return (json) => parseKept(type, json, 'list');
}

/** All authors of large objects are one sharer: their objects come on the same watch. */
const LARGE_OBJECTS = 'large objects';

const METADATA = ['name', 'uid', 'resourceVersion', 'generation', 'creationTimestamp', 'deletionTimestamp'] as const;
const ANNOTATIONS = [CLUSTER_ANNOTATION, PATH_ANNOTATION];

const EVERYTHING = new JsonProjection('everything');

const MOST = { list: keptWithin(['items', EACH]), event: keptWithin(['object'], [['type']]) };

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
