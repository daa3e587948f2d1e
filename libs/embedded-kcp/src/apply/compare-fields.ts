import { isRecord, sameJson } from '../json/json.js';
import { FieldSet, type PathElement } from './field-set.js';
import { elementOfItem, formOf, typeOfField, type FieldType, type ListType, type MapType } from './field-type.js';
import { fieldElement } from './path-element.js';

/** The paths in which two versions of an object differ. */
export interface FieldComparison {
  readonly added: FieldSet;
  readonly removed: FieldSet;
  readonly modified: FieldSet;
}

/** Compares two versions of a value by its type. */
export function compareFields(before: unknown, after: unknown, type: FieldType): FieldComparison {
  const found: FieldComparison = { added: new FieldSet(), removed: new FieldSet(), modified: new FieldSet() };
  compare({ before, after, path: [], found }, type);
  return found;
}

// Undefined: the value is not there; null is a value.
interface Pair {
  readonly before: unknown;
  readonly after: unknown;
  readonly path: readonly PathElement[];
  readonly found: FieldComparison;
}

function compare(pair: Pair, type: FieldType): void {
  const { before, after, path, found } = pair;
  // Versions of an object share what a write left alone.
  if (before === after) return;
  const [formBefore, formAfter] = [formOf(type, before), formOf(type, after)];
  // A value that changed its form is looked at as both, once as what goes and once as what comes.
  if (before !== undefined && after !== undefined && formBefore.kind !== formAfter.kind) compareAs(pair, formBefore);
  const wasLeaf = compareAs(pair, after === undefined ? formBefore : formAfter);
  if (wasLeaf) return;
  if (before === undefined) found.added.add(path);
  else if (after === undefined) found.removed.add(path);
}

function compareAs(pair: Pair, form: ReturnType<typeof formOf>): boolean {
  if (form.kind === 'scalar' || form.atomic || isEmptyAs(form.kind, pair.before, pair.after)) return compareLeaf(pair);
  if (form.kind === 'map') compareMaps(pair, form);
  else compareLists(pair, form);
  return false;
}

// Two empty maps, or an empty and a missing one, are one leaf: so that empty and missing differ.
function isEmptyAs(kind: 'map' | 'list', before: unknown, after: unknown): boolean {
  return [before, after].every((value) =>
    kind === 'map' ? !isRecord(value) || Object.keys(value).length === 0 : !Array.isArray(value) || value.length === 0,
  );
}

function compareLeaf({ before, after, path, found }: Pair): boolean {
  if (before === undefined) found.added.add(path);
  else if (after === undefined) found.removed.add(path);
  else if (!sameJson(before, after)) found.modified.add(path);
  return true;
}

function compareMaps({ before, after, path, found }: Pair, form: MapType): void {
  const [left, right] = [isRecord(before) ? before : {}, isRecord(after) ? after : {}];
  for (const field of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const pair = { before: left[field], after: right[field], path: [...path, fieldElement(field)], found };
    if (pair.before !== undefined || pair.after !== undefined) compare(pair, typeOfField(form, field));
  }
}

function compareLists({ before, after, path, found }: Pair, form: ListType & { readonly atomic: false }): void {
  const [left, right] = [itemsByElement(before, form), itemsByElement(after, form)];
  for (const element of new Set([...left.keys(), ...right.keys()])) {
    const [olds, news] = [left.get(element) ?? [], right.get(element) ?? []];
    const here = [...path, element];
    if (olds.length <= 1 && news.length <= 1) {
      compare({ before: olds[0], after: news[0], path: here, found }, form.items);
    } else if (olds.length > 1 && news.length > 1) {
      if (!sameJson(olds, news)) found.modified.add(here);
    } else if (olds.length > 1) {
      if (news.length > 0) compare({ before: undefined, after: news[0], path: here, found }, form.items);
      found.removed.add(here);
    } else {
      if (olds.length > 0) compare({ before: olds[0], after: undefined, path: here, found }, form.items);
      found.added.add(here);
    }
  }
}

function itemsByElement(value: unknown, form: ListType & { readonly atomic: false }): ReadonlyMap<PathElement, readonly unknown[]> {
  const items = new Map<PathElement, unknown[]>();
  for (const item of Array.isArray(value) ? (value as readonly unknown[]) : []) {
    const found = elementOfItem(form, item);
    if (!('element' in found)) continue;
    const known = items.get(found.element);
    if (known === undefined) items.set(found.element, [item]);
    else known.push(item);
  }
  return items;
}
