// The types of a provider that the webhook may have to read: those that its rules can name as dependents. Pure. Providers choose the text of their
// exports; it must never become a right to read anything else, such as wildcards or kcp's own types.
import { elements, record, recordAt, type GroupResource, type KubeObject } from '@dep-ctrl/kcp-names';
import { isBuiltInType, RULES } from '@dep-ctrl/rule-registry';
import { mergeTypes } from './read-rules.js';

const GROUP = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const RESOURCE = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
// As kcp's own schemas bound them.
const LONGEST_GROUP = 253;
const LONGEST_RESOURCE = 63;

/** The types, each once, in the order of their names. */
export function exportedTypes(exports: readonly KubeObject[]): readonly GroupResource[] {
  return mergeTypes(exports.flatMap(resourcesOf).filter(isOfProvider));
}

function resourcesOf(apiExport: KubeObject): readonly GroupResource[] {
  return elements(recordAt(apiExport, 'spec')['resources']).flatMap((one) => {
    const { group, name } = record(one) ?? {};
    return typeof group === 'string' && typeof name === 'string' ? [{ group, resource: name }] : [];
  });
}

function isOfProvider({ group, resource }: GroupResource): boolean {
  const isNamed = GROUP.test(group) && group.length <= LONGEST_GROUP && RESOURCE.test(resource) && resource.length <= LONGEST_RESOURCE;
  return isNamed && group !== RULES.group && !isBuiltInType({ group, resource });
}
