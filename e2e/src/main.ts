import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { againstCases, openProgram } from './against/against-cases.js';
import { BACKEND_NAMES, isReal, SCENARIO_BACKEND_NAMES, type Backend, type BackendName } from './backends/backend.js';
import { parseBackends, startBackend } from './backends/catalogue.js';
import { STANDS_FOR } from './backends/embedded.js';
import { hold, reachHeld } from './backends/held.js';
import { kcpBuild } from './backends/programs.js';
import { ALL_CASES } from './conformance/all-cases.js';
import { ALL_LIBRARY_CASES } from './libraries/all-library-cases.js';
import { openLibrary } from './libraries/open-library.js';
import { Lanes, modelCases } from './model/model-cases.js';
import { stampOf } from './records/checkout.js';
import type { Suite } from './records/known-tests.js';
import { runSoak } from './soak/run-soak.js';
import { Stage } from './stage/stage.js';
import type { Case } from './running/case.js';
import type { BackendResult, Outcome } from './running/outcome.js';
import { addRecords, caseRecords, suiteRecord } from './running/record.js';
import { details, isGood, summary, table } from './running/report.js';
import { runOnBackend, type Opened } from './running/run-on-backend.js';
import { ALL_SABOTEURS } from './sabotage/all-saboteurs.js';
import { outcomeOf } from './sabotage/judge-trial.js';
import { runSabotage } from './sabotage/run-sabotage.js';
import { trialsOf } from './sabotage/saboteur.js';
import { ALL_SCENARIOS } from './scenarios/all-scenarios.js';
import { World } from './scenarios/world.js';

const USAGE = `usage: node e2e/run.mjs conformance|scenarios|sabotage|libraries|model|soak|against|hold [options]
  --backend NAMES   embedded, embedded-2, kcp, kcp-2, for scenarios also containers and cluster (default: all that this machine can run)
                    sabotage: embedded (default), or cluster for the scenarios of the chart
  --filter TEXT     only cases of that id, as S7.1, or of all that begin with it, as S7 or S; longer: with it in the title (several: by commas)
                    sabotage: those of a scenario, or with it in the name of the saboteur
  --workers N       cases at a time (default 6; scenarios on a real kcp: one more than there are cores, on two shards as many; sabotage: 2, of charts 1)
  --seeds N         model: play the seeds 1 to N (default 20)
  --seed N          model: play this one
  --steps LIST      model: play only these steps of the seed (3,7-9), as a failing seed says them
  --replay FILE     model: play this script, as a failing seed wrote it
  --shrink SECONDS  model: look so long for the few steps of a failing seed that fail by themselves (default 60; 0: not at all)
  --minutes N       soak: for so long (default 10)
  --save DIR        soak: write soak.json and soak.svg there
  --record FILE     note there what ran when, on which commit and which kcp; npm run records -- merge FILE adds it to docs/runs.jsonl
  --failures FILE   also write the failures there, as text
  --optional        all is well where this machine lacks every one of the backends; sabotage: or kubectl
  --keep            leave work dirs and logs behind
  --held            use backends that "hold" keeps running in another terminal`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    backend: { type: 'string' },
    filter: { type: 'string', default: '' },
    workers: { type: 'string' },
    seeds: { type: 'string', default: '20' },
    seed: { type: 'string' },
    steps: { type: 'string' },
    replay: { type: 'string' },
    shrink: { type: 'string', default: '60' },
    record: { type: 'string' },
    minutes: { type: 'string', default: '10' },
    save: { type: 'string' },
    failures: { type: 'string' },
    optional: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    held: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const say = (text: string): void => void process.stdout.write(`${text}\n`);
// Fewer would replace the record of a run that shows more.
const LEAST_SEEDS = { embedded: 500, kcp: 100 } as const;
// So many meet a broken read, or the faults are none.
const SEEDS_WITH_FAULTS = 20;
// Taken now: whoever commits while this runs changes nothing about what runs.
const stamp = stampOf(process.cwd(), new Date());

// `D` is a letter of ids, `D24` a group of them, `D24.1` one; anything longer is looked for in titles.
function matches({ id, title }: { readonly id: string; readonly title: string }, text: string): boolean {
  if (!/^[a-z]\d*(\.\d+)?$/.test(text)) return title.toLowerCase().includes(text);
  return `${id.toLowerCase()}.`.startsWith(/\d$/.test(text) ? `${text}.` : text);
}

/** Notes what ran, where a file for that is given: one case as it ends, or a suite as a whole. */
function recorder(suite: Suite | undefined): (result: BackendResult, extent?: string) => void {
  const file = values.record;
  if (file === undefined) return () => undefined;
  if (stamp === undefined) throw new Error('--record: git does not say which commit this is');
  const run = { stamp, buildOf: (backend: string) => (isReal(backend) ? kcpBuild(process.env) : undefined) };
  return (result, extent) => {
    const isWhole = values.filter === '' && values.seed === undefined && values.replay === undefined;
    const least = suite === 'model' ? (isReal(result.backend) ? LEAST_SEEDS.kcp : LEAST_SEEDS.embedded) : 0;
    if (suite === undefined) {
      addRecords(file, caseRecords(result, run));
    } else if (isWhole && result.outcomes.size >= least) {
      const record = suiteRecord(suite, result, { ...run, ...(extent === undefined ? {} : { extent }) });
      addRecords(file, record === undefined ? [] : [record]);
    } else {
      say(`not recorded: this was only a part of ${suite}`);
    }
  };
}

async function runSuite<Context>(
  all: readonly Case<Context>[],
  open: (backend: Backend) => Promise<Opened<Context>>,
  {
    backends = BACKEND_NAMES,
    suite,
    extent,
  }: { readonly backends?: readonly BackendName[]; readonly suite?: Suite; readonly extent?: string },
): Promise<void> {
  const record = recorder(suite);
  const wanted = values.filter.toLowerCase().split(',');
  const cases = all.filter((one) => wanted.some((text) => matches(one, text)));
  if (cases.length === 0) throw new Error(`--filter: no case has "${values.filter}" in its id or title`);
  const results: BackendResult[] = [];
  for (const name of values.backend === undefined ? backends : parseBackends(values.backend)) {
    const start = (): ReturnType<typeof startBackend> => (values.held ? reachHeld(name) : startBackend(name, process.env));
    const ended = suite === undefined ? { ended: record } : {};
    const atATime = suite === undefined ? scenariosAtATime(name) : undefined;
    const result = await runOnBackend(cases, { name, start, open, workers: workers(atATime), keep: values.keep, say, ...ended });
    if (suite !== undefined) record(result, extent);
    results.push(result);
  }
  say(`\n${table(cases, results)}\n\n${details(cases, results)}\n\n${summary(results)}`);
  if (values.failures !== undefined) writeFileSync(values.failures, `${details(cases, results)}\n\n${summary(results)}\n`);
  process.exitCode = isGood(results, values) ? 0 : 1;
}

/** Scenarios with programs that do something wrong: each has to notice. Those of the chart are apart, as few machines have what they need. */
async function sabotage(): Promise<boolean> {
  const wanted = values.filter.toLowerCase().split(',');
  const { backend = 'embedded' } = values;
  if (backend !== 'embedded' && backend !== 'cluster')
    throw new Error(`--backend: sabotage runs on embedded or cluster, not on "${backend}"`);
  const trials = trialsOf(ALL_SABOTEURS, ALL_SCENARIOS).filter(
    ({ scenario, saboteur }) =>
      (scenario.needs?.includes('cluster') === true) === (backend === 'cluster') &&
      wanted.some((text) => matches(scenario, text) || (text !== '' && saboteur.name.includes(text))),
  );
  if (trials.length === 0) throw new Error(`--filter: no scenario and no saboteur has "${values.filter}" in its name`);
  const start = (name: BackendName): ReturnType<typeof startBackend> => startBackend(name, process.env);
  const began = Date.now();
  const folder = join(import.meta.dirname, 'sabotage');
  const verdicts = await runSabotage(trials, { start, folder, workers: workers(backend === 'cluster' ? 1 : 2), keep: values.keep, say });
  const outcomes = new Map([...verdicts].map(([trial, verdict]) => [trial, outcomeOf(verdict)]));
  const seconds = (Date.now() - began) / 1_000;
  recorder('sabotage')({ backend, version: STANDS_FOR, seconds, outcomes }, `${outcomes.size} trials`);
  const isNoticed = ({ state }: Outcome): boolean => state === 'passed' || (values.optional && state === 'skipped');
  return outcomes.size > 0 && [...outcomes.values()].every(isNoticed);
}

/** How many keep a real kcp busy: on two cores six were all late, and three took less time in all. A chart has four Pods beside it, and each of two shards the other. */
function scenariosAtATime(name: BackendName): number | undefined {
  if (name === 'cluster') return 1;
  if (name === 'kcp-2') return availableParallelism();
  return isReal(name) ? availableParallelism() + 1 : undefined;
}

function workers(unlessGiven = 6): number {
  return Number(values.workers ?? unlessGiven);
}

try {
  switch (values.help ? 'help' : positionals[0]) {
    case 'help':
      say(USAGE);
      break;
    case 'conformance':
      await runSuite(
        ALL_CASES,
        async (backend) => {
          const stage = await Stage.open(backend);
          return { context: stage, close: () => stage.close() };
        },
        { suite: 'conformance' },
      );
      break;
    case 'scenarios':
      await runSuite(
        ALL_SCENARIOS,
        async (backend) => {
          const world = await World.open(backend);
          return { context: world, close: () => world.close(), figures: () => world.figures };
        },
        { backends: SCENARIO_BACKEND_NAMES },
      );
      break;
    case 'sabotage':
      process.exitCode = (await sabotage()) ? 0 : 1;
      break;
    case 'libraries':
      await runSuite(ALL_LIBRARY_CASES, (backend) => openLibrary(backend, say), { suite: 'libraries' });
      break;
    case 'model': {
      const cases = modelCases(values);
      await runSuite(
        cases,
        async (backend) => {
          const count = Math.min(workers(), cases.length);
          const lanes = await Lanes.open(backend, { count, shrinkMs: Number(values.shrink) * 1_000 });
          return {
            context: lanes,
            close: async () => {
              say(`judged: ${JSON.stringify(lanes.counted.judged)}`);
              say(`steps: ${JSON.stringify(Object.fromEntries(lanes.counted.steps))}`);
              say(`requests that met a broken read: ${JSON.stringify(Object.fromEntries(lanes.counted.faults))}`);
              await lanes.close();
              const met = [...lanes.counted.faults.values()].reduce((sum, hits) => sum + hits, 0);
              if (met === 0 && cases.length >= SEEDS_WITH_FAULTS)
                throw new Error('no request met a broken read: the faults of the model are none');
            },
          };
        },
        { suite: 'model', extent: `seeds 1 to ${values.seeds}` },
      );
      break;
    }
    case 'soak':
      process.exitCode = await runSoak(parseBackends(values.backend ?? 'embedded'), {
        ...{ minutes: Number(values.minutes), say, stamp },
        ...(values.save === undefined ? {} : { save: values.save }),
        record: recorder('soak'),
      });
      break;
    case 'against':
      await runSuite(againstCases, openProgram, { suite: 'against' });
      break;
    case 'hold':
      await hold(
        values.backend === undefined ? BACKEND_NAMES : parseBackends(values.backend),
        (name) => startBackend(name, process.env),
        say,
      );
      break;
    default:
      process.stderr.write(`${USAGE}\n`);
      process.exitCode = 2;
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
