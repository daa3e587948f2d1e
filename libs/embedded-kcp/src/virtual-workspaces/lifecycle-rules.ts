// What differs between terminators and initializers, and which status writes each of them may make. Pure.
import type { KubeObject } from '@dep-ctrl/kcp-names';
import type { AccessAttributes } from '../authorization/rbac.js';
import { stringAt } from '../json/json.js';
import type { LifecycleKind } from '../kcp/kinds/lifecycle-labels.js';

/** One kind of entries, and the virtual workspace of those. */
export interface Lifecycle {
  readonly list: LifecycleKind;
  /** `initializer` or `terminator`, for texts and groups. */
  readonly noun: string;
  readonly verb: 'initialize' | 'terminate';
  readonly permissions: string;
  readonly isActive: (logicalCluster: KubeObject) => boolean;
  /** Whether a status write may turn the first list into the second one. */
  readonly admits: (before: readonly string[], after: readonly string[], entry: string) => boolean;
}

/** By the name of their service. */
export const LIFECYCLES: Readonly<Record<string, Lifecycle>> = {
  initializingworkspaces: {
    list: 'initializers',
    noun: 'initializer',
    verb: 'initialize',
    permissions: 'initializerPermissions',
    isActive: (object) => stringAt(object, 'status', 'phase') === 'Initializing',
    // Of an equally long list, and of what is left of a shorter one, the content is not looked at here.
    admits: (before, after, entry) => after.length === before.length || losesOne(before, after, entry),
  },
  terminatingworkspaces: {
    list: 'terminators',
    noun: 'terminator',
    verb: 'terminate',
    permissions: 'terminatorPermissions',
    isActive: ({ metadata }) => metadata.deletionTimestamp !== undefined,
    admits: (before, after, entry) =>
      (after.length === before.length && after.every((one, index) => one === before[index])) ||
      (losesOne(before, after, entry) && after.every((one) => before.includes(one))),
  },
};

function losesOne(before: readonly string[], after: readonly string[], entry: string): boolean {
  return after.length === before.length - 1 && !after.includes(entry);
}

/** What was asked for, in the words of a refusal. */
export function describeAsked(wanted: AccessAttributes): string {
  if (wanted.kind === 'path') return `${wanted.verb} on ${wanted.path}`;
  const { verb, group, resource, subresource = '', name = '', namespace = '' } = wanted;
  const type = `${group === '' ? 'core' : group}/${resource}${subresource === '' ? '' : `/${subresource}`}`;
  return `${verb} on ${type}${name === '' ? '' : ` (${name})`}${namespace === '' ? '' : ` in namespace ${namespace}`}`;
}
