// `npm run check`: what is quick to know about what you changed since main: the layout and the lint of the changed files, the types of
// everything, and the specs of the changed projects that the changed files matter to. `npm test` is for the rest.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { jestCheck } from './jest-check.mjs';
import { runChecks } from './running.mjs';

const { defaultBase } = JSON.parse(readFileSync('nx.json', 'utf8'));
const changed = [...lines('diff', '--name-only', '--relative', lines('merge-base', defaultBase, 'HEAD')[0]), ...untracked()].filter(
  (file) => existsSync(file),
);
const linted = changed.filter((file) => /\.(?:ts|mjs)$/.test(file));
const sources = changed.filter((file) => file.endsWith('.ts'));
const projects = [...new Set(sources.map(projectOf))];

if (changed.length === 0) process.stdout.write(`nothing has changed since ${defaultBase}\n`);
else
  await runChecks([
    [
      sources.length === 0
        ? []
        : [jestCheck('tests', [...projects.flatMap(selected), '--passWithNoTests', '--findRelatedTests', ...sources])],
      [
        { name: 'format', command: ['npx', 'prettier', '--check', '--ignore-unknown', '--log-level', 'warn', ...changed] },
        ...(linted.length === 0
          ? []
          : [{ name: 'types and lint', command: ['node', '--max-semi-space-size=64', 'tools/checks/lint-and-types.mjs', ...linted] }]),
      ],
    ],
  ]);

function selected(project) {
  return ['--selectProjects', project];
}

/** jest calls a project by its folder. */
function projectOf(file) {
  const folder = dirname(file);
  if (existsSync(join(folder, 'jest.config.mjs'))) return folder.split('/').at(-1);
  return projectOf(folder);
}

function untracked() {
  return lines('ls-files', '--others', '--exclude-standard');
}

function lines(...args) {
  return execFileSync('git', args, { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '');
}
