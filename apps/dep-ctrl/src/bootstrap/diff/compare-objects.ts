// What bootstrap would do about an object, given what is there. Pure.
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { mergeDesired } from '@dep-ctrl/kcp-objects';
import { stringify } from 'yaml';
import { unifiedDiff } from './unified-diff.js';

/** What bootstrap would do with an object. `refused`: the object has another owner, and bootstrap would end there. */
export type Comparison =
  { readonly change: 'unchanged' } | { readonly change: 'created' | 'refused' } | { readonly change: 'updated'; readonly diff: string };

/** Compares as bootstrap does: what others added to an object stays. */
export function compareObject(
  observed: KubeObject | undefined,
  desired: KubeObject,
  mayTouch: (observed: KubeObject) => boolean,
): Comparison {
  if (observed === undefined) return { change: 'created' };
  if (!mayTouch(observed)) return { change: 'refused' };
  const merged = mergeDesired(observed, desired);
  return merged === undefined ? { change: 'unchanged' } : { change: 'updated', diff: unifiedDiff(asWritten(observed), asWritten(merged)) };
}

/** Without what kcp writes, and without what is secret. */
function asWritten({ metadata, ...fields }: KubeObject): string {
  const { name, namespace, labels, annotations } = metadata;
  const { status: _, data: __, ...said } = fields;
  // YAML leaves out what is undefined.
  return stringify(
    { ...said, metadata: { name, namespace, labels, annotations } },
    { sortMapEntries: true, lineWidth: 0, aliasDuplicateObjects: false },
  );
}
