// The run-time imports between projects are exactly these that the picture in docs/architecture.md shows.
import { readdirSync, readFileSync } from 'node:fs';
import { projectGraph } from './project-graph.mjs';

// The picture: a line for each project, `name --> other & other`; the binary is written as `app[apps/dep-ctrl]`.
const [, picture = ''] = /```mermaid\ngraph LR\n(.*?)```/s.exec(readFileSync('docs/architecture.md', 'utf8')) ?? [];
const drawn = Object.fromEntries(
  picture
    .trim()
    .split('\n')
    .map((line) => line.trim().split(' --> '))
    .map(([name, targets]) => [name === 'app[apps/dep-ctrl]' ? 'dep-ctrl' : name, targets.split(' & ').sort()]),
);
/** @type {Readonly<Record<string, readonly string[]>>} */
const documented = { ...Object.fromEntries(readdirSync('libs').map((lib) => [lib, []])), ...drawn };

const { dependencies } = await projectGraph();

const problems = [];
for (const [project, expected] of Object.entries(documented)) {
  const found = [...new Set((dependencies[project] ?? []).map((edge) => edge.target))].filter((target) => target in documented).sort();
  for (const target of found)
    if (!expected.includes(target)) problems.push(`${project} imports ${target}, which docs/architecture.md does not allow`);
  for (const target of expected) if (!found.includes(target)) problems.push(`${project} is documented to import ${target}, but does not`);
}

// package.json and tsconfig.lib.json repeat the edges for npm and tsc; they must not drift from what is imported.
for (const [project, expected] of Object.entries(documented)) {
  if (project === 'dep-ctrl') continue;
  const manifest = JSON.parse(readFileSync(`libs/${project}/package.json`, 'utf8'));
  const declared = Object.keys(manifest.dependencies ?? {})
    .filter((name) => name.startsWith('@dep-ctrl/'))
    .map((name) => name.slice('@dep-ctrl/'.length));
  const referenced = JSON.parse(readFileSync(`libs/${project}/tsconfig.lib.json`, 'utf8')).references.map(
    (reference) => reference.path.split('/')[1],
  );
  for (const [where, list] of [
    ['package.json', declared],
    ['tsconfig.lib.json', referenced],
  ]) {
    if (list.sort().join() !== [...expected].sort().join())
      problems.push(`libs/${project}/${where} names ${list.join(', ') || 'nothing'}; expected ${expected.join(', ') || 'nothing'}`);
  }
}

for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length === 0) process.stdout.write(`${Object.values(documented).flat().length} edges, all documented\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
