import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { API_REFERENCE, apiReference, type ApiReference } from './api-reference.js';

const INDEX = "export { LIMIT, twice, Box, type Shape } from './parts.js';\n";
const PARTS = `/** The most. */
export const LIMIT = 5;
/** Twice
 * as much. */
export function twice(of: number): number { return of * 2; }
/** A box. */
export class Box {
  readonly #inside = 1;

  /** What is in it. */
  inside(): number {
    return this.#inside;
  }
}
/** A shape. */
export type Shape = 'round' | 'square';
/** Not exported. */
export const HIDDEN = 1;
`;

describe(apiReference, () => {
  it('given a lib, then its page has every exported name with comment and declaration, without bodies and what is private', () => {
    const { pages, problems } = referenceOf({ 'index.ts': INDEX, 'parts.ts': PARTS });

    expect(problems).toEqual([]);
    expect(pages.get(API_REFERENCE)).toContain('- [lib](lib.md)');
    expect(pages.get('docs/reference/libs/lib.md')).toBe(
      [
        '# API of lib\n\n## @dep-ctrl/lib',
        '### Box\n\nA box.\n\n```ts\nclass Box {\n    /** What is in it. */\n    inside(): number;\n}\n```',
        '### LIMIT\n\nThe most.\n\n```ts\nconst LIMIT = 5;\n```',
        "### Shape\n\nA shape.\n\n```ts\ntype Shape = 'round' | 'square';\n```",
        '### twice\n\nTwice as much.\n\n```ts\nfunction twice(of: number): number;\n```\n',
      ].join('\n\n'),
    );
  });

  it('given a name without a comment, then that is a problem', () => {
    const { problems } = referenceOf({ 'index.ts': 'export const bare = 1;\n' });

    expect(problems).toEqual(['@dep-ctrl/lib: bare has no comment']);
  });
});

function referenceOf(files: Readonly<Record<string, string>>): ApiReference {
  const folder = mkdtempSync(join(tmpdir(), 'api-reference-'));
  try {
    for (const [name, text] of Object.entries({ 'package.json': '{"type":"module"}', ...files })) writeFileSync(join(folder, name), text);
    return apiReference([{ lib: 'lib', name: '@dep-ctrl/lib', source: join(folder, 'index.ts') }]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
