import { ok } from 'node:assert/strict';
import { eventually } from '../stage/eventually.js';
import type { World } from './world.js';

/** One client that asks for a deletion without a pause, until it is told to end, or the scenario ends without it. */
export class SteadyDeletes {
  readonly #answers: string[] = [];
  readonly #asked: Promise<void>;
  #isOver = false;

  /** `object` may end in `?dryRun=All`. */
  constructor(world: World, object: string) {
    this.#asked = this.#ask(world, object);
    this.#asked.catch(() => undefined); // heard at the end
  }

  /** Waits until so many more were refused: what was asked before the call is answered by the second. */
  async more(count: number): Promise<void> {
    const enough = this.#answers.length + count;
    const refused = eventually(`${count} more deletions are refused`, async () => {
      await Promise.resolve();
      ok(this.#answers.length >= enough);
    });
    await Promise.race([refused, this.#asked]); // where one is allowed, that is said at once
  }

  /** What each was refused with. Rejects where one was allowed. */
  async end(): Promise<readonly string[]> {
    this.#isOver = true;
    await this.#asked;
    return this.#answers;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await this.#asked.catch(() => undefined); // whoever did not call end() has failed already
  }

  async #ask({ kcp }: World, object: string): Promise<void> {
    while (!this.#isOver) {
      const { status, text, body } = await kcp.admin.delete(object);
      ok(status >= 400, `after ${this.#answers.length} refusals the deletion was allowed: ${text}`);
      this.#answers.push(body.message ?? '');
    }
  }
}
