// Each seed is a case; lanes of workspaces, each with an installation of its own, are lent to one seed at a time.
import type { Backend } from '../backends/backend.js';
import type { Case } from '../running/case.js';
import { World } from '../scenarios/world.js';
import { Cast } from './cast.js';
import { Chance } from './chance.js';
import { Play, type Judged } from './play.js';

/** The lanes of a run. */
export class Lanes {
  readonly #worlds: readonly World[];
  readonly #free: Cast[];
  /** What all seeds were answered. */
  readonly judged: Judged = { allowed: 0, 'allowed with a warning': 0, refused: 0, 'no answer': 0 };

  private constructor(worlds: readonly World[], casts: readonly Cast[]) {
    this.#worlds = worlds;
    this.#free = [...casts];
  }

  /** Makes as many as there are seeds at a time. */
  static async open(backend: Backend, count: number): Promise<Lanes> {
    const worlds = await Promise.all(Array.from({ length: count }, () => World.open(backend)));
    try {
      return new Lanes(worlds, await Promise.all(worlds.map((world) => Cast.assemble(world))));
    } catch (error) {
      // Else their roles and connections would keep this process.
      await Promise.all(worlds.map((world) => world.close()));
      throw error;
    }
  }

  /** Lends a lane. There are as many as there are workers. */
  async lend(play: (cast: Cast) => Promise<void>): Promise<void> {
    const cast = this.#free.pop();
    if (cast === undefined) throw new Error('every lane is taken');
    try {
      await play(cast);
    } finally {
      this.#free.push(cast);
    }
  }

  /** Ends every installation. */
  async close(): Promise<void> {
    await Promise.all(this.#worlds.map((world) => world.close()));
  }
}

/** The seeds as cases. */
export function modelCases(seeds: readonly number[]): readonly Case<Lanes>[] {
  return seeds.map((seed) => ({
    id: `M${seed}`,
    title: `whatever seed ${seed} does is answered as the model says`,
    run: (lanes) => lanes.lend((cast) => new Play(cast, { chance: new Chance(seed), seed, judged: lanes.judged }).run()),
  }));
}

/** The seeds that a run was asked for: the one that is named, or so many from a beginning that is told, so that each can be repeated. */
export function seedsOf({ seed, seeds }: { readonly seed?: string; readonly seeds: string }): readonly number[] {
  if (seed !== undefined) return [Number(seed)];
  return Array.from({ length: Number(seeds) }, (_, at) => at + 1);
}
