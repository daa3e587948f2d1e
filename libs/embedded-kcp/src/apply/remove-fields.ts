import { isRecord } from '../json/json.js';
import type { FieldSet } from './field-set.js';
import { elementOfItem, formOf, typeOfField, type FieldType, type ListType, type MapType } from './field-type.js';
import { fieldElement } from './path-element.js';

/** A value without the fields and items of a set. Undefined when nothing is left of it. */
export function removeFields(value: unknown, gone: FieldSet, type: FieldType): unknown {
  const form = formOf(type, value);
  if (form.kind === 'scalar') return value;
  if (form.atomic) return undefined;
  return form.kind === 'map' ? removeFromMap(value, gone, form) : removeFromList(value, gone, form);
}

function removeFromMap(value: unknown, gone: FieldSet, form: MapType): unknown {
  if (!isRecord(value)) return undefined;
  const kept: [string, unknown][] = [];
  let touched = false;
  for (const [field, item] of Object.entries(value)) {
    const element = fieldElement(field);
    if (gone.has(element)) continue;
    const below = gone.below(element);
    touched ||= !below.isEmpty;
    kept.push([field, below.isEmpty ? item : (removeFields(item, below, typeOfField(form, field)) ?? emptied(item))]);
  }
  return kept.length > 0 || touched ? Object.fromEntries(kept) : undefined;
}

function removeFromList(value: unknown, gone: FieldSet, form: ListType & { readonly atomic: false }): unknown {
  if (!Array.isArray(value)) return undefined;
  const kept: unknown[] = [];
  let touched = false;
  for (const item of value as readonly unknown[]) {
    const found = elementOfItem(form, item);
    if (!('element' in found)) kept.push(item);
    else if (!gone.has(found.element)) {
      const below = gone.below(found.element);
      touched ||= !below.isEmpty;
      kept.push(below.isEmpty ? item : (removeFields(item, below, form.items) ?? emptied(item)));
    }
  }
  return kept.length > 0 || touched ? kept : undefined;
}

// A container that loses its last field stays, empty; only its owner can take it away.
function emptied(item: unknown): unknown {
  return isRecord(item) ? {} : Array.isArray(item) ? [] : null;
}
