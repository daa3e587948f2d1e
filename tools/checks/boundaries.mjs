// Plants imports that must not be, in memory, and sees the lint refuse each: the boundaries are a check, not a habit.
import { ESLint } from 'eslint';
import { resolve } from 'node:path';
import tseslint from 'typescript-eslint';

const planted = [
  { file: 'libs/fieldpath/src/planted.ts', from: '@dep-ctrl/kcp-client', rule: '@nx/enforce-module-boundaries' },
  { file: 'libs/rule-registry/src/planted.ts', from: '@dep-ctrl/kcp-client', rule: '@nx/enforce-module-boundaries' },
  { file: 'libs/kcp-client/src/planted.ts', from: '@dep-ctrl/embedded-kcp', rule: '@nx/enforce-module-boundaries' },
  { file: 'libs/embedded-kcp/src/planted.ts', from: '@dep-ctrl/fieldpath', rule: '@nx/enforce-module-boundaries' },
  { file: 'libs/workspace-resolver/src/planted.ts', from: 'inversify', rule: '@nx/enforce-module-boundaries' },
  { file: 'libs/webhook-installer/src/planted.ts', from: 'winston', rule: '@nx/enforce-module-boundaries' },
  { file: 'libs/kcp-client/src/planted.ts', from: '../../kcp-names/src/parsed.js', rule: '@nx/enforce-module-boundaries' },
  { file: 'libs/kcp-names/src/planted.ts', from: 'node:fs', rule: 'no-restricted-imports' },
  { file: 'libs/fieldpath/src/planted.ts', from: 'node:crypto', rule: 'no-restricted-imports' },
  { file: 'libs/kcp-client/src/planted.ts', from: '@dep-ctrl/kcp-names', rule: undefined },
];

const problems = [];
for (const { file, from, rule } of planted) {
  const text = `import * as planted from '${from}';\n\nexport const kept = planted;\n`;
  // The rules that need types are off here: a file that is not on disk has none.
  const eslint = new ESLint({ cwd: resolve(file, '../..'), overrideConfig: [tseslint.configs.disableTypeChecked] });
  const [result] = await eslint.lintText(text, { filePath: resolve(file) });
  const broken = (result?.messages ?? []).map((message) => message.ruleId ?? message.message);
  if (rule === undefined ? broken.length > 0 : !broken.includes(rule))
    problems.push(`${file} importing ${from}: expected ${rule ?? 'no complaint'}, lint said ${broken.join(', ') || 'nothing'}`);
}

for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length === 0) process.stdout.write(`${planted.length} planted imports judged as they should be\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
