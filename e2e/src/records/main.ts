// `npm run records`: keeps docs/runs.jsonl, and docs/guarantees.md which is generated from it.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { Checkout } from './checkout.js';
import { judge, type Judged } from './freshness.js';
import { chartLine, missingOn, pageOf, problemsOf, sayTheSame, shownOn, type ChartNote } from './guarantees-page.js';
import { commandFor, isSuite, knownTests } from './known-tests.js';
import { placesFor, type Place } from './required-runs.js';
import { merged, parseRecords, printRecords, withoutIdleSkips, type RunRecord, type Tried } from './run-record.js';

const USAGE = `usage: npm run records -- merge FILE... | page | check [--release] | stale
  merge FILE...   adds what suites wrote with --record FILE to docs/runs.jsonl, and writes docs/guarantees.md
  page            writes docs/guarantees.md
  check           fails where docs/guarantees.md is not what tests and records say; warns of records that are stale or failed
  check --release fails of stale records as well
  stale           lists the records that a release would not go by, and the command for each test`;

const root = process.cwd();
const RUNS = join(root, 'docs/runs.jsonl');
const PAGE = join(root, 'docs/guarantees.md');
const CHART = join(root, 'docs/soak.json');
// A shorter soak shows nothing about growth; a release wants more than that, on a real kcp.
const CHART_MINUTES = 30;
const RELEASE_CHART_MINUTES = 120;

interface State {
  readonly tests: ReturnType<typeof knownTests>;
  readonly runs: readonly Judged[];
  readonly chart: Judged & { readonly note: ChartNote };
  readonly before: string;
}

function read(): State {
  const tests = knownTests(root);
  const checkout = new Checkout(root);
  const judged = (records: readonly RunRecord[]): readonly Judged[] =>
    judge(records, (commit, test) => checkout.since(commit, tests.get(test)?.files ?? []));
  const note = JSON.parse(readFileSync(CHART, 'utf8')) as ChartNote;
  const { deletes, backend, kcp, on, commit, dirty, problems } = note;
  const about = { on, ...(commit === undefined ? {} : { commit }), ...(dirty === undefined ? {} : { dirty }) };
  const [chart] = judged([
    { test: 'soak', backend, kcp, state: problems.length === 0 ? 'passed' : 'failed', extent: `${deletes} deletes`, ...about },
  ]);
  if (chart === undefined) throw new Error(`${CHART} says nothing about its run`);
  return { tests, runs: judged(records()), chart: { ...chart, note }, before: readFileSync(PAGE, 'utf8') };
}

function records(): readonly RunRecord[] {
  return existsSync(RUNS) ? parseRecords(readFileSync(RUNS, 'utf8')) : [];
}

async function pageFrom({ tests, runs, chart, before }: State): Promise<string> {
  const page = pageOf(before, { tests, runs, placesFor: placesIn(tests), chart: chartLine(chart.note, chart.freshness) });
  return format(page, { ...(await resolveConfig(PAGE)), filepath: PAGE });
}

function placesIn(tests: State['tests']): (test: string) => readonly Place[] {
  return (test) => placesFor(test, tests.get(test) ?? {});
}

async function writePage(): Promise<number> {
  const state = read();
  const page = await pageFrom(state);
  writeFileSync(PAGE, page);
  return tellProblems(problemsOf(page, state));
}

async function merge(files: readonly string[]): Promise<number> {
  const news = files.flatMap((file) => parseRecords(readFileSync(file, 'utf8')));
  writeFileSync(RUNS, printRecords(withoutIdleSkips(merged(records(), news))));
  say(`${news.length} records merged into docs/runs.jsonl`);
  return writePage();
}

async function check({ isRelease }: { readonly isRelease: boolean }): Promise<number> {
  const state = read();
  const page = await pageFrom(state);
  const isAsItShould = isRelease ? page === state.before : sayTheSame(page, state.before);
  const shown = shownOn(page, state.runs);
  const missing = missingOn(page, { ...state, placesFor: placesIn(state.tests) });
  const worn = wornOut(page, state, missing);
  const [first] = worn;
  const problems = [
    ...problemsOf(page, state),
    ...(isAsItShould ? [] : ['docs/guarantees.md is not what the tests and docs/runs.jsonl say: npm run records -- page']),
    ...(state.chart.note.minutes >= CHART_MINUTES
      ? []
      : [`docs/soak.json is of ${state.chart.note.minutes} min, less than ${CHART_MINUTES}`]),
    ...(isRelease ? chartProblems(state.chart.note) : []),
  ];
  if (first !== undefined) {
    const all = `${worn.length} of ${shown.length + 1 + missing.length} runs that docs/guarantees.md rests on are no evidence for this commit`;
    const line = `${all}. The first: ${first.why}. All: npm run records -- stale`;
    if (isRelease) problems.push(line);
    else say(`warning: ${line}`);
  }
  if (problems.length === 0)
    say(`docs/guarantees.md shows ${shown.length} runs of ${new Set(shown.map(({ record }) => record.test)).size} tests`);
  return tellProblems(problems);
}

function chartProblems({ minutes, backend }: ChartNote): readonly string[] {
  if (minutes >= RELEASE_CHART_MINUTES && backend.startsWith('kcp')) return [];
  return [`docs/soak.json is of ${minutes} min on ${backend}; a release wants ${RELEASE_CHART_MINUTES} min on kcp`];
}

function listStale(): number {
  const state = read();
  const worn = wornOut(state.before, state, missingOn(state.before, { ...state, placesFor: placesIn(state.tests) }));
  for (const { why } of worn) say(why);
  const backends = new Map<string, readonly string[]>();
  for (const { test, on } of worn) backends.set(test, [...new Set([...(backends.get(test) ?? []), ...on])]);
  // Scenarios that lack the same backends are one command.
  const together = new Map<string, string[]>();
  for (const [test, on] of backends) {
    const key = isSuite(test) ? test : on.join(',');
    together.set(key, [...(together.get(key) ?? []), test]);
  }
  for (const tests of together.values()) say(commandFor(tests.join(','), backends.get(tests[0] ?? '')));
  return 0;
}

interface Worn {
  readonly test: string;
  readonly on: readonly string[];
  readonly why: string;
}

/** What the page shows and a release would not go by. */
function wornOut(page: string, { runs, chart }: State, missing: readonly Tried[]): readonly Worn[] {
  const worn = [...shownOn(page, runs), chart].flatMap(({ record: { test, backend, kcp }, freshness }): readonly Worn[] =>
    freshness.state === 'fresh' ? [] : [{ test, on: [backend], why: `${test} on ${backend}, kcp ${kcp}: ${freshness.why}` }],
  );
  return [
    ...worn,
    ...missing.map(({ test, backend, kcp }) => ({ test, on: [backend], why: `${test} on ${backend}, kcp ${kcp}: never ran` })),
  ];
}

function tellProblems(problems: readonly string[]): number {
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  return problems.length === 0 ? 0 : 1;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

async function main([command, ...args]: readonly string[]): Promise<number> {
  if (command === 'merge' && args.length > 0) return merge(args);
  if (command === 'page' && args.length === 0) return writePage();
  if (command === 'check' && args.every((arg) => arg === '--release')) return check({ isRelease: args.length > 0 });
  if (command === 'stale' && args.length === 0) return listStale();
  process.stderr.write(`${USAGE}\n`);
  return 2;
}

// Whoever reads the first lines only has seen enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});
process.exitCode = await main(process.argv.slice(2));
