import { ALL_SABOTEURS, ALL_SCENARIOS, trialsOf, type Trial } from './e2e-sources.js';
import { code, page, table } from './markdown.js';

/** The page of the saboteurs, as Markdown that Prettier has not laid out yet. */
export function sabotagePage(): string {
  const trials = trialsOf(ALL_SABOTEURS, ALL_SCENARIOS).toSorted((a, b) =>
    a.scenario.id.localeCompare(b.scenario.id, 'en', { numeric: true }),
  );
  return page([
    '# Saboteurs',
    'A scenario that passes shows little, unless it fails where what it says does not hold. A saboteur is a build of dep-ctrl, or a copy of its chart, that does one thing wrong. It is never shipped, and the product has no switch for it: the sources are changed on their way into the bundle. Each scenario below must fail with each of its saboteurs, and its failure must say what is in the last column: a scenario that fails for another reason, such as a program that does not start, shows nothing. A saboteur does one thing wrong, and a title may say several: what of a title no saboteur breaks is shown by the lines of its scenario alone.',
    [
      '```sh',
      'npm run sabotage                        # all of them but those of the chart, on the embedded kcp',
      'npm run sabotage -- --backend cluster   # those of the chart (S14), where a Kubernetes can be started',
      'npm run sabotage -- --filter S7.1,S7.2  # those of some scenarios',
      'npm run sabotage -- --filter fail-open  # one saboteur',
      '```',
    ].join('\n'),
    'The run fails where a scenario passes with its saboteur, or twice fails otherwise than expected. `npm test` checks that every scenario of [the promises](guarantees.md) has a saboteur, and that every changed text is in its source once. When all of them ran last, at which commit, and how many trials those were, is in the last table of [guarantees.md](guarantees.md); a saboteur that is younger was tried alone when it was written. The saboteurs are data: [e2e/src/sabotage/saboteurs](../e2e/src/sabotage/saboteurs/lookups.ts).',
    '## Scenarios',
    table(['test', 'what holds', 'saboteur', 'its failure says'], trials.map(row)),
    '## What each saboteur does',
    table(
      ['saboteur', 'what it does', 'changed'],
      ALL_SABOTEURS.map(({ name, does, changes }) => [code(name), does, [...new Set(changes.map(({ file }) => link(file)))].join(', ')]),
    ),
  ]);
}

function row({ scenario: { id, title }, saboteur: { name }, says }: Trial): readonly string[] {
  return [id, title, code(name), says.map(code).join(' or ')];
}

function link(file: string): string {
  return `[${file.split('/').at(-1) ?? file}](../${file})`;
}
