import { apiVersionOf, type KubeObject } from '@dep-ctrl/kcp-names';
import { applyServerSide } from '../../apply/server-side-apply.js';
import { badRequest } from '../../http/api-status.js';
import { recordAt, stringAt, type JsonRecord } from '../../json/json.js';
import { createObject, type Written } from './create-object.js';
import { timestamp } from '../resources/object-meta.js';
import { findVisible, updateObject } from './update-object.js';
import type { WriteOptions } from '../requests/write-options.js';
import type { Machinery, WriteTarget } from './write-target.js';
import { fieldTypeOfVersion, resetFields } from './track-fields.js';

/** Server-side apply of one manager's fields; creates the object when it is not there. */
export async function applyObject(
  machinery: Machinery,
  target: WriteTarget,
  name: string,
  body: JsonRecord,
  options: WriteOptions,
): Promise<Written> {
  const { definition, version, namespace, subresource } = target;
  const claim = { operation: 'Apply', manager: options.fieldManager } as const;
  const applied = named(body, name, namespace);
  const make = (live: KubeObject | undefined): KubeObject =>
    applyServerSide({
      live,
      applied,
      type: fieldTypeOfVersion(version),
      manager: options.fieldManager,
      force: options.force,
      apiVersion: apiVersionOf({ group: definition.group, version: version.name }),
      kind: definition.kind,
      subresource,
      reset: resetFields(target),
      now: timestamp(machinery.now()),
    });
  const isMissing = findVisible(machinery, target, name) === undefined;
  if (isMissing && subresource === undefined) return createObject(machinery, target, make(undefined), options, claim);
  return updateObject(machinery, target, name, { make, retries: true, claim }, options);
}

// The name of the address counts; a configuration may leave it out but not say another.
function named(body: JsonRecord, name: string, namespace: string): KubeObject {
  const given = stringAt(body, 'metadata', 'name') ?? name;
  if (given !== name) throw badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`);
  const place = namespace === '' ? {} : { namespace: stringAt(body, 'metadata', 'namespace') ?? namespace };
  return { ...body, metadata: { ...recordAt(body, 'metadata'), name, ...place } };
}
