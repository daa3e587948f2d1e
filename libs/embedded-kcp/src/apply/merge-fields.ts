import { isRecord } from '../json/json.js';
import type { PathElement } from './field-set.js';
import { elementOfItem, formOf, typeOfField, type FieldType, type ListType, type MapType } from './field-type.js';

/** Lays an applied value over a live one: leaves are replaced, maps and lists with identified items are merged. Undefined when nothing is left. */
export function mergeFields(live: unknown, applied: unknown, type: FieldType): unknown {
  const form = formOf(type, applied ?? live);
  if (form.kind === 'scalar' || form.atomic || isEmptyAs(form.kind, live, applied)) return applied === undefined ? live : applied;
  return form.kind === 'map' ? mergeMaps(live, applied, form) : mergeLists(live, applied, form);
}

function isEmptyAs(kind: 'map' | 'list', live: unknown, applied: unknown): boolean {
  return [live, applied].every((value) =>
    kind === 'map' ? !isRecord(value) || Object.keys(value).length === 0 : !Array.isArray(value) || value.length === 0,
  );
}

function mergeMaps(live: unknown, applied: unknown, form: MapType): unknown {
  const [left, right] = [isRecord(live) ? live : {}, isRecord(applied) ? applied : {}];
  const fields = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  const merged = fields.map((field) => [field, mergeFields(left[field], right[field], typeOfField(form, field))] as const);
  const kept = merged.filter(([, value]) => value !== undefined);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

interface Item {
  readonly element: PathElement;
  readonly value: unknown;
}

// Items that both sides have come in the applied order; items of the live list alone keep their place before the next shared one.
function mergeLists(live: unknown, applied: unknown, form: ListType & { readonly atomic: false }): unknown {
  const [left, right] = [identified(live, form), identified(applied, form)];
  const [leftElements, rightElements] = [new Set(left.map(elementOf)), new Set(right.map(elementOf))];
  const leftValues = new Map(left.map((item) => [item.element, item.value]));
  const shared = right.map(elementOf).filter((element) => leftElements.has(element));
  const taken = new Set<PathElement>();
  const result: unknown[] = [];
  const keep = (value: unknown): void => {
    if (value !== undefined) result.push(value);
  };
  let [l, r] = [0, 0];
  while (l < left.length || r < right.length) {
    const [mine, theirs] = [left[l], right[r]];
    if (mine !== undefined && theirs !== undefined && mine.element !== theirs.element && rightElements.has(mine.element)) {
      if (shared[0] !== undefined && shared[0] !== mine.element) {
        l += 1;
        continue;
      }
    }
    if (mine !== undefined && !rightElements.has(mine.element)) {
      keep(mergeFields(mine.value, undefined, form.items));
      l += 1;
      continue;
    }
    if (mine !== undefined && (taken.has(mine.element) || mine.element === theirs?.element)) l += 1;
    if (theirs === undefined) continue;
    taken.add(theirs.element);
    keep(mergeFields(leftValues.get(theirs.element), theirs.value, form.items));
    if (shared[0] === theirs.element) shared.shift();
    r += 1;
  }
  return result.length === 0 ? undefined : result;
}

function elementOf({ element }: Item): PathElement {
  return element;
}

function identified(value: unknown, form: ListType & { readonly atomic: false }): readonly Item[] {
  return (Array.isArray(value) ? (value as readonly unknown[]) : []).flatMap((item) => {
    const found = elementOfItem(form, item);
    return 'element' in found ? [{ element: found.element, value: item }] : [];
  });
}
