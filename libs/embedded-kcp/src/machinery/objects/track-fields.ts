// Field ownership of a write: the field types of the version, the fields that the endpoint resets, the version under which the write is recorded.
import { CLUSTER_ANNOTATION, apiVersionOf, type KubeObject } from '@dep-ctrl/kcp-names';
import type { ResetFields } from '../../apply/ownership.js';
import { recordUpdate } from '../../apply/record-update.js';
import { DEDUCED, fieldTypeOf, type FieldType } from '../../apply/field-type.js';
import { objectMetaSchema, typeProperties } from '../../built-in-schemas/object-metadata.js';
import { recordAt, withMetadata, withoutUndefined } from '../../json/json.js';
import { convertObject } from '../resources/conversion.js';
import { timestamp } from '../resources/object-meta.js';
import { isCustom, type ResourceVersion } from '../resources/resource-definition.js';
import type { WriteTarget } from './write-target.js';

/** The writer and the kind of a write. */
export interface FieldClaim {
  readonly operation: 'Update' | 'Apply';
  readonly manager: string;
}

type Target = Pick<WriteTarget, 'definition' | 'version' | 'subresource'>;

/** The object with metadata.managedFields as they are after this write. An apply has written them itself. */
export function claimFields(
  object: KubeObject,
  previous: KubeObject | undefined,
  claim: FieldClaim,
  target: Target,
  nowMs: number,
): KubeObject {
  if (claim.operation === 'Apply') return object;
  const { definition, version, subresource } = target;
  const asWritten = (value: KubeObject): KubeObject => convertObject(definition, value, version.name);
  const recorded = recordUpdate({
    live: previous === undefined ? undefined : asWritten(previous),
    next: asWritten(previous === undefined ? withoutCluster(object) : object),
    type: fieldTypeOfVersion(version),
    manager: claim.manager,
    apiVersion: apiVersionOf({ group: definition.group, version: version.name }),
    subresource,
    reset: resetFields(target),
    now: timestamp(nowMs),
  });
  return withMetadata(object, { managedFields: recorded.metadata['managedFields'] });
}

/** The fields that an endpoint resets: the main endpoint resets status, the status endpoint everything else. */
export function resetFields({ definition, version, subresource }: Target): ResetFields {
  if (subresource === undefined) return version.hasStatus ? [['status']] : [];
  return isCustom(definition) ? [['metadata'], ['spec']] : [['spec']];
}

const types = new WeakMap<ResourceVersion, FieldType>();

/** How the fields of a version are owned. Custom resources say nothing about their metadata; it is the same for all. */
export function fieldTypeOfVersion(version: ResourceVersion): FieldType {
  const known = types.get(version);
  if (known !== undefined) return known;
  const { schema = { 'x-kubernetes-preserve-unknown-fields': true } } = version;
  const properties = { ...recordAt(schema, 'properties'), ...typeProperties, metadata: objectMetaSchema };
  const type =
    version.schema === undefined
      ? { ...DEDUCED, ...fieldTypeOf({ type: 'object', ...schema, properties }) }
      : fieldTypeOf({ ...schema, properties });
  types.set(version, type);
  return type;
}

// The cluster annotation is kcp's own: it has no manager, and on a create it is not there yet.
function withoutCluster(object: KubeObject): KubeObject {
  const { [CLUSTER_ANNOTATION]: _cluster, ...annotations } = object.metadata.annotations ?? {};
  return withMetadata(object, { annotations: Object.keys(annotations).length === 0 ? undefined : withoutUndefined(annotations) });
}
