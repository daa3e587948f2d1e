// docs/reference/status.md: the shape of what status prints for programs.
import { STATUS_FIELDS } from './app-sources.js';
import { code, page, shell, table } from './markdown.js';

/** The page. */
export function statusPage(): string {
  return page([
    '# Status as data',
    `What ${code('dep-ctrl status -o json')} prints; with ${code('--watch')} one object on each line, every 5 s. Fields are added, never renamed or taken away. A field that is not known is absent.`,
    shell([`dep-ctrl status -o json | jq -r '.problems[] | "\\(.where) \\(.says)\\n  \\(.run)"'`]),
    table(
      ['Field', 'Meaning'],
      Object.entries(STATUS_FIELDS).map(([field, meaning]) => [code(field), meaning]),
    ),
  ]);
}
