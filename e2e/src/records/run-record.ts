// What ran where, and when: one line of JSON per test and backend, so that two people who add records seldom touch the same line.

/** Which code ran, and when. */
export interface Stamp {
  /** When the run began, in UTC: `2026-11-23T19:20:31Z`. */
  readonly on: string;
  /** The commit that was checked out. */
  readonly commit: string;
  /** Some file of the code differed from that commit. */
  readonly dirty?: true;
}

/** What was tried: a scenario by its id, or a suite by its name, on one kcp. */
export interface Tried {
  readonly test: string;
  readonly backend: string;
  /** The version that this kcp is, or stands for. */
  readonly kcp: string;
}

/** One line. */
export type RunRecord = Tried & Outcome;

type Outcome =
  | (Partial<Stamp> & {
      readonly state: 'passed' | 'failed';
      /** How long it took. */
      readonly seconds?: number;
      /** Which build of that kcp: the beginning of the SHA-256 of the program. The embedded kcp is that of the commit. */
      readonly build?: string;
      /** How much of it: `380 cases`, `seeds 1 to 500`, `120 min`. */
      readonly extent?: string;
    })
  | (Stamp & { readonly state: 'skipped'; readonly why: string });

/** A run, not a skip. */
export type Ran = Extract<RunRecord, { state: 'passed' | 'failed' }>;

/** What stands in a file of records. Throws where a line is none. */
export function parseRecords(text: string): readonly RunRecord[] {
  return text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return [];
    const record = JSON.parse(line) as Partial<RunRecord>;
    if (typeof record.test !== 'string' || typeof record.backend !== 'string' || typeof record.kcp !== 'string')
      throw new Error(`line ${at + 1} is no record of a run: ${line.slice(0, 100)}`);
    return [record as RunRecord];
  });
}

/** The same as text: sorted, each on its line, its fields in one order. */
export function printRecords(records: readonly RunRecord[]): string {
  const order = ['test', 'backend', 'kcp', 'state', 'on', 'commit', 'dirty', 'seconds', 'build', 'extent', 'why'];
  return records
    .toSorted((a, b) => compare(a.test, b.test) || compare(a.backend, b.backend) || compare(a.kcp, b.kcp) || compare(a.state, b.state))
    .map((record) => `${JSON.stringify(record, order)}\n`)
    .join('');
}

/**
 * Both together. Of two runs of the same test on the same kcp the later one counts. A skip stands beside the run before it, which it makes stale,
 * until the test runs again.
 */
export function merged(records: readonly RunRecord[], news: readonly RunRecord[]): readonly RunRecord[] {
  const latest = new Map<string, RunRecord>();
  for (const record of [...records, ...news]) {
    const key = `${keyOf(record)} ${record.state === 'skipped' ? 'skipped' : 'ran'}`;
    const other = latest.get(key);
    if (other === undefined || isLater(record, other)) latest.set(key, record);
  }
  return [...latest.values()].filter((record) => {
    const run = latest.get(`${keyOf(record)} ran`);
    return record.state !== 'skipped' || run === undefined || isLater(record, run);
  });
}

/** Without skips of what never ran there, as a test that makes no sense on a backend has nothing to show on it. */
export function withoutIdleSkips(records: readonly RunRecord[]): readonly RunRecord[] {
  const ran = new Set(records.filter(({ state }) => state !== 'skipped').map(keyOf));
  return records.filter((record) => ran.has(keyOf(record)));
}

/** The same for the same test on the same kcp. */
export function keyOf({ test, backend, kcp }: Tried): string {
  return `${test} ${backend} ${kcp}`;
}

/** S2.9 comes before S2.10, and kcp 0.9 before 0.10. */
export function compare(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}

// Two records of one moment: whichever is the greater text, so that the order in which files are merged changes nothing.
function isLater(one: RunRecord, other: RunRecord): boolean {
  const [a, b] = [one.on ?? '', other.on ?? ''];
  return a === b ? printRecords([one]) > printRecords([other]) : a > b;
}
