// One seed: rules and objects that it invents, then deletes, changes, rule edits and faults in random order, each judged by the model.
// A hostile tenant writes beside all of it, and changes nothing. An object that is referred to under a rule in force must never be deleted, whatever breaks; one without references must go once all is quiet.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from '../https/answer.js';
import { at } from '../https/kube-body.js';
import { eventually } from '../stage/eventually.js';
import type { Cast } from './cast.js';
import { Chance } from './chance.js';
import { HostileTenant } from './hostile-tenant.js';
import { inventObject, inventReferences, inventRule, inventTopic, namespacesOf, type Topic } from './inventions.js';
import { breakSomething } from './model-faults.js';
import { referrersOf, type ModelObject, type ModelRule } from './referenced.js';

const OBJECTS = 10;
const RULES_AT_FIRST = [2, 3, 4];
const STEPS = 10;
// What the hostile tenant does while the rules are written, beside each step, and at last while all else is quiet.
const HOSTILE_AT_FIRST = 4;
const HOSTILE_A_STEP = 2;
const HOSTILE_AT_LAST = 4;
// A configuration that is written is in force about 0.1 s later; a loaded machine takes many times that.
const IN_FORCE_MS = 10_000;
// Seeds are small: no other part makes the same choices.
const HOSTILE_SEEDS = 1_000_000;
const SKIP = { metadata: { annotations: { 'dependencies.opendefense.cloud/skip-protection': 'true' } } };

type Verdict = 'allowed' | 'allowed with a warning' | 'refused' | 'no answer';

/** How many answers of each kind were judged. */
export type Judged = Record<Verdict, number>;

/** Something was deleted, or would have been, that was referred to. */
export class WrongAllow extends Error {
  override readonly name = 'WrongAllow';
}

/** One seed as it is played. */
export class Play {
  readonly #cast: Cast;
  readonly #chance: Chance;
  readonly #seed: number;
  readonly #objects: ModelObject[] = [];
  readonly #rules = new Map<string, ModelRule>();
  readonly #story: string[] = [];
  readonly #topic: Topic;
  readonly #judged: Judged;
  readonly #hostile: HostileTenant;

  /** `judged` counts the answers that were compared with the model. */
  constructor(cast: Cast, { chance, seed, judged }: { readonly chance: Chance; readonly seed: number; readonly judged: Judged }) {
    this.#cast = cast;
    this.#chance = chance;
    this.#seed = seed;
    this.#judged = judged;
    this.#topic = inventTopic(chance, cast);
    // Choices of its own: what it does is repeated exactly, however the other steps take turns with it.
    const known = cast.known(() => [`r0-${seed}`, `r1-${seed}`]);
    const own = { chance: new Chance(seed + HOSTILE_SEEDS), seed, known, tell: (line: string) => this.#tell(line) };
    this.#hostile = new HostileTenant(cast.hostile, own);
  }

  /** Plays it to its end, and cleans up. Rejects with what went wrong and how it came to that. */
  async run(): Promise<void> {
    try {
      await Promise.all([this.#prepare(), this.#hostile.act(HOSTILE_AT_FIRST)]);
      for (let step = 0; step < STEPS; step += 1) await Promise.all([this.#step(), this.#hostile.act(HOSTILE_A_STEP)]);
      await this.#settled([...this.#rules.values()]);
      await this.#unmoved();
    } catch (error) {
      const what = error instanceof Error ? error.message : String(error);
      throw new Error(`seed ${this.#seed}: ${what}\n  ${this.#story.join('\n  ')}`, { cause: error });
    } finally {
      await this.#cleanUp();
    }
  }

  /** While only the hostile tenant writes, every question gets the answer of the model at the first asking. */
  async #unmoved(): Promise<void> {
    for (let n = 0; n < HOSTILE_AT_LAST; n += 1) {
      const asked = [...this.#objects].map(async (object) => ({ object, verdict: await this.#ask(object, '?dryRun=All') }));
      await this.#hostile.act(1);
      for (const { object, verdict } of await Promise.all(asked)) {
        if (verdict !== this.#verdict(object)) throw new Error(`${this.#cast.pathOf(object)} is ${verdict}, not ${this.#verdict(object)}`);
      }
    }
  }

  async #prepare(): Promise<void> {
    const { admin } = this.#cast.world.kcp;
    const namespaces = this.#cast.consumers.flatMap((consumer) => namespacesOf(this.#seed).map((name) => ({ consumer, name })));
    await Promise.all(
      namespaces.map(
        async ({ consumer, name }) => void (await admin.post(`${consumer.at}/api/v1/namespaces`, { metadata: { name } })).expect(201),
      ),
    );
    for (let n = 0; n < OBJECTS; n += 1) await this.#create();
    const rules = this.#chance.pick(RULES_AT_FIRST);
    for (let n = 0; n < rules; n += 1) await this.#addRule(`r${n}-${this.#seed}`);
    await this.#settled([]);
  }

  async #step(): Promise<void> {
    const share = this.#chance.below(100);
    if (share < 40) await this.#delete();
    else if (share < 58) await this.#create();
    else if (share < 72) await this.#repoint();
    else if (share < 85) await this.#changeRules();
    else await this.#underFault();
  }

  async #create(): Promise<void> {
    const object = inventObject(this.#chance, this.#cast, { seed: this.#seed, topic: this.#topic });
    if (this.#objects.some((other) => this.#cast.pathOf(other) === this.#cast.pathOf(object))) return;
    (await this.#cast.world.kcp.admin.post(this.#cast.collectionOf(object), this.#cast.manifest(object))).expect(201);
    this.#objects.push(object);
    this.#tell(`create ${this.#cast.pathOf(object)} ${JSON.stringify(object.references)}`);
  }

  /** Deletes for good, and believes the answer only if the model does. */
  async #delete(): Promise<void> {
    const object = this.#any();
    if (object === undefined) return;
    this.#tell(`delete ${this.#cast.pathOf(object)}, held by ${this.#holders(object).length}`);
    await this.#expect(object);
    if (this.#holders(object).length > 0) {
      if (isAllowed(await this.#ask(object, ''))) throw new WrongAllow(`${this.#cast.pathOf(object)} was deleted`);
      return;
    }
    await eventually('it goes', async () => {
      if (!isAllowed(await this.#ask(object, ''))) throw new Error(`${this.#cast.pathOf(object)} is refused`);
    });
    this.#objects.splice(this.#objects.indexOf(object), 1);
  }

  async #repoint(): Promise<void> {
    const object = this.#any();
    if (object === undefined) return;
    const changed = { ...object, references: inventReferences(this.#chance, this.#seed) };
    const { spec } = this.#cast.manifest(changed);
    const body = [{ op: 'replace', path: '/spec', value: spec }];
    (await this.#cast.world.kcp.admin.patch('json', this.#cast.pathOf(object), body)).expect(200);
    this.#objects[this.#objects.indexOf(object)] = changed;
    this.#tell(`repoint ${this.#cast.pathOf(object)} ${JSON.stringify(changed.references)}`);
    for (const other of [this.#any(), this.#any()]) if (other !== undefined) await this.#expect(other);
  }

  /** Adds, edits or removes a rule. What both the old and the new rules hold is held the whole time. */
  async #changeRules(): Promise<void> {
    const before = [...this.#rules.values()];
    const [name] = this.#chance.percent(60) ? [...this.#rules.keys()] : [];
    if (name === undefined) await this.#addRule(`s${this.#story.length}-${this.#seed}`);
    else if (this.#chance.percent(50)) await this.#removeRule(name);
    else {
      await this.#editRule(name);
    }
    await this.#settled(before);
  }

  async #underFault(): Promise<void> {
    const fault = await breakSomething(this.#cast, this.#chance);
    this.#tell(fault.what);
    try {
      for (let n = 0; n < 3; n += 1) {
        const object = this.#any();
        if (object !== undefined) await this.#neverAllowedWhileHeld(object, [...this.#rules.values()]);
      }
    } finally {
      await fault.mend();
    }
    for (const object of [this.#any(), this.#any()]) if (object !== undefined) await this.#expect(object);
  }

  async #addRule(name: string): Promise<void> {
    const rule = inventRule(this.#chance, this.#cast, this.#topic);
    const { admin } = this.#cast.world.kcp;
    await eventually('the rule is admitted', async () => {
      (await admin.post(this.#cast.rulesOf(rule.dependent), this.#cast.ruleManifest(name, rule))).expect(201);
    });
    this.#rules.set(name, rule);
    this.#tell(`rule ${name} ${JSON.stringify(rule)}`);
  }

  async #editRule(name: string): Promise<void> {
    const old = this.#rules.get(name);
    if (old === undefined) return;
    const rule = { ...inventRule(this.#chance, this.#cast, this.#topic), dependent: old.dependent };
    const { spec } = this.#cast.ruleManifest(name, rule);
    const path = `${this.#cast.rulesOf(rule.dependent)}/${name}`;
    (await this.#cast.world.kcp.admin.patch('json', path, [{ op: 'replace', path: '/spec', value: spec }])).expect(200);
    this.#rules.set(name, rule);
    this.#tell(`edit ${name} ${JSON.stringify(rule)}`);
  }

  async #removeRule(name: string): Promise<void> {
    const rule = this.#rules.get(name);
    if (rule === undefined) return;
    (await this.#cast.world.kcp.admin.delete(`${this.#cast.rulesOf(rule.dependent)}/${name}`)).expect(200);
    this.#rules.delete(name);
    this.#tell(`remove ${name}`);
  }

  /** Waits until the rules are in force and every object is answered as the model says. */
  async #settled(before: readonly ModelRule[]): Promise<void> {
    const written = Promise.all([...this.#rules].map(([name, rule]) => this.#written(name, rule)));
    const over = new AbortController();
    const watching = (async () => {
      // In turn, not by chance: how often this goes round is the machine's affair, and what comes next must be the seed's alone.
      for (let turn = 0; !over.signal.aborted; turn += 1) {
        const object = this.#objects[turn % this.#objects.length];
        if (object !== undefined) await this.#neverAllowedWhileHeld(object, before);
        await sleep(20);
      }
    })();
    try {
      await written;
      await Promise.all([...this.#objects].map((object) => this.#heldInForce(object)));
    } finally {
      over.abort();
      await watching;
    }
    await Promise.all([...this.#objects].map((object) => this.#expect(object)));
  }

  /** Waits until the controller has said about this generation of a rule that it is written. */
  async #written(name: string, rule: ModelRule): Promise<void> {
    await eventually(`rule ${name} is written`, async () => {
      const { body } = (await this.#cast.world.kcp.admin.get(`${this.#cast.rulesOf(rule.dependent)}/${name}`)).expect(200);
      const isCurrent = at(body, 'status', 'observedGeneration') === body.metadata.generation;
      const states = (at(body, 'status', 'targets') ?? []) as { readonly state?: string }[];
      const isInstalled = states.length > 0 && states.every(({ state }) => state === 'Installed');
      if (!isCurrent || !isInstalled) throw new Error(JSON.stringify(body.status ?? null));
    });
  }

  /** Waits until kcp lets go of an object no more where a rule that is written holds it. */
  async #heldInForce(object: ModelObject): Promise<void> {
    if (this.#holders(object).length === 0) return;
    const deadline = Date.now() + IN_FORCE_MS;
    while (isAllowed(await this.#ask(object, '?dryRun=All'))) {
      if (Date.now() > deadline) throw new WrongAllow(`a delete of ${this.#cast.pathOf(object)} was still allowed after ${IN_FORCE_MS} ms`);
      await sleep(20);
    }
  }

  /** Waits for the answer of the model; an allow of what is held is not waited out. */
  async #expect(object: ModelObject): Promise<void> {
    const expected = this.#verdict(object);
    const path = this.#cast.pathOf(object);
    const wrong = await eventually(`${path} is ${expected}`, async () => {
      const verdict = await this.#ask(object, '?dryRun=All');
      if (expected === 'refused' && isAllowed(verdict)) return new WrongAllow(`a delete of ${path} was allowed`);
      if (verdict !== expected) throw new Error(`it is ${verdict}`);
      return undefined;
    });
    if (wrong !== undefined) throw wrong;
  }

  async #neverAllowedWhileHeld(object: ModelObject, before: readonly ModelRule[]): Promise<void> {
    const isHeldBefore = referrersOf(object, this.#objects, before).length > 0;
    if (!isHeldBefore || this.#holders(object).length === 0) return;
    if (isAllowed(await this.#ask(object, '?dryRun=All'))) throw new WrongAllow(`a delete of ${this.#cast.pathOf(object)} was allowed`);
  }

  async #ask(object: ModelObject, query: string): Promise<Verdict> {
    const verdict = verdictOf(await this.#cast.world.kcp.admin.delete(this.#cast.pathOf(object) + query));
    this.#judged[verdict] += 1;
    return verdict;
  }

  /** What the model says. */
  #verdict(object: ModelObject): Verdict {
    if (this.#holders(object).length > 0) return 'refused';
    const warners = referrersOf(object, this.#objects, [...this.#rules.values()], 'Warn');
    return warners.length > 0 ? 'allowed with a warning' : 'allowed';
  }

  #holders(object: ModelObject): readonly ModelObject[] {
    return referrersOf(object, this.#objects, [...this.#rules.values()]);
  }

  #any(): ModelObject | undefined {
    return this.#objects.length === 0 ? undefined : this.#chance.pick(this.#objects);
  }

  #tell(line: string): void {
    this.#story.push(line);
  }

  async #cleanUp(): Promise<void> {
    await this.#hostile.cleanUp();
    const { admin } = this.#cast.world.kcp;
    for (const name of [...this.#rules.keys()]) await this.#removeRule(name);
    await Promise.all(
      this.#objects.map(async (object) => {
        await admin.patch('merge', this.#cast.pathOf(object), SKIP);
        await admin.delete(this.#cast.pathOf(object));
      }),
    );
  }
}

function isAllowed(verdict: Verdict): boolean {
  return verdict === 'allowed' || verdict === 'allowed with a warning';
}

function verdictOf(answer: Answer): Verdict {
  const names = (text: string): boolean => text.includes('still referenced by');
  if (answer.status === 200) return names(answer.header('warning')) ? 'allowed with a warning' : 'allowed';
  return answer.status === 403 && names(answer.text) ? 'refused' : 'no answer';
}
