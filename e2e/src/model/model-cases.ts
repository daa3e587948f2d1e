// Each seed is a case; lanes of workspaces, each with an installation of its own, are lent to one seed at a time.
import { readFileSync } from 'node:fs';
import type { Backend } from '../backends/backend.js';
import type { Case } from '../running/case.js';
import { World } from '../scenarios/world.js';
import { Cast } from './cast.js';
import { Chance } from './chance.js';
import { describeFailing } from './failing.js';
import { play, type Played } from './play.js';
import type { Counted } from './scene.js';
import { drawScript, parseScript, pickSteps } from './script/script.js';
import type { Script } from './script/step.js';

interface Lane {
  readonly world: World;
  readonly cast: Cast;
}

/** The lanes of a run. */
export class Lanes {
  readonly backend: Backend;
  /** How long the steps of a seed that fails are looked for. */
  readonly shrinkMs: number;
  readonly #worlds = new Set<World>();
  readonly #free: Lane[] = [];
  /** What all seeds did and were answered. */
  readonly counted: Counted = {
    judged: { allowed: 0, 'allowed with a warning': 0, refused: 0, 'no answer': 0 },
    steps: new Map(),
    faults: new Map(),
  };

  private constructor(backend: Backend, shrinkMs: number) {
    this.backend = backend;
    this.shrinkMs = shrinkMs;
  }

  /** Makes as many as there are seeds at a time. */
  static async open(backend: Backend, { count, shrinkMs }: { readonly count: number; readonly shrinkMs: number }): Promise<Lanes> {
    const lanes = new Lanes(backend, shrinkMs);
    try {
      await Promise.all(Array.from({ length: count }, async () => void lanes.#free.push(await lanes.#make())));
      return lanes;
    } catch (error) {
      // Else their roles and connections would keep this process.
      await lanes.close();
      throw error;
    }
  }

  /** Plays a script in a lane. There are as many as there are workers. Throws what is to be told where it fails. */
  async play(script: Script, seed: number | undefined): Promise<void> {
    const free = this.#free.pop();
    if (free === undefined) throw new Error('every lane is taken');
    let lane = free;
    const again = async (part: Script): Promise<Played> => {
      const played = await play(lane.cast, part, this.counted);
      if (played.failure !== undefined) lane = await this.#mended(lane);
      return played;
    };
    try {
      const played = await again(script);
      if (played.failure === undefined) return;
      throw new Error(await describeFailing({ script, played, seed, backend: this.backend, withinMs: this.shrinkMs, again }));
    } finally {
      this.#free.push(lane);
    }
  }

  /** Ends every installation. */
  async close(): Promise<void> {
    await Promise.all([...this.#worlds].map((world) => world.close()));
  }

  /** The same lane with other consumers; or, where even that fails, another one. */
  async #mended(lane: Lane): Promise<Lane> {
    try {
      await lane.cast.mend();
      return lane;
    } catch {
      this.#worlds.delete(lane.world);
      await lane.world.close();
      return this.#make();
    }
  }

  async #make(): Promise<Lane> {
    const world = await World.open(this.backend, { breakable: true });
    this.#worlds.add(world);
    return { world, cast: await Cast.assemble(world) };
  }
}

/** What a run was asked for. */
export interface ModelWish {
  readonly seeds: string;
  readonly seed?: string;
  readonly steps?: string;
  readonly replay?: string;
}

/** The scripts as cases: of a file, of the seed that is named, or of so many from a beginning that is told, so that each can be repeated. */
export function modelCases({ seeds, seed, steps, replay }: ModelWish): readonly Case<Lanes>[] {
  if (replay !== undefined) return [caseOf('M0', `the script ${replay}`, () => parseScript(readFileSync(replay, 'utf8')), undefined)];
  const numbers = seed === undefined ? Array.from({ length: Number(seeds) }, (_, at) => at + 1) : [Number(seed)];
  return numbers.map((number) => {
    const draw = (): Script => drawScript(new Chance(number));
    const script = steps === undefined ? draw : () => pickSteps(draw(), steps);
    return caseOf(`M${number}`, `whatever seed ${number} does`, script, steps === undefined ? number : undefined);
  });
}

function caseOf(id: string, what: string, script: () => Script, seed: number | undefined): Case<Lanes> {
  return { id, title: `${what} is answered as the model says`, run: (lanes) => lanes.play(script(), seed) };
}
