// The little Markdown that generated pages are made of.

/** A table; cells are Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** A text as code. */
export function code(text: string): string {
  return `\`${text}\``;
}

/** Lines to copy into a shell. */
export function shell(lines: readonly string[]): string {
  return ['```sh', ...lines, '```'].join('\n');
}

/** The parts of a page, with a line between them. */
export function page(parts: readonly string[]): string {
  return `${parts.join('\n\n')}\n`;
}

/** A text that ends with a full stop and begins with a capital. */
export function sentence(text: string): string {
  const first = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  return /[.:!?]$/.test(first) ? first : `${first}.`;
}
