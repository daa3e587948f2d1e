// The difference of two texts, line by line, as `diff -u` writes it. Pure.

const CONTEXT = 3;
// Beyond this a comparison of each line with each takes too long, and what differs is shown as replaced.
const MOST_PAIRS = 4_000_000;

interface Line {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

/** The hunks, without the lines that name the files; empty where nothing differs. */
export function unifiedDiff(before: string, after: string): string {
  const lines = compared(linesOf(before), linesOf(after));
  return hunks(lines)
    .map(
      ([from, to]) =>
        `${header(lines, from, to)}\n${lines
          .slice(from, to)
          .map(({ sign, text }) => `${sign}${text}\n`)
          .join('')}`,
    )
    .join('');
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

function compared(before: readonly string[], after: readonly string[]): readonly Line[] {
  let head = 0;
  while (head < Math.min(before.length, after.length) && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < Math.min(before.length, after.length) - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return [
    ...signed(' ', before.slice(0, head)),
    ...between(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...signed(' ', before.slice(before.length - tail)),
  ];
}

function between(before: readonly string[], after: readonly string[]): readonly Line[] {
  if (before.length * after.length > MOST_PAIRS) return [...signed('-', before), ...signed('+', after)];
  const common = commonLengths(before, after);
  const lines: Line[] = [];
  let [row, column] = [0, 0];
  while (row < before.length || column < after.length) {
    const [old, made] = [before[row], after[column]];
    if (old !== undefined && old === made) {
      lines.push({ sign: ' ', text: old });
      row += 1;
      column += 1;
    } else if (old !== undefined && lengthAt(common, row + 1, column) >= lengthAt(common, row, column + 1)) {
      lines.push({ sign: '-', text: old });
      row += 1;
    } else {
      lines.push({ sign: '+', text: made ?? '' });
      column += 1;
    }
  }
  return lines;
}

/** How many lines the rests from each pair of places have in common at most. */
function commonLengths(before: readonly string[], after: readonly string[]): readonly Uint32Array[] {
  const table = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1));
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      const length =
        before[row] === after[column]
          ? lengthAt(table, row + 1, column + 1) + 1
          : Math.max(lengthAt(table, row + 1, column), lengthAt(table, row, column + 1));
      const cells = table[row];
      if (cells !== undefined) cells[column] = length;
    }
  }
  return table;
}

function lengthAt(table: readonly Uint32Array[], row: number, column: number): number {
  return table[row]?.[column] ?? 0;
}

function signed(sign: Line['sign'], texts: readonly string[]): readonly Line[] {
  return texts.map((text) => ({ sign, text }));
}

/** Changed lines with their neighbours, from and to; those that touch are one. */
function hunks(lines: readonly Line[]): readonly (readonly [number, number])[] {
  const found: [number, number][] = [];
  for (const [index, { sign }] of lines.entries()) {
    if (sign === ' ') continue;
    const [from, to] = [Math.max(0, index - CONTEXT), Math.min(lines.length, index + CONTEXT + 1)];
    const last = found.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = to;
    else found.push([from, to]);
  }
  return found;
}

function header(lines: readonly Line[], from: number, to: number): string {
  const range = (without: '-' | '+'): string => {
    const count = (some: readonly Line[]): number => some.filter(({ sign }) => sign !== without).length;
    const length = count(lines.slice(from, to));
    // As diff has it: where there is none, the line before.
    return `${count(lines.slice(0, from)) + (length === 0 ? 0 : 1)},${length}`;
  };
  return `@@ -${range('+')} +${range('-')} @@`;
}
