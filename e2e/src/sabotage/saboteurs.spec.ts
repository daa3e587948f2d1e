import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { ALL_SCENARIOS } from '../scenarios/all-scenarios.js';
import { ALL_SABOTEURS } from './all-saboteurs.js';
import { trialsOf } from './saboteur.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

// By node:assert, by the HTTP client, or by a helper that is given an object or a moment.
const PUT_TOGETHER = [
  /^(?:\d+|true) !== (?:\d+|true)$/,
  /^true undefined$/,
  /^(?:answered \d+, )?expected \d+$/,
  /^Success$|^"(?:status|enforcement|problems)"/,
  /^\(dry run\)$/,
  /^[a-z]+\/[a-z]+ is going$/,
  /^[a-z ]+: the delete was allowed$/,
  /^is refused (?:by|once|while) the /,
  /^the controller says "/,
  /we deleted \d$/,
];

describe('the saboteurs', () => {
  it('given the page of guarantees, then every scenario on it has a saboteur', () => {
    const page = readFileSync(join(root, 'docs/guarantees.md'), 'utf8');
    const promised = new Set([...page.matchAll(/^\| (S\d+\.\d+) /gm)].map(([, id]) => id));

    const tried = new Set(trialsOf(ALL_SABOTEURS, ALL_SCENARIOS).map(({ scenario }) => scenario.id));

    expect(promised.size).toBeGreaterThan(0);
    expect([...promised].filter((id) => id !== undefined && !tried.has(id))).toEqual([]);
  });

  it.each(ALL_SABOTEURS.flatMap(({ name, changes }) => changes.map((change) => ({ name, ...change }))))(
    'given $name, then $file has the text that it changes once, and the other text is another one',
    ({ file, now, instead }) => {
      const source = readFileSync(join(root, file), 'utf8');

      expect(source.split(now).length - 1).toBe(1);
      expect(instead).not.toBe(now);
    },
  );

  it('given their names, then no two have the same, and each says of a scenario what its failure says', () => {
    const names = ALL_SABOTEURS.map(({ name }) => name);

    expect(new Set(names).size).toBe(names.length);
    expect(ALL_SABOTEURS.filter(({ fails }) => Object.keys(fails).length === 0)).toEqual([]);
    expect(ALL_SABOTEURS.flatMap(({ fails }) => Object.values(fails).flat()).filter((says) => says.trim() === '')).toEqual([]);
  });

  it('given what a failure has to say, then it stands in the sources, or is known to be put together as it fails', () => {
    const sources = ['e2e/src', 'apps/dep-ctrl/src'].map((folder) => sourcesIn(join(root, folder))).join('\n');
    const says = new Set(ALL_SABOTEURS.flatMap(({ fails }) => Object.values(fails).flat()));

    const elsewhere = [...says].filter((text) => !sources.includes(text) && !PUT_TOGETHER.some((part) => part.test(text)));

    expect(elsewhere).toEqual([]);
  });
});

/** All sources of a folder but the saboteurs themselves. */
function sourcesIn(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.includes('saboteurs'))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');
}
