// What a seed is about at this moment: the states that the model knows since all was in force, and the questions that are asked about them.
import type { Answer } from '../https/answer.js';
import type { Caller } from '../https/caller.js';
import { eventually } from '../stage/eventually.js';
import type { Cast } from './cast.js';
import { kindOf } from './manifests.js';
import { expectedUnderFault, expectedWhile, lastingRules, rulesOfAny, type Expectation } from './script/expected.js';
import { judge, verdictOf, type DeleteAnswer, type Judgement, type Verdict } from './script/judge.js';
import { referrersOf } from './script/referenced.js';
import { objectOf, type ObjectKey, type State, type WrittenRule } from './script/state.js';
import { after } from './script/step-kinds.js';
import type { Step } from './script/step.js';
import { shapeOf, type Version } from './script/topology.js';

// What is written is in force about 0.1 s later; a loaded machine takes many times that.
const IN_FORCE_MS = 10_000;

/** How many answers of each kind were judged. */
export type Judged = Record<Verdict, number>;

/** What is counted over all plays of a run. */
export interface Counted {
  readonly judged: Judged;
  readonly steps: Map<Step['kind'], number>;
  /** By the read that was broken, how many requests have met that. */
  readonly faults: Map<string, number>;
}

/** An answer that no waiting makes right. */
export class WrongAnswer extends Error {
  override readonly name = 'WrongAnswer';
}

/** One seed at one moment. */
export class Scene {
  readonly cast: Cast;
  readonly #judged: Judged;
  readonly #faults: Map<string, number>;
  readonly #tell: (line: string) => void;
  /** Since all was in force, the present one last. */
  #states: readonly [State, ...State[]];
  #now: State;
  #isInForce = true;
  /** Where kcp is known to have the configuration: types, by shard, of which a held object was refused since they are guarded. */
  readonly #guardedAt = new Set<string>();
  /** Rules that the webhook may still go by, and until when. */
  #late: { readonly rules: readonly WrittenRule[]; readonly untilMs: number } = { rules: [], untilMs: 0 };

  constructor(
    cast: Cast,
    state: State,
    { judged, faults, tell }: Pick<Counted, 'judged' | 'faults'> & { readonly tell: (line: string) => void },
  ) {
    this.cast = cast;
    this.#states = [state];
    this.#now = state;
    this.#judged = judged;
    this.#faults = faults;
    this.#tell = tell;
  }

  get admin(): Caller {
    return this.cast.world.kcp.admin;
  }

  /** What users have written. */
  get state(): State {
    return this.#now;
  }

  /** Whether dep-ctrl is known to have seen all of it. */
  get isInForce(): boolean {
    return this.#isInForce;
  }

  /** A step is done, and dep-ctrl reads what it changed whenever it is asked. */
  did(step: Step): void {
    this.#now = after(this.#now, step);
    this.#states = this.#isInForce ? [this.#now] : [...this.#states, this.#now];
  }

  /** A step is done of which dep-ctrl learns by watching. */
  changed(step: Step): void {
    this.#isInForce = false;
    this.did(step);
    this.#late = { rules: rulesOfAny(this.#states), untilMs: Infinity };
    const lasting = lastingRules(this.#states).map(({ dependency }) => `${dependency.provider}/${dependency.resource}/`);
    for (const place of this.#guardedAt) if (!lasting.some((type) => place.startsWith(type))) this.#guardedAt.delete(place);
  }

  /** dep-ctrl says that all is written: soon it is in force. */
  written(): void {
    this.#late = { ...this.#late, untilMs: Date.now() + IN_FORCE_MS };
  }

  /** Every object is answered by all that was written. */
  inForce(): void {
    this.#states = [this.#now];
    this.#isInForce = true;
  }

  /** Asks about a delete, or deletes. */
  async ask(key: ObjectKey, version: Version, query: '' | '?dryRun=All'): Promise<DeleteAnswer> {
    return this.read(await this.admin.delete(this.cast.pathOf(key, version) + query));
  }

  /** The part of an answer that is judged; it is counted. */
  read(answer: Answer): DeleteAnswer {
    const read = { status: answer.status, text: answer.text, warning: answer.header('warning') };
    this.#judged[verdictOf(read)] += 1;
    return read;
  }

  /** What must be answered at this moment. */
  expected(key: ObjectKey): Expectation {
    return expectedWhile(this.#states, key);
  }

  /** What must be answered once all is in force. */
  expectedAtLast(key: ObjectKey): Expectation {
    return expectedWhile([this.#now], key);
  }

  /** Judges an answer. What dep-ctrl or kcp may not know yet is waited for. */
  judge(key: ObjectKey, expected: Expectation, answer: DeleteAnswer, isQuiet = true): Judgement {
    const print = (referrer: ObjectKey): string => this.#print(referrer, key);
    const judgement = judge(expected, answer, print, { isQuiet });
    const place = this.#placeOf(key);
    if (judgement.is === 'right' && expected.verdict === 'refused') this.#guardedAt.add(place);
    const mayBeLate = Date.now() <= this.#late.untilMs;
    // kcp goes by a configuration once its cache has it, and does not tell when that is. How long is waited for it, `expects` says.
    const mayBeUnguarded = (mayBeLate || !this.#isInForce) && !this.#guardedAt.has(place);
    if (judgement.is === 'wrong allow' && mayBeUnguarded) return { is: 'not yet', problem: judgement.problem };
    if (!mayBeLate) return judgement;
    const subject = objectOf(this.#now, key);
    if (judgement.is !== 'unexplained refusal' || subject === undefined) return judgement;
    const because = referrersOf(subject, this.#now.objects, this.#late.rules);
    const goesByOldRules =
      judge({ verdict: 'either', why: 'rules have changed', because }, answer, print, { isQuiet: false }).is === 'right';
    return goesByOldRules ? { is: 'not yet', problem: judgement.problem } : judgement;
  }

  /** Waits until a dry run is answered as it must be once all is in force. */
  async expects(key: ObjectKey, version: Version = shapeOf(key.type).served[0]): Promise<void> {
    const path = this.cast.pathOf(key, version);
    const wrong = await eventually(`a delete of ${path}`, async () => {
      const judgement = this.judge(key, this.expectedAtLast(key), await this.ask(key, version, '?dryRun=All'));
      if (judgement.is === 'right') return undefined;
      if (judgement.is === 'not yet') throw new Error(judgement.problem);
      return new WrongAnswer(`${judgement.is}: a delete of ${path} ${judgement.problem}`);
    });
    if (wrong !== undefined) throw wrong;
  }

  /** Asks once: nobody may let go of what is held the whole time, nor name who does not refer to it. `broken`: less can be told, for that reason. */
  async neverWrong(key: ObjectKey, broken?: string): Promise<void> {
    const version = shapeOf(key.type).served.at(-1) ?? 'v1';
    const expected = broken === undefined ? this.expected(key) : expectedUnderFault(this.#states, key, broken);
    const judgement = this.judge(key, expected, await this.ask(key, version, '?dryRun=All'), false);
    if (judgement.is === 'right' || judgement.is === 'not yet') return;
    throw new WrongAnswer(`${judgement.is}: a delete of ${this.cast.pathOf(key, version)} ${judgement.problem}`);
  }

  /** A read was broken, and so many requests have met that. */
  broke(read: string, hits: number): void {
    this.#faults.set(read, (this.#faults.get(read) ?? 0) + hits);
  }

  /** For the story of this seed. */
  tell(line: string): void {
    this.#tell(line);
  }

  /** A referrer as a refusal about an object names it. */
  #print({ type, namespace, name }: ObjectKey, subject: ObjectKey): string {
    const isElsewhere = namespace !== undefined && namespace !== subject.namespace;
    return `${kindOf(type)}/${isElsewhere ? `${this.cast.nameOf(namespace)}/` : ''}${this.cast.nameOf(name)}`;
  }

  #placeOf({ consumer, type }: ObjectKey): string {
    return `${type.provider}/${type.resource}/${this.cast.consumer(consumer).shard}`;
  }
}
