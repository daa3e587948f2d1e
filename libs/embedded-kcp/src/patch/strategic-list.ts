// Lists of a strategic merge patch: scalars are added, objects merged by their key. Items that the patch names come in the patch's order, the others stay in
// the server's order; if both could come next, the patch's item does.
import { isRecord, sameJson, type JsonRecord } from '../json/json.js';
import { DIRECTIVE, patchFailure, printGoMap, withoutDirectives } from './patch-directive.js';

/** Merges two items that have the same key. */
export type MergeItems = (original: JsonRecord, patch: JsonRecord) => JsonRecord;

/** A list of the object and its list in the patch. No merge key: a list of scalars. */
export interface ListMerge {
  readonly original: readonly unknown[];
  readonly patch: readonly unknown[];
  readonly mergeKey: string | undefined;
  readonly mergeItems: MergeItems;
}

/** A list that the patch orders, and perhaps changes. */
export interface OrderedListMerge extends Omit<ListMerge, 'original' | 'patch'> {
  readonly original: readonly unknown[] | undefined;
  readonly patch: readonly unknown[] | undefined;
  readonly order: readonly unknown[];
}

/** Merges a list of the patch into a list of the object. */
export function mergeList({ original, patch, mergeKey, mergeItems }: ListMerge): readonly unknown[] {
  if (![...original, ...patch].some(isRecord)) return inOrder(unique([...original, ...patch]), patch, original, undefined);
  if (mergeKey === undefined) throw patchFailure('cannot merge lists without merge key');
  const { kept, changes } = followDirectives(original, patch, mergeKey);
  return inOrder(mergeByKey(kept, changes, mergeKey, mergeItems), changes, kept, mergeKey);
}

/** Merges a list and puts it in the order that the patch asks for. */
export function mergeListInOrder({ original, patch, order, mergeKey, mergeItems }: OrderedListMerge): readonly unknown[] {
  const merged =
    patch === undefined
      ? (original ?? [])
      : original === undefined
        ? (withoutDirectives(patch) as readonly unknown[])
        : mergeList({ original, patch, mergeKey, mergeItems });
  return inOrder(merged, order, original ?? [], mergeKey);
}

/** A list without some scalars. */
export function deletedFromList(original: readonly unknown[], gone: readonly unknown[]): readonly unknown[] {
  return original.filter((item) => !gone.includes(item));
}

function unique(items: readonly unknown[]): readonly unknown[] {
  return [...new Set(items)];
}

function followDirectives(
  original: readonly unknown[],
  patch: readonly unknown[],
  mergeKey: string,
): { kept: readonly unknown[]; changes: readonly JsonRecord[] } {
  const items = patch.filter(isRecord);
  const changes = items.filter((item) => !Object.hasOwn(item, DIRECTIVE));
  let kept = original;
  for (const item of items.filter((one) => Object.hasOwn(one, DIRECTIVE))) {
    const directive = item[DIRECTIVE];
    if (directive === 'replace') return { kept: [], changes };
    if (directive !== 'delete') throw patchFailure(`unknown patch type: ${String(directive)} in map: ${printGoMap(item)}`);
    const key = keyOf(item, mergeKey);
    kept = kept.filter((one) => !sameJson(keyOf(one, mergeKey), key));
  }
  return { kept, changes };
}

function mergeByKey(
  original: readonly unknown[],
  changes: readonly JsonRecord[],
  mergeKey: string,
  mergeItems: MergeItems,
): readonly unknown[] {
  const result = [...original];
  for (const change of changes) {
    const key = keyOf(change, mergeKey);
    const at = result.findIndex((item) => sameJson(keyOf(item, mergeKey), key));
    const found = result[at];
    if (isRecord(found)) result[at] = mergeItems(found, change);
    else result.push(withoutDirectives(change));
  }
  return result;
}

function keyOf(item: unknown, mergeKey: string): unknown {
  if (isRecord(item) && Object.hasOwn(item, mergeKey)) return item[mergeKey];
  throw patchFailure(`map: ${printGoMap(item)} does not contain declared merge key: ${mergeKey}`);
}

// Splits the items into those that `wanted` names and the others, sorts each by its own order, and zips them.
function inOrder(
  items: readonly unknown[],
  wanted: readonly unknown[],
  server: readonly unknown[],
  mergeKey: string | undefined,
): readonly unknown[] {
  const identity = (item: unknown): unknown => (mergeKey === undefined ? item : keyOf(item, mergeKey));
  const position = (order: readonly unknown[], item: unknown): number => order.findIndex((one) => sameJson(identity(one), identity(item)));
  const sorted = (some: readonly unknown[], order: readonly unknown[]): unknown[] =>
    [...some].sort((a, b) => position(order, a) - position(order, b));
  const named = sorted(
    items.filter((item) => position(wanted, item) >= 0),
    wanted,
  );
  const others = sorted(
    items.filter((item) => position(wanted, item) < 0),
    server,
  );
  const result: unknown[] = [];
  while (named.length > 0 && others.length > 0) {
    const [left, right] = [position(server, others[0]), position(server, named[0])];
    result.push(left >= 0 && right >= 0 && left < right ? others.shift() : named.shift());
  }
  return [...result, ...named, ...others];
}
