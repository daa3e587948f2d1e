import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { CONDITION_REASONS, METRICS, commands, variableOf } from './app-sources.js';
import { doubtfulDeletes, refusedDeletes } from './catalogue/refused-deletes.js';
import { refusedWrites, warnedWrites } from './catalogue/refused-writes.js';
import { referencePages } from './reference-pages.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const textOf = (name: string) => referencePages().find((page) => page.name === name)?.text ?? '';

describe(referencePages, () => {
  it('given the commands, then each flag is there with its variable, and a flag that must be given is marked', () => {
    const text = textOf('command-line.md');

    for (const { name, settings } of commands) {
      expect(text).toContain(`\n## ${name}\n`);
      for (const setting of Object.values(settings)) expect(text).toContain(variableOf(setting) ?? setting.flag);
    }
    expect(text).toMatch(/`--webhook-url URL` \| `DEP_CTRL_WEBHOOK_URL` \| \*\*required\*\*/);
  });

  it('given the schemas, then each field is there with its bounds', () => {
    const text = textOf('api.md');

    expect(text).toContain(
      '`.spec.dependencies[].apiExportRef.name`: The name of the export. _Required, string, 1 to 253 characters, pattern',
    );
    expect(text).toContain('_String, one of `Deny`, `Warn`, `Audit`, default `Deny`._');
    expect(text).toMatch(/`\.status\.rules\[\]\.generation`: .* _Integer, at least 0\._/);
    expect(text).toContain('`.spec.allowRulesFrom[]`: ');
  });

  it('given the metrics, then each is there', () => {
    for (const name of Object.keys(METRICS)) expect(textOf('metrics.md')).toContain(`| \`${name}\` |`);
  });

  // That each decision, failure and reason has an entry is what the compiler checks.
  it('given the rules of the catalogue, then the check finds in each exactly what it stands for', () => {
    for (const [reason, told] of [...Object.entries(refusedWrites()), ...Object.entries(warnedWrites())])
      expect({ reason, found: told.reasons }).toEqual({ reason, found: [reason] });
  });

  it('given the catalogue, then each decision, failure, reason and command is there, and no text is empty', () => {
    const text = textOf('catalogue.md');

    for (const [name, told] of [...Object.entries(refusedDeletes()), ...Object.entries(doubtfulDeletes())]) {
      expect(text).toContain(`\n### ${name}\n`);
      for (const each of [told].flat()) expect(text).toContain(`\n${each.text}\n`);
    }
    for (const reason of Object.keys(CONDITION_REASONS)) expect(text).toContain(`| [${reason}](conditions.md#`);
    for (const { name } of commands) expect(text).toContain(`(command-line.md#${name})`);
    expect(text).not.toMatch(/```\n\s*```/);
  });

  it('given a reason that stands on rules in force too, then its heading does not say that they are not', () => {
    const headOf = (reason: string) => new RegExp(`### ${reason}\\n\\n(On: .*)\\n`).exec(textOf('conditions.md'))?.[1];

    for (const reason of ['ExportNotFound', 'ResourceNotExported'])
      expect(headOf(reason)).toBe('On: rule `Ready=False` `TargetsResolved=False`.');
  });

  // That each reason of the sources is described is what the compiler checks.
  it('given the reasons that are described, then some source gives each of them', () => {
    const sources = ['apps/dep-ctrl/src', 'libs/rule-registry/src', 'libs/exported-types/src']
      .flatMap((folder) => sourcesIn(join(ROOT, folder)))
      .join('\n');

    for (const reason of Object.keys(CONDITION_REASONS)) {
      expect(textOf('conditions.md')).toContain(`### ${reason}\n`);
      expect(sources).toContain(`'${reason}'`);
    }
  });
});

function sourcesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/\.spec\.ts$|(?:^|\/)(?:testing|spec-support)\//.test(name))
    .filter((name) => !name.endsWith('condition-reasons.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
}
