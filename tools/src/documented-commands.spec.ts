// What documents tell people to type: commands and flags that there are, and rules that kcp takes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { parseRuleManifest } from '@dep-ctrl/rule-registry';
import { parse } from 'yaml';
import { commands } from './app-sources.js';
import { VM_RULE } from './example-objects.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DOCUMENTS = [
  'README.md',
  'docs/consumer.md',
  'docs/getting-started.md',
  'docs/kubernetes.md',
  'docs/operations.md',
  'docs/provider.md',
  'docs/upgrade.md',
];
const textOf = (name: string) => readFileSync(join(ROOT, name), 'utf8');

describe.each(DOCUMENTS)('%s', (name) => {
  it('given the command lines that it shows, then each command and each flag is there', () => {
    const lines = commandLines(textOf(name));

    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(unknownIn(line)).toEqual([]);
  });

  it('given the rules that it shows, then each is a rule', () => {
    for (const rule of rulesIn(textOf(name))) expect(parseRuleManifest(rule)).toMatchObject({ ok: true });
  });
});

describe('README.md', () => {
  it('given its rule, then it is that of deploy/kcp/examples', () => {
    expect(rulesIn(textOf('README.md'))).toEqual([VM_RULE]);
  });
});

/** What follows `dep-ctrl`, in code of both kinds, one text per command line. */
function commandLines(markdown: string): readonly string[] {
  const joined = markdown.replaceAll(/ \\\n\s*/g, ' ');
  const blocks = [...joined.matchAll(/^ *```(?:sh|console)\n([\s\S]*?)^ *```/gm)].flatMap(([, block = '']) => block.split('\n'));
  const inline = [...joined.replaceAll(/^ *```[\s\S]*?^ *```/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
  return [...blocks, ...inline].flatMap((line) => /^\s*(?:\$ )?dep-ctrl ([a-z].*)$/.exec(line)?.[1] ?? []);
}

function unknownIn(line: string): readonly string[] {
  const [name = '', ...words] = line.replace(/\s#.*$/, '').split(/\s+/);
  const command = commands.find((each) => each.name === name);
  if (command === undefined) return [name];
  const flags = Object.values(command.settings).flatMap(({ flag, short }) => [flag, short]);
  const given = words.filter((word) => word.startsWith('-')).map((word) => word.replace(/=.*$/, ''));
  return given.filter((flag) => flag !== '--help' && !flags.includes(flag)).map((flag) => `${name} ${flag}`);
}

function rulesIn(markdown: string): readonly Record<string, unknown>[] {
  const blocks = [...markdown.matchAll(/^ *```yaml\n([\s\S]*?)^ *```/gm)].map(([, block = '']) => parse(block) as Record<string, unknown>);
  return blocks.filter(({ kind }) => kind === 'DependencyRule');
}
