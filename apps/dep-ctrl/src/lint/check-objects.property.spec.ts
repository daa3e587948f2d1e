import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { API_KINDS } from '@dep-ctrl/rule-registry';
import { stringify } from 'yaml';
import { readManifest } from '../manifest-files/manifest-object.js';
import { UNPLACED, readFileRule } from '../manifest-files/placed-rules.js';
import { vpcDependency, writtenGuard, writtenRule } from '../webhook/testing/written-rules.js';
import { guardFindings, misnamedFinding, ruleFindings, sortObjects, unreadableFinding } from './check-objects.js';
import type { Finding } from './finding.js';

const CONTEXT = { excess: undefined, facts: undefined, closesCycle: () => true } as const;

function findingsIn(text: string): readonly Finding[] {
  const { objects, unreadable } = readManifest({ file: 'a.yaml', text });
  const { rules, guards, misnamed } = sortObjects(objects);
  return [
    ...unreadable.map(unreadableFinding),
    ...misnamed.map(misnamedFinding),
    ...guards.flatMap(guardFindings),
    ...rules.flatMap((manifest) => ruleFindings(readFileRule(manifest, UNPLACED), CONTEXT)),
  ];
}

/** Rules and guards of which parts were replaced by anything. */
const almost = fc
  .tuple(
    fc.constantFrom<object>(writtenRule([vpcDependency(), vpcDependency()]), writtenGuard({ allowRulesFrom: ['root:a'] })),
    fc.jsonValue(),
    fc.nat(),
  )
  .map(([object, value, at]) => {
    const places: (readonly [Record<string, unknown>, string])[] = [];
    const copy = structuredClone(object);
    const walk = (here: unknown): void => {
      if (typeof here !== 'object' || here === null) return;
      for (const [key, inner] of Object.entries(here)) {
        places.push([here as Record<string, unknown>, key]);
        walk(inner);
      }
    };
    walk(copy);
    const [holder, key] = places[at % places.length] ?? [{}, ''];
    holder[key] = value;
    return copy;
  });

describe('laws of lint', () => {
  it('no text whatsoever makes it throw, and every finding lies in the text', () => {
    const kinds = API_KINDS.map(({ names }) => names.kind);
    const head = fc.constantFrom('', ...kinds.map((kind) => `apiVersion: dependencies.opendefense.cloud/v1alpha1\nkind: ${kind}\n`));
    const tail = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom('a', ':', ' ', '\n', '-', '[', '{', '&a', '*a', "'", '---\n', '<<') }),
    );

    fc.assert(
      fc.property(head, tail, (start, end) => {
        const text = `${start}${end}`;
        const lines = text.split('\n').length;
        for (const { line, column } of findingsIn(text)) {
          expect(line).toBeGreaterThanOrEqual(1);
          expect(line).toBeLessThanOrEqual(lines);
          expect(column).toBeGreaterThanOrEqual(1);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('whatever stands in one place of a rule or guard, it gives findings with one line each or none', () => {
    let found = 0;

    fc.assert(
      fc.property(almost, (object) => {
        const findings = findingsIn(stringify(object, { aliasDuplicateObjects: false }));
        if (findings.length > 0) found += 1;
        expect(findings.filter(({ message }) => message.includes('\n'))).toEqual([]);
      }),
      { numRuns: 500 },
    );

    expect(found).toBeGreaterThan(100);
  });
});
