// The tests that the page of guarantees may name: every scenario, and the other suites as a whole.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isReal } from '../backends/backend.js';
import type { Need } from '../running/case.js';
import { ALL_SCENARIOS } from '../scenarios/all-scenarios.js';
import { importClosure } from './import-closure.js';

/** A test that can be recorded. */
export interface KnownTest {
  readonly title: string;
  /** Where it is written, and what that imports: a change there makes its records older. */
  readonly files: readonly string[];
  /** What a kcp must have for it to make sense there. */
  readonly needs?: readonly Need[] | undefined;
  /** The first version of kcp of which it is true. */
  readonly since?: string | undefined;
}

/** What a suite is recorded as when all of it ran. */
export const SUITES = ['conformance', 'libraries', 'model', 'soak', 'against', 'sabotage'] as const;

/** A suite that has one record per backend, whatever it consists of. */
export type Suite = (typeof SUITES)[number];

const SUITE_TITLES: Readonly<Record<Suite, string>> = {
  conformance: 'the embedded kcp and the real one behave alike',
  libraries: 'the libraries do what they say while kcp is restarted and cut off',
  model: 'random topologies, edits, deletes and faults are answered as a model says',
  soak: 'deletes, creates, rule edits, rotations and faults without end: no wrong answer, and nothing grows',
  against: 'dep-ctrl dev --against tells its story on this kcp and takes back what it made',
  sabotage: 'each scenario on this page fails where dep-ctrl does on purpose what the scenario says that it never does',
};

const SUITE_COMMANDS: Readonly<Record<Suite, string>> = {
  conformance: 'npm run conformance --',
  libraries: 'npm run e2e:libs --',
  model: 'npm run model -- --seeds 500',
  soak: 'npm run soak -- --minutes 120 --save docs',
  against: 'npm run e2e:against --',
  sabotage: 'npm run sabotage --',
};

/** On real kcps only, where the usual command would be too much: a seed takes 7 to 9 s there. */
const COMMANDS_ON_KCP: Partial<typeof SUITE_COMMANDS> = { model: 'npm run model -- --seeds 100' };

const SCENARIOS = 'e2e/src/scenarios';
// What is installed in a cluster beside the program.
const INSTALLED = ['deploy/chart', 'deploy/image'];

// What a scenario runs beside the program, and no file imports.
const BUILT_BESIDE: Readonly<Record<string, readonly string[]>> = { 'S6.12': ['e2e/older-program.mjs'] };

/** Every test, with the files that it consists of. */
export function knownTests(root: string): ReadonlyMap<string, KnownTest> {
  const written = new Map(
    filesIn(root, SCENARIOS).flatMap((file) => {
      const ids = idsIn(readFileSync(join(root, file), 'utf8'));
      const files = ids.length > 0 ? importClosure(root, [file]) : [];
      return ids.map((id) => [id, files] as const);
    }),
  );
  const scenarios = ALL_SCENARIOS.map(({ id, title, needs, since }) => {
    const files = written.get(id);
    if (files === undefined) throw new Error(`${id} is written in no file of ${SCENARIOS}`);
    const installed = needs?.includes('cluster') === true ? INSTALLED : [];
    return [id, { title, needs, since, files: [...files, ...installed, ...(BUILT_BESIDE[id] ?? [])] }] as const;
  });
  const filesOf = (suite: Suite): readonly string[] =>
    suite === 'sabotage' ? [`e2e/src/${suite}`, SCENARIOS, ...INSTALLED] : importClosure(root, filesIn(root, `e2e/src/${suite}`));
  return new Map<string, KnownTest>([
    ...scenarios,
    ...SUITES.map((suite) => [suite, { title: SUITE_TITLES[suite], files: filesOf(suite) }] as const),
  ]);
}

/** Whether this is the name of a suite that is recorded as a whole. */
export function isSuite(test: string): test is Suite {
  return SUITES.some((each) => each === test);
}

/** How to run a test, on some backends where they are known, so that its record is fresh again. */
export function commandFor(test: string, backends: readonly string[] = []): string {
  const suite = SUITES.find((each) => each === test);
  const areReal = backends.length > 0 && backends.every(isReal);
  const commands = areReal ? { ...SUITE_COMMANDS, ...COMMANDS_ON_KCP } : SUITE_COMMANDS;
  const command = suite === undefined ? `npm run e2e -- --filter ${test}` : commands[suite];
  const on = backends.length === 0 ? '' : ` --backend ${backends.join(',')}`;
  return `${command}${on} --record FILE && npm run records -- merge FILE`;
}

function filesIn(root: string, folder: string): readonly string[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts')).map((name) => `${folder}/${name}`);
}

function idsIn(source: string): readonly string[] {
  return [...source.matchAll(/\bid: '(S\d+\.\d+)'/g)].map(([, id = '']) => id);
}
