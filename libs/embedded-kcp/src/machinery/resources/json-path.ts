// kubectl's JSONPath as far as printer columns and `kubectl wait` style reads need it: fields, quoted fields, indexes, [*], and the
// filter [?(@.a=="b")] that condition columns use.
import { isRecord, valueAt } from '../../json/json.js';

type Step =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'all' }
  | { readonly kind: 'filter'; readonly path: readonly string[]; readonly equals: string };

const STEP = /\.?\[\*\]|\[(-?\d+)\]|\[\?\(@\.([^=)\s]+)\s*==\s*["']([^"']*)["']\)\]|\[["']([^"']+)["']\]|\.?((?:\\.|[^.[\]\\])+)/gy;
const parsed = new Map<string, readonly Step[]>();

/** The values that a path leads to; none when it leads nowhere. */
export function readJsonPath(root: unknown, path: string): readonly unknown[] {
  return stepsOf(path).reduce<readonly unknown[]>((values, step) => values.flatMap((value) => take(value, step)), [root]);
}

/** Whether every part of a path is of the kinds above. */
export function understandsJsonPath(path: string): boolean {
  return [...path.matchAll(STEP)].reduce((length, [text]) => length + text.length, 0) === path.length;
}

function stepsOf(path: string): readonly Step[] {
  const known = parsed.get(path);
  if (known !== undefined) return known;
  const steps = [...path.matchAll(STEP)].map(([text, index, filterPath, filterValue, quoted, plain]): Step => {
    if (text.endsWith('[*]')) return { kind: 'all' };
    if (index !== undefined) return { kind: 'index', index: Number(index) };
    if (filterPath !== undefined) return { kind: 'filter', path: filterPath.split('.'), equals: filterValue ?? '' };
    return { kind: 'field', name: quoted ?? (plain ?? '').replace(/\\(.)/g, '$1') };
  });
  parsed.set(path, steps);
  return steps;
}

function take(value: unknown, step: Step): readonly unknown[] {
  switch (step.kind) {
    case 'field':
      return isRecord(value) && Object.hasOwn(value, step.name) ? [value[step.name]] : [];
    case 'index': {
      const item: unknown = Array.isArray(value) ? value.at(step.index) : undefined;
      return item === undefined ? [] : [item];
    }
    case 'all':
      return Array.isArray(value) ? (value as readonly unknown[]) : isRecord(value) ? Object.values(value) : [];
    case 'filter':
      return Array.isArray(value) ? value.filter((item) => valueAt(item, ...step.path) === step.equals) : [];
    default:
      return step satisfies never;
  }
}
