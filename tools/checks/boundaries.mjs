// Plants imports that must not be, in memory, and sees the lint refuse each: the boundaries of projects and the order of rooms are checks, not habits.
import { ESLint } from 'eslint';
import { resolve } from 'node:path';
import tseslint from 'typescript-eslint';
import { graphForLint } from './project-graph.mjs';
import { rooms } from './rooms.mjs';

const texts = {
  values: (from) => `import * as planted from '${from}';\n\nexport const kept = planted;\n`,
  types: (from) => `import type { Planted } from '${from}';\n\nexport type Kept = Planted;\n`,
  late: (from) => `export const planted = import('${from}');\n`,
  again: (from) => `export { planted } from '${from}';\n`,
};

const planted = [
  { file: 'libs/fieldpath/src/planted.ts', from: '@dep-ctrl/kcp-client', rule: '@nx/enforce-module-boundaries' },
  { file: 'libs/rule-registry/src/planted.ts', from: '@dep-ctrl/kcp-client', rule: '@nx/enforce-module-boundaries' },
  { file: 'libs/kcp-client/src/planted.ts', from: '@dep-ctrl/embedded-kcp', rule: '@nx/enforce-module-boundaries' },
  { file: 'libs/embedded-kcp/src/planted.ts', from: '@dep-ctrl/fieldpath', rule: '@nx/enforce-module-boundaries' },
  { file: 'libs/kcp-controller/src/planted.ts', from: '@dep-ctrl/workspace-resolver', rule: '@nx/enforce-module-boundaries' },
  { file: 'libs/kcp-controller/src/planted.ts', from: 'prom-client', rule: '@nx/enforce-module-boundaries' },
  { file: 'libs/workspace-resolver/src/planted.ts', from: 'inversify', rule: '@nx/enforce-module-boundaries' },
  { file: 'libs/workspace-lifecycle/src/planted.ts', from: '@dep-ctrl/webhook-installer', rule: '@nx/enforce-module-boundaries' },
  { file: 'libs/webhook-installer/src/planted.ts', from: 'winston', rule: '@nx/enforce-module-boundaries' },
  { file: 'libs/fair-shares/src/planted.ts', from: '@dep-ctrl/rule-registry', rule: '@nx/enforce-module-boundaries' },
  { file: 'libs/shared-lists/src/planted.ts', from: '@dep-ctrl/exported-types', rule: '@nx/enforce-module-boundaries' },
  { file: 'libs/admission-server/src/planted.ts', from: 'express', rule: '@nx/enforce-module-boundaries' },
  { file: 'libs/kcp-objects/src/planted.ts', from: '@dep-ctrl/rule-registry', rule: '@nx/enforce-module-boundaries' },
  { file: 'libs/exported-types/src/planted.ts', from: '@dep-ctrl/rule-registry', rule: '@nx/enforce-module-boundaries' },
  { file: 'libs/ordered-teardown/src/planted.ts', from: '@dep-ctrl/rule-registry', rule: '@nx/enforce-module-boundaries' },
  { file: 'libs/command-settings/src/planted.ts', from: 'commander', rule: '@nx/enforce-module-boundaries' },
  { file: 'libs/kcp-client/src/planted.ts', from: '../../kcp-names/src/parsed.js', rule: '@nx/enforce-module-boundaries' },
  { file: 'libs/kcp-names/src/planted.ts', from: 'node:fs', rule: 'no-restricted-imports' },
  { file: 'libs/fieldpath/src/planted.ts', from: 'node:crypto', rule: 'no-restricted-imports' },
  { file: 'libs/kcp-client/src/planted.ts', from: '@dep-ctrl/kcp-names', rule: undefined },
  ...Object.entries(rooms).flatMap(([project, order]) => plantedIn(project, order)),
];

await graphForLint();
// The rules that need types are off here: a file that is not on disk has none.
const eslint = new ESLint({ overrideConfig: [tseslint.configs.disableTypeChecked] });
const problems = [];
for (const { file, from, what = 'values', rule } of planted) {
  const [result] = await eslint.lintText(texts[what](from), { filePath: resolve(file) });
  const broken = (result?.messages ?? []).map((message) => message.ruleId ?? message.message);
  if (rule === undefined ? broken.length > 0 : !broken.includes(rule))
    problems.push(`${file} importing ${from}: expected ${rule ?? 'no complaint'}, lint said ${broken.join(', ') || 'nothing'}`);
}

for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length === 0) process.stdout.write(`${planted.length} planted imports judged as they should be\n`);
process.exitCode = problems.length === 0 ? 0 : 1;

// One step up between two rooms that lie beside each other, of each kind of import; from the floor to the roof; one step down, which is allowed;
// what serves specs alone; a folder that is no room.
function plantedIn(project, order) {
  const at = (room) => `${project}/src/${room}/planted.ts`;
  const to = (from, room) => `${'../'.repeat(from.split('/').length)}${room}/planted.js`;
  const up = (height, what) => ({ file: at(order[height]), from: to(order[height], order[height + 1]), what, rule: 'rooms/order' });
  const [floor = '', above = ''] = order;
  return [
    ...['values', 'types', 'late', 'again'].map((what, index) => up(index % (order.length - 1), what)),
    { file: at(floor), from: to(floor, '.').replace('planted', 'index'), rule: 'rooms/order' },
    { file: at(floor), from: `@dep-ctrl/${project.split('/')[1]}`, rule: 'rooms/order' },
    { file: at(above), from: to(above, floor), rule: undefined },
    { file: at(above), from: to(above, 'spec-support'), rule: 'rooms/order' },
    { file: at('no-room'), from: to('no-room', floor), rule: 'rooms/order' },
  ];
}
