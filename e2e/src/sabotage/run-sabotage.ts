// Runs scenarios with programs and charts that do one thing wrong each. A scenario that passes with its saboteur shows nothing of what it says.
import type { Backend, BackendName, Missing } from '../backends/backend.js';
import { runOnBackend } from '../running/run-on-backend.js';
import type { Scenario } from '../scenarios/scenario.js';
import { World } from '../scenarios/world.js';
import { patience } from '../stage/eventually.js';
import { buildSaboteur, type Sabotaged } from './build-saboteur.js';
import { judgeTrial, verdictLine, type Verdict } from './judge-trial.js';
import type { Trial } from './saboteur.js';

// What holds comes within seconds here, as little else runs; what fails by never coming must not cost a minute.
const PATIENCE_MS = 40_000;
const TIMEOUT_MS = 300_000;

/** How to run trials. */
export interface SabotageRun {
  readonly start: (name: BackendName) => Promise<Backend | Missing>;
  /** Where the programs are built. */
  readonly folder: string;
  readonly workers: number;
  readonly keep: boolean;
  readonly say: (text: string) => void;
}

/** Runs the trials, each on a kcp of its own; answers with what each showed, by scenario and saboteur. */
export async function runSabotage(trials: readonly Trial[], run: SabotageRun): Promise<ReadonlyMap<string, Verdict>> {
  // A scenario that fails leaves waits behind, which fail with its kcp.
  process.on('unhandledRejection', () => undefined);
  const built = new Map<string, Promise<Sabotaged>>();
  const verdicts = new Map<string, Verdict>();
  const running = new Set<Trial>();
  // There is one patience: that of the trial which has most.
  const setPatience = (): void =>
    void (patience.mostMs = Math.max(...[...running].map(({ saboteur }) => saboteur.patienceMs ?? PATIENCE_MS)));
  const waiting = trials.values();
  const lane = async (): Promise<void> => {
    for (const trial of waiting) {
      const sabotaged = built.get(trial.saboteur.name) ?? buildSaboteur(trial.saboteur, run.folder);
      built.set(trial.saboteur.name, sabotaged);
      running.add(trial);
      setPatience();
      const first = await tried(trial, sabotaged, run);
      // In what way a scenario fails may depend on the moment.
      const verdict = first.state === 'failed otherwise' ? await tried(trial, sabotaged, run) : first;
      running.delete(trial);
      verdicts.set(`${trial.scenario.id} ${trial.saboteur.name}`, verdict);
      run.say(verdictLine(trial, verdict));
    }
  };
  await Promise.all(Array.from({ length: run.workers }, lane));
  const all = [...verdicts.values()];
  run.say(STATES.map((state) => `${all.filter((verdict) => verdict.state === state).length} ${state}`).join(', '));
  return verdicts;
}

const STATES = ['noticed', 'not noticed', 'failed otherwise', 'not run'] as const satisfies readonly Verdict['state'][];

async function tried(trial: Trial, building: Promise<Sabotaged>, { start, keep }: SabotageRun): Promise<Verdict> {
  const { scenario } = trial;
  let sabotaged: Sabotaged;
  try {
    sabotaged = await building;
  } catch (error) {
    return { state: 'failed otherwise', text: error instanceof Error ? error.message : String(error) };
  }
  const name = backendOf(scenario);
  const result = await runOnBackend([scenario], {
    name,
    start: () => start(name),
    open: async (backend) => {
      const world = await World.open(backend, sabotaged);
      return { context: world, close: () => world.close() };
    },
    workers: 1,
    timeoutMs: TIMEOUT_MS,
    keep,
    areToFail: true,
    say: () => undefined,
  });
  return judgeTrial(trial, result);
}

function backendOf({ needs = [] }: Scenario): BackendName {
  if (needs.includes('cluster')) return 'cluster';
  return needs.includes('two-shards') ? 'embedded-2' : 'embedded';
}
