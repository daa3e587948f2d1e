// docs/sizing.md: every figure of its tables is the one of the result that it names.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface Figure {
  readonly figure: string;
  readonly file: string;
  readonly what: string;
}

const figures = [...readFileSync(join(ROOT, 'docs/sizing.md'), 'utf8').matchAll(/^\|[^|]+\| ([^|]+?) +\| `([a-z-]+): ([^`]+)` *\|$/gm)].map(
  ([, figure = '', file = '', what = '']): Figure => ({ figure, file, what }),
);

describe('docs/sizing.md', () => {
  it('given its tables, then each row with a figure names a result', () => {
    const rows = [...readFileSync(join(ROOT, 'docs/sizing.md'), 'utf8').matchAll(/^\| .*\d.* \|$/gm)];

    expect(figures.length).toBeGreaterThan(15);
    expect(figures.length).toBe(rows.length);
  });

  it.each(figures)('given $what, then $figure is what $file has', ({ figure, file, what }) => {
    const { results } = JSON.parse(readFileSync(join(ROOT, 'tools/bench/results', `${file}.json`), 'utf8')) as {
      results: readonly { what: string; value: number; unit: string }[];
    };
    const result = results.find((each) => each.what === what);

    expect(`${String(result?.value)} ${String(result?.unit).replace('reviews/s', '/s')}`).toBe(figure);
  });
});
