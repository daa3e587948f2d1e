// docs/guarantees.md against the tests it names: every scenario and spec in it exists, every promise has one, every scenario of a promise
// is in it, and what it says ran somewhere did (docs/scenario-runs.json). `--write` puts titles and runs into the tables.
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const page = join(root, 'docs/guarantees.md');
const PROMISES = 7;
const BACKENDS = ['embedded', 'embedded-2', 'containers', 'kcp', 'kcp-2'];

const scenarios = readScenarios();
const runs = JSON.parse(readFileSync(join(root, 'docs/scenario-runs.json'), 'utf8'));
const before = readFileSync(page, 'utf8');
const problems = [];

const after = before
  .split('\n')
  .map((line) => checkedRow(line) ?? line)
  .join('\n');
checkSpecs();
checkPromises();

if (process.argv.includes('--write')) writeFileSync(page, await format(after, { ...(await resolveConfig(page)), filepath: page }));
for (const problem of problems) process.stderr.write(`docs/guarantees.md: ${problem}\n`);
if (problems.length === 0) process.stdout.write(`${rowIds(after).length} named tests exist and ran where the page says\n`);
process.exitCode = problems.length === 0 ? 0 : 1;

/** A row `| S7.1 | title | runs |` as it should be; undefined for any other line. */
function checkedRow(line) {
  const cells = cellsOf(line);
  const [id = ''] = cells;
  if (!/^S\d+\.\d+$/.test(id)) return undefined;
  const title = scenarios.get(id);
  if (title === undefined) {
    problems.push(`${id} is no scenario`);
    return undefined;
  }
  const row = [id, title, ranOn(id)];
  if (ranOn(id) === '') problems.push(`${id} has never run: node e2e/run.mjs scenarios --filter ${id} --record docs/scenario-runs.json`);
  if (!process.argv.includes('--write') && row.some((cell, at) => cell !== cells[at]))
    problems.push(`the row of ${id} is not what the tests say: node tools/checks/guarantees.mjs --write`);
  return `| ${row.join(' | ')} |`;
}

/** A promise without a test, or a scenario of a promise that does not exist. */
function checkPromises() {
  const named = rowIds(after);
  for (let promise = 1; promise <= PROMISES; promise += 1) {
    const section = sectionOf(promise);
    if (section === undefined) problems.push(`there is no section "## ${promise}."`);
    else if (rowIds(section).length === 0 && !section.includes('tools/checks/guarantees.mjs'))
      problems.push(`promise ${promise} names no test`);
    for (const [id, title] of scenarios) {
      if (title.startsWith(`promise ${promise}:`) && !named.includes(id)) problems.push(`${id} shows promise ${promise} and is not named`);
    }
  }
}

/** Specs are named as `path/to/file.spec.ts`, with a part of a title in quotes after a colon where one test is meant. */
function checkSpecs() {
  for (const [, file = '', title] of before.matchAll(/`([\w./-]+\.spec\.ts)`(?:: "([^"]+)")?/g)) {
    if (!existsSync(join(root, file))) problems.push(`${file} does not exist`);
    else if (title !== undefined && !readFileSync(join(root, file), 'utf8').includes(title))
      problems.push(`${file} has no test "${title}"`);
  }
}

function readScenarios() {
  const folder = join(root, 'e2e/src/scenarios');
  const text = readdirSync(folder)
    .filter((file) => /^s\d.*\.ts$/.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');
  const found = text.matchAll(/id: '(S\d+\.\d+)',\s+title:\s+(?:'((?:[^'\\]|\\.)*)'|"([^"]*)")/g);
  return new Map([...found].map(([, id = '', single, double]) => [id, single?.replaceAll("\\'", "'") ?? double ?? '']));
}

function ranOn(id) {
  const known = runs[id] ?? {};
  return BACKENDS.filter((backend) => known[backend] !== undefined)
    .map((backend) => (backend.startsWith('kcp') ? `${backend} ${known[backend].join(' and ')}` : backend))
    .join(', ');
}

function sectionOf(promise) {
  return after.split(/^## /m).find((section) => section.startsWith(`${promise}. `));
}

function rowIds(text) {
  return text
    .split('\n')
    .map((line) => cellsOf(line)[0] ?? '')
    .filter((cell) => /^S\d+\.\d+$/.test(cell));
}

function cellsOf(line) {
  if (!line.startsWith('|')) return [];
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}
