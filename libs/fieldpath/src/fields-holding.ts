import { FIELD_PATH_MAX_LENGTH } from './parse-field-path.js';
import { EACH, printStep, type PathStep } from './field-path.js';

/** How a value was reached: undefined at the object itself. */
interface Way {
  readonly before: Way | undefined;
  readonly step: PathStep;
  readonly depth: number;
  /** Its text, once somebody asked. */
  text?: string;
}

// Each step of a path is at least a character. An object that nests deeper must not hold up everybody else.
const MOST_STEPS = FIELD_PATH_MAX_LENGTH;

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
    const depth = (way?.depth ?? 0) + 1;
    if (depth > MOST_STEPS) continue;
    if (Array.isArray(node)) {
      const each: Way = { before: way, step: EACH, depth };
      for (const element of node) open.push({ node: element, way: each });
    } else for (const [key, value] of Object.entries(node)) open.push({ node: value, way: { before: way, step: key, depth } });
  }
  return fields;
}

/** Spells what has not been spelled before: fields that lie side by side share what they begin with. */
function printWay(way: Way | undefined): string {
  const unspelled: Way[] = [];
  let at = way;
  for (; at !== undefined && at.text === undefined; at = at.before) unspelled.push(at);
  let text = at?.text ?? '';
  for (const each of unspelled.reverse()) text = each.text = text + printStep(each.step);
  return text;
}
