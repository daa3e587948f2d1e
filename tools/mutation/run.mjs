// `npm run mutation [-- GROUP…] [--page]`: runs Stryker group by group, keeps what came out of it in results.json, writes
// docs/mutation.md, and fails where a group was never mutated or fewer than 95 % of its mutants were noticed, where a mutant lived that reasons.json does not
// explain, or where a reason explains no mutant any more.
// --page runs nothing and writes the page from what is known.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { groups } from './groups.mjs';
import { filledPage } from './page.mjs';
import { compare, resultOf, score } from './survivors.mjs';

const LEAST_SCORE = 95;

const root = fileURLToPath(new URL('../..', import.meta.url));
const stryker = fileURLToPath(new URL('node_modules/@stryker-mutator/core/bin/stryker.js', import.meta.url));
const files = {
  results: fileURLToPath(new URL('results.json', import.meta.url)),
  reasons: fileURLToPath(new URL('reasons.json', import.meta.url)),
  page: fileURLToPath(new URL('../../docs/mutation.md', import.meta.url)),
};

const args = process.argv.slice(2);
const flags = args.filter((arg) => arg.startsWith('--'));
const named = args.filter((arg) => !arg.startsWith('--'));
const wrong = [...flags.filter((flag) => flag !== '--page'), ...named.filter((name) => !(name in groups))];
const chosen = flags.includes('--page') ? [] : named.length > 0 ? named : Object.keys(groups);

if (wrong.length > 0) fail(2, `${wrong.join(', ')}: expected --page or some of the groups ${Object.keys(groups).join(', ')}`);
else if (chosen.length > 0 && !existsSync(stryker)) fail(2, `${stryker} is missing; npm ci --prefix tools/mutation brings it`);
else if (await allMutated()) await judge();

async function allMutated() {
  for (const group of chosen) if (!(await isMutated(group))) return false;
  return true;
}

/** Writes the page and names the mutants without an explanation. */
async function judge() {
  const results = read(files.results);
  const reasons = read(files.reasons);
  await write(files.page, filledPage(readFileSync(files.page, 'utf8'), results, reasons, sourceOf));
  for (const group of Object.keys(groups)) if (results[group] === undefined) fail(1, `${group} was never mutated`);
  for (const [group, result] of Object.entries(results))
    if (score(result) < LEAST_SCORE) fail(1, `${group}: ${score(result)} % of the mutants were noticed, ${LEAST_SCORE} are wanted`);
  const { unexplained, outdated } = compare(results, reasons);
  for (const lived of unexplained) fail(1, `survived, and no reason is given: ${told(lived)}`);
  for (const reason of outdated) fail(1, `a reason for a mutant that did not survive: ${told(reason)}`);
}

/** Runs one group and keeps its result; answers whether there is one. */
async function isMutated(group) {
  const run = spawnSync(process.execPath, [stryker, 'run', 'tools/mutation/stryker.config.mjs'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, MUTATION_GROUP: group },
  });
  if (run.status !== 0) {
    fail(1, `${group}: Stryker ended with ${String(run.status ?? run.signal)}`);
    return false;
  }
  const report = JSON.parse(readFileSync(`${root}/.dep-ctrl/mutation/${group}.json`, 'utf8'));
  const result = resultOf(report, { date: new Date().toISOString().slice(0, 10), node: process.versions.node });
  const all = { ...read(files.results), [group]: result };
  const inOrder = Object.keys(groups).flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]]));
  await write(files.results, JSON.stringify(Object.fromEntries(inOrder), undefined, 2));
  process.stdout.write(`${group}: ${score(result)} %, ${result.survivors.length} survived\n`);
  return true;
}

function sourceOf(file) {
  const path = `${root}${file}`;
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

function read(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

async function write(file, text) {
  writeFileSync(file, await format(text, { ...(await resolveConfig(file)), filepath: file }));
}

function told({ file, mutator, line, change }) {
  return `${file}: ${mutator}: ${change} in "${line}"`;
}

function fail(code, message) {
  process.stderr.write(`${message}\n`);
  process.exitCode = code;
}
