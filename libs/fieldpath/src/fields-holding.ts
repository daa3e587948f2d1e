import { EACH, printStep, type PathStep } from './field-path.js';

/** How a value was reached: undefined at the object itself. */
interface Way {
  readonly before: Way | undefined;
  readonly step: PathStep;
}

/**
 * The fields of an object at which a string stands, as `FieldPath` texts: one walk, however many paths somebody asks about.
 *
 * Whatever path `readFieldPath` reads the string at is among them. There may be more: keys that no path can spell look like others.
 */
export function fieldsHolding(object: unknown, text: string): ReadonlySet<string> {
  const fields = new Set<string>();
  const open: { readonly node: unknown; readonly way: Way | undefined }[] = [{ node: object, way: undefined }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, way } = next;
    if (node === text) fields.add(printWay(way));
    if (typeof node !== 'object' || node === null) continue;
    if (Array.isArray(node)) for (const element of node) open.push({ node: element, way: { before: way, step: EACH } });
    else for (const [key, value] of Object.entries(node)) open.push({ node: value, way: { before: way, step: key } });
  }
  return fields;
}

function printWay(way: Way | undefined): string {
  let text = '';
  for (let at = way; at !== undefined; at = at.before) text = printStep(at.step) + text;
  return text;
}
