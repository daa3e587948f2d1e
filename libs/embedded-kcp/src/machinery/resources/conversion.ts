import { apiVersionOf, type KubeObject } from '@dep-ctrl/kcp-names';
import type { ResourceDefinition } from './resource-definition.js';

/** An object in another version of its resource. */
export function convertObject(definition: ResourceDefinition, object: KubeObject, version: string): KubeObject {
  const apiVersion = apiVersionOf({ group: definition.group, version });
  if (object.apiVersion === apiVersion) return object;
  return definition.rules?.convert?.(object, version) ?? { ...object, apiVersion };
}

/** Whether all versions of a resource have the same fields, so that stored bytes serve each. */
export function sharesBytes(definition: ResourceDefinition): boolean {
  return definition.rules?.convert === undefined;
}
