// docs/guarantees.md: its tables of tests are generated from the titles of the tests and from the records of their runs. The prose is written by
// hand. Every promise names a test, and every test of a promise is named.
import { isReal } from '../backends/backend.js';
import { commandFor, isSuite, type KnownTest } from './known-tests.js';
import { compare, keyOf, type Tried } from './run-record.js';
import type { Freshness, Judged } from './freshness.js';
import type { Place } from './required-runs.js';

/** What the page is made from. */
export interface Known {
  readonly tests: ReadonlyMap<string, KnownTest>;
  readonly runs: readonly Judged[];
  /** Where a test has to have run. */
  readonly placesFor: (test: string) => readonly Place[];
  /** The line about the chart of the last long soak. */
  readonly chart: string;
}

const PROMISES = 7;
const BACKENDS = ['embedded', 'embedded-2', 'containers', 'kcp', 'kcp-2', 'cluster'];
const HEAD = ['test', 'what holds', 'backend', 'kcp', 'date', 'commit', 'took'];
const CHART = '[The chart](soak.svg)';
const COUNT = 'Of the runs below, ';
// As the formatter writes it.
const MARK = '_stale_ ';
const NEVER = '_never ran_';

/** The page as it should be. */
export function pageOf(before: string, known: Known): string {
  const page: string[] = [];
  let table: string[] | undefined;
  for (const line of before.split('\n')) {
    const isRow = line.startsWith('|');
    if (isRow && (table !== undefined || cellsOf(line)[0] === HEAD[0])) {
      table = [...(table ?? []), line];
      continue;
    }
    if (table !== undefined) page.push(...tableOf(idsIn(table), known));
    table = undefined;
    page.push(line.startsWith(CHART) ? known.chart : line.startsWith(COUNT) ? countLine(before, known) : line);
  }
  if (table !== undefined) page.push(...tableOf(idsIn(table), known));
  return page.join('\n');
}

/** How many runs the page can be gone by. */
function countLine(page: string, known: Known): string {
  const states = shownOn(page, known.runs).map(({ freshness }) => freshness.state);
  const number = (wanted: Freshness['state']): number => states.filter((state) => state === wanted).length;
  const good = states.length - number('stale') - number('failed');
  return `${COUNT}${good} are evidence for the code as it was, ${number('stale')} are _stale_, ${number('failed')} failed, and ${missingOn(page, known).length} never ran.`;
}

/** The line about the chart, from what is noted with its numbers. */
export function chartLine(
  { backend, kcp, on, commit, minutes, deletes }: Omit<ChartNote, 'problems'>,
  { state }: Pick<Freshness, 'state'>,
): string {
  const made = `${markOf(state)}${on.slice(0, 10)}, commit ${commit?.slice(0, 10) ?? 'not noted'}`;
  return `${CHART} ([numbers](soak.json)) is of ${made}: ${deletes} deletes in ${minutes} min on ${backend}, kcp ${kcp}.`;
}

/** What is noted with the numbers of a soak. */
export interface ChartNote {
  readonly backend: string;
  readonly kcp: string;
  readonly on: string;
  readonly commit?: string;
  readonly dirty?: true;
  readonly minutes: number;
  readonly deletes: number;
  /** Wrong answers and growth. */
  readonly problems: readonly string[];
}

/** What is wrong with the page itself, whatever it says about runs. */
export function problemsOf(page: string, { tests, runs }: Pick<Known, 'tests' | 'runs'>): readonly string[] {
  const never = neverRan(page, { tests, runs }).filter((id) => !isSuite(id));
  return [
    ...idsIn(page.split('\n')).flatMap((id) => (tests.has(id) ? [] : [`${id} is no test`])),
    ...never.map((id) => `${id} has never run: ${commandFor(id)}`),
    ...Array.from({ length: PROMISES }, (_, at) => promiseProblems(page, at + 1, tests)).flat(),
  ];
}

/** The tests that the page names and that no record is about. */
function neverRan(page: string, { tests, runs }: Pick<Known, 'tests' | 'runs'>): readonly string[] {
  const ran = new Set(runs.map(({ record }) => record.test));
  return idsIn(page.split('\n')).filter((id) => tests.has(id) && !ran.has(id));
}

/** Where tests that the page names have to have run, and did not. */
export function missingOn(page: string, { tests, runs, placesFor }: Omit<Known, 'chart'>): readonly Tried[] {
  return [...new Set(idsIn(page.split('\n')))].filter((id) => tests.has(id)).flatMap((id) => missingFor(id, { runs, placesFor }));
}

function missingFor(test: string, { runs, placesFor }: Pick<Known, 'runs' | 'placesFor'>): readonly Tried[] {
  const ran = new Set(runs.map(({ record }) => keyOf(record)));
  return placesFor(test)
    .map((place) => ({ test, ...place }))
    .filter((tried) => !ran.has(keyOf(tried)));
}

/** Whether both pages say the same, but for what has become stale meanwhile and for the widths of columns. */
export function sayTheSame(one: string, other: string): boolean {
  const plain = (page: string): string =>
    page
      .replaceAll(new RegExp(`^${COUNT}.*`, 'gm'), COUNT)
      .replaceAll(MARK, '')
      .replaceAll(/-{3,}/g, '---')
      .replaceAll(/ +/g, ' ');
  return plain(one) === plain(other);
}

/** The runs that the page shows. */
export function shownOn(page: string, runs: readonly Judged[]): readonly Judged[] {
  const named = new Set(idsIn(page.split('\n')));
  return runs.filter(({ record }) => named.has(record.test));
}

function promiseProblems(page: string, promise: number, tests: Known['tests']): readonly string[] {
  const section = page.split(/^## /m).find((each) => each.startsWith(`${promise}. `));
  if (section === undefined) return [`there is no section "## ${promise}."`];
  const isShownHere = idsIn(section.split('\n')).length > 0 || section.includes('tools/checks/guarantees.mjs');
  const named = new Set(idsIn(page.split('\n')));
  const missing = [...tests].filter(([id, { title }]) => title.startsWith(`promise ${promise}:`) && !named.has(id));
  return [
    ...(isShownHere ? [] : [`promise ${promise} names no test`]),
    ...missing.map(([id]) => `${id} shows promise ${promise} and is not named`),
  ];
}

/** One row per run; a test is named in its first one. */
function tableOf(ids: readonly string[], { tests, runs, placesFor }: Known): readonly string[] {
  const rows = ids.flatMap((id) => {
    const of = runs.filter(({ record }) => record.test === id).map((judged) => ({ place: judged.record, judged }));
    const missing = missingFor(id, { runs, placesFor }).map((place) => ({ place, judged: undefined }));
    const cells = [...of, ...missing].toSorted((a, b) => inOrder(a.place, b.place)).map(({ place, judged }) => runCells(place, judged));
    return cells.map((cell, at) => (at === 0 ? [id, tests.get(id)?.title ?? '', ...cell] : ['', '', ...cell]));
  });
  return [HEAD, HEAD.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}

function runCells({ backend, kcp }: Place, judged: Judged | undefined): readonly string[] {
  const where = [backend, isReal(backend) ? kcp : `as ${kcp}`];
  if (judged === undefined) return [...where, NEVER, '', ''];
  const { record, freshness } = judged;
  const { on, commit, seconds, extent } = record;
  const took = seconds === undefined ? '' : seconds < 600 ? `${seconds} s` : `${(seconds / 60).toFixed(0)} min`;
  return [
    ...where,
    `${markOf(freshness.state)}${on?.slice(0, 10) ?? ''}`.trim(),
    commit?.slice(0, 10) ?? '',
    [took, extent ?? ''].filter((each) => each !== '').join(', '),
  ];
}

function markOf(state: Freshness['state']): string {
  if (state === 'failed') return '**failed** ';
  return state === 'stale' ? MARK : '';
}

function inOrder(a: Place, b: Place): number {
  return BACKENDS.indexOf(a.backend) - BACKENDS.indexOf(b.backend) || compare(a.kcp, b.kcp);
}

/** The ids in the first cells of these lines. */
function idsIn(lines: readonly string[]): readonly string[] {
  return lines.map((line) => cellsOf(line)[0] ?? '').filter((cell) => /^(?:S\d+\.\d+|[a-z]{4,})$/.test(cell) && cell !== HEAD[0]);
}

function cellsOf(line: string): readonly string[] {
  if (!line.startsWith('|')) return [];
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}
