// Where in a YAML text the field stands that a problem names: `.spec.dependencies[0].fieldRef.path`. Pure.
import { isAlias, isMap, isPair, isScalar, isSeq, type Document, type LineCounter, type Node, type Pair } from 'yaml';

/** Part of a text. Lines and columns count from 1, columns in UTF-16 units. */
export interface Region {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** One step of a place: the name of a field, or the position in a list. */
type Step = string | number;

/** The steps of a place such as `.metadata.annotations['kcp.io/path']` or `.items[3]`. */
export function stepsOf(place: string): readonly Step[] {
  return Array.from(place.matchAll(/\.([^.[\]]+)|\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]/g), ([, name, index, quoted]) =>
    index === undefined ? (name ?? (quoted ?? '').replaceAll(/\\(.)/g, '$1')) : Number(index),
  );
}

/** What of a field is meant. */
export type FieldPart = 'name' | 'value';

/** The value at a place; where there is none, or it is more than one line, the name of the field that holds it or should. */
export function regionAt(
  document: Document,
  steps: readonly Step[],
  { lines, part = 'value' }: { readonly lines: LineCounter; readonly part?: FieldPart | undefined },
): Region {
  let at: Found = { key: undefined, node: document.contents ?? undefined };
  let isWhole = true;
  for (const step of steps) {
    const next = stepInto(document, at.node, step);
    if (next === undefined) {
      isWhole = false;
      break;
    }
    at = next;
  }
  const { node } = at;
  const isValue = isWhole && part === 'value' && isScalar(node) && node.range?.[0] !== node.range?.[1];
  const target = isValue ? node : (at.key ?? firstIn(node));
  const range: readonly [number, number, number] = target?.range ?? document.range ?? NOWHERE;
  return regionOf(range[0], range[1], lines);
}

/** A part of a text by its offsets; what goes over several lines ends with the first. */
export function regionOf(start: number, end: number, lines: LineCounter): Region {
  const from = lines.linePos(start);
  const to = lines.linePos(Math.max(start, end));
  const isOneLine = from.line === to.line;
  return { line: from.line, column: from.col, endLine: from.line, endColumn: isOneLine ? to.col : from.col };
}

const NOWHERE = [0, 0, 0] as const;

interface Found {
  /** The name of the field, where it is one. */
  readonly key: Node | undefined;
  readonly node: Node | undefined;
}

function stepInto(document: Document, from: Node | undefined, step: Step): Found | undefined {
  const node = isAlias(from) ? from.resolve(document) : from;
  if (isSeq(node) && typeof step === 'number') {
    const item = node.items[step] as Node | undefined;
    return item === undefined ? undefined : { key: undefined, node: item };
  }
  if (!isMap(node)) return undefined;
  const pairs = node.items as readonly Pair<Node, Node | null>[];
  const pair = pairs.find(({ key }) => isScalar(key) && String(key.value) === String(step));
  if (pair !== undefined) return { key: pair.key, node: pair.value ?? undefined };
  // What a merge key brings in stands elsewhere. The parser puts a symbol of its own for such a key.
  const merged = pairs.find(({ key }) => isScalar(key) && typeof key.value === 'symbol');
  return merged === undefined ? undefined : stepInto(document, merged.value ?? undefined, step);
}

/** Something with a beginning: the first name of a map. */
function firstIn(node: Node | undefined): Node | undefined {
  const first = isMap(node) ? node.items[0] : undefined;
  return isPair(first) && isScalar(first.key) ? first.key : node;
}
