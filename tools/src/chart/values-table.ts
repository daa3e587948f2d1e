// The table of values in deploy/chart/README.md: every value of values.yaml, with its default and the comment above it.
import { isMap, isScalar, parseDocument, type Node, type Pair } from 'yaml';
import { code, table } from '../markdown.js';

const BEGIN = '<!-- values: generated from values.yaml by "npm run generate" -->';
const END = '<!-- end of values -->';

/** The README with the table as values.yaml has it now. Throws where the README has no place for it. */
export function withValuesTable(readme: string, values: string): string {
  const [before, rest] = readme.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`the README of the chart lacks ${BEGIN} ... ${END}`);
  return `${before}${BEGIN}\n\n${valuesTable(values)}\n\n${END}${after}`;
}

/** One row per value; what a group of values is for is told in the row of the group. */
export function valuesTable(values: string): string {
  const { contents } = parseDocument(values);
  return table(['Value', 'Default', 'Meaning'], rowsOf(contents, ''));
}

function rowsOf(node: unknown, prefix: string): readonly (readonly string[])[] {
  if (!isMap<unknown, Node | null>(node)) return [];
  return node.items.flatMap((pair, at) => {
    const path = prefix + keyOf(pair);
    // The parser gives a comment above the first key of a map to the map.
    const meaning = commentOf(at === 0 && prefix !== '' ? (node.commentBefore ?? keyComment(pair)) : keyComment(pair));
    if (isMap(pair.value) && pair.value.items.length > 0 && !isOneValue(path)) {
      const group = meaning === '' ? [] : [[code(path), '', meaning]];
      return [...group, ...rowsOf(pair.value, `${path}.`)];
    }
    return [[code(path), code(JSON.stringify(pair.value)), meaning]];
  });
}

/** Maps that people replace as a whole. */
function isOneValue(path: string): boolean {
  return /(?:^|\.)(?:resources|labels)$/.test(path);
}

function keyOf({ key }: Pair): string {
  return String(isScalar(key) ? key.value : key);
}

function keyComment({ key }: Pair): string | null | undefined {
  return isScalar(key) ? key.commentBefore : undefined;
}

function commentOf(comment: string | null | undefined): string {
  return (comment ?? '')
    .split('\n')
    .map((line) => line.trim())
    .join(' ')
    .trim();
}
