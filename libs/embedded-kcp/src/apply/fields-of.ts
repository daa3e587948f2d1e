import { isRecord } from '../json/json.js';
import { FieldSet, type PathElement } from './field-set.js';
import { elementOfItem, formOf, typeOfField, type FieldType, type ListType, type MapType } from './field-type.js';
import { fieldElement } from './path-element.js';

/** The paths that an applier of a value comes to own: every leaf, every list item, every field that the schema does not name. */
export function fieldsOf(value: unknown, type: FieldType): FieldSet {
  const fields = new FieldSet();
  collect(value, type, [], fields);
  return fields;
}

function collect(value: unknown, type: FieldType, path: readonly PathElement[], into: FieldSet): void {
  const form = formOf(type, value);
  if (form.kind === 'scalar' || form.atomic) into.add(path);
  else if (form.kind === 'map') collectMap(value, form, path, into);
  else collectList(value, form, path, into);
}

function collectMap(value: unknown, form: MapType, path: readonly PathElement[], into: FieldSet): void {
  if (!isRecord(value)) return;
  for (const [field, item] of Object.entries(value)) {
    const below = [...path, fieldElement(field)];
    collect(item, typeOfField(form, field), below, into);
    const isEmpty = item === null || (isRecord(item) && Object.keys(item).length === 0);
    if (isEmpty || form.named(field) === undefined) into.add(below);
  }
}

function collectList(value: unknown, form: ListType & { readonly atomic: false }, path: readonly PathElement[], into: FieldSet): void {
  const seen = new Map<PathElement, { item: unknown; repeated: boolean }>();
  for (const item of Array.isArray(value) ? (value as readonly unknown[]) : []) {
    const found = elementOfItem(form, item);
    if ('element' in found) seen.set(found.element, { item, repeated: seen.has(found.element) });
  }
  for (const [element, { item, repeated }] of seen) {
    into.add([...path, element]);
    // Items that share an identity are owned together and not looked into.
    if (!repeated) collect(item, form.items, [...path, element], into);
  }
}
