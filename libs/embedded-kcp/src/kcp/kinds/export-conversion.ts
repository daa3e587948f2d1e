// Converts APIExports and APIBindings between v1alpha1 and v1alpha2. Fields that the older version lacks are kept in annotations, under the keys that kcp
// uses.
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { arrayAt, isRecord, recordAt, stringAt, valueAt, withMetadata, withoutUndefined, type JsonRecord } from '../../json/json.js';

const GROUP = 'apis.kcp.io';
const RESOURCE_SCHEMAS = 'apis.v1alpha2.kcp.io/resource-schemas';

/** An APIExport in another version. */
export function convertExport(object: KubeObject, version: string): KubeObject {
  return version === 'v1alpha1' ? exportToLegacy(object) : exportFromLegacy(object);
}

/** An APIBinding in another version. */
export function convertBinding(object: KubeObject, version: string): KubeObject {
  const toLegacy = version === 'v1alpha1';
  const claim = toLegacy ? bindingClaimToLegacy : bindingClaimFromLegacy;
  const spec = recordAt(object, 'spec');
  const status = valueAt(object, 'status');
  const mapped = (holder: JsonRecord, key: string, map: (one: JsonRecord) => JsonRecord): JsonRecord =>
    holder[key] === undefined ? {} : { [key]: arrayAt(holder, key).filter(isRecord).map(map) };
  return {
    ...object,
    apiVersion: `${GROUP}/${version}`,
    spec: { ...spec, ...mapped(spec, 'permissionClaims', claim) },
    ...(isRecord(status)
      ? {
          status: {
            ...status,
            ...mapped(status, 'appliedPermissionClaims', claim),
            ...mapped(status, 'exportPermissionClaims', toLegacy ? exportClaimToLegacy : exportClaimFromLegacy),
          },
        }
      : {}),
  };
}

function exportToLegacy(object: KubeObject): KubeObject {
  const { resources: _resources, permissionClaims: _claims, ...spec } = recordAt(object, 'spec');
  const resources = arrayAt(object, 'spec', 'resources').filter(isRecord);
  const claims = arrayAt(object, 'spec', 'permissionClaims').filter(isRecord);
  return {
    ...object,
    apiVersion: `${GROUP}/v1alpha1`,
    spec: {
      ...spec,
      ...(resources.length === 0 ? {} : { latestResourceSchemas: resources.map((one) => stringAt(one, 'schema') ?? '') }),
      ...(claims.length === 0 ? {} : { permissionClaims: claims.map(exportClaimToLegacy) }),
    },
  };
}

function exportFromLegacy(object: KubeObject): KubeObject {
  const { latestResourceSchemas: _schemas, permissionClaims: _claims, ...spec } = recordAt(object, 'spec');
  const known = parseList(object.metadata.annotations?.[RESOURCE_SCHEMAS]);
  const schemas = arrayAt(object, 'spec', 'latestResourceSchemas').filter((one) => typeof one === 'string');
  const resources = schemas.map((schema) => known.find((one) => stringAt(one, 'schema') === schema) ?? resourceOf(schema));
  const claims = arrayAt(object, 'spec', 'permissionClaims').filter(isRecord);
  const annotations = Object.entries(object.metadata.annotations ?? {}).filter(([key]) => key !== RESOURCE_SCHEMAS);
  const converted: KubeObject = {
    ...object,
    apiVersion: `${GROUP}/v1alpha2`,
    spec: {
      ...spec,
      ...(resources.length === 0 ? {} : { resources }),
      ...(claims.length === 0 ? {} : { permissionClaims: claims.map(exportClaimFromLegacy) }),
    },
  };
  return withMetadata(converted, { annotations: annotations.length === 0 ? undefined : Object.fromEntries(annotations) });
}

// A schema's name is `<prefix>.<plural>.<group or core>`.
function resourceOf(schema: string): JsonRecord {
  const [, name = '', ...group] = schema.split('.');
  const joined = group.join('.');
  return { group: joined === 'core' ? '' : joined, name, schema, storage: { crd: {} } };
}

// An export's claim reads back without "all": kcp drops it on the way (seen on v0.32.3).
function exportClaimToLegacy({ group, resource, identityHash }: JsonRecord): JsonRecord {
  return withoutUndefined({ group: blank(group), resource, identityHash: blank(identityHash) });
}

function exportClaimFromLegacy({ group, resource, identityHash }: JsonRecord): JsonRecord {
  return { group: group ?? '', resource, identityHash: identityHash ?? '', verbs: ['*'] };
}

function bindingClaimToLegacy({ group, resource, identityHash, selector, state }: JsonRecord): JsonRecord {
  const all = valueAt(selector, 'matchAll') === true ? true : undefined;
  return withoutUndefined({ group: blank(group), resource, identityHash: blank(identityHash), all, state });
}

function bindingClaimFromLegacy({ group, resource, identityHash, state }: JsonRecord): JsonRecord {
  const claim = { group: group ?? '', resource, identityHash: identityHash ?? '', verbs: ['*'], selector: { matchAll: true }, state };
  return withoutUndefined(claim);
}

function blank(value: unknown): unknown {
  return value === '' ? undefined : value;
}

function parseList(text: string | undefined): readonly JsonRecord[] {
  if (text === undefined) return [];
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter(isRecord) : [];
  } catch {
    return [];
  }
}
