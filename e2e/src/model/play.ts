// Plays a script: does what it says step by step, with the hostile tenant beside it, and has every answer judged by the model.
import type { Cast } from './cast.js';
import { Chance } from './chance.js';
import { fault, restart } from './disturbance-acts.js';
import { HostileTenant, type Known } from './hostile-tenant.js';
import { ask, create, deleteCollection, deleteOne, repoint } from './object-acts.js';
import { change, membership } from './rule-acts.js';
import { Scene, WrongAnswer, type Counted } from './scene.js';
import { opening } from './script/state.js';
import type { Entry, Script, Step, StepOf } from './script/step.js';
import { isPossible } from './script/step-kinds.js';
import { shapeOf } from './script/topology.js';
import { settle } from './settle.js';
import { bind, endNamespace, endWorkspace, unbind } from './teardown-acts.js';
import { skipping } from '../scenarios/skip-protection.js';

// What the hostile tenant does beside a step, and at last while all else is quiet.
const HOSTILE_A_STEP = 2;
const HOSTILE_AT_LAST = 3;

type Acts = { readonly [Kind in Step['kind']]: (scene: Scene, step: StepOf<Kind>) => Promise<void> };

const ACTS: Acts = {
  create,
  repoint,
  ask,
  delete: deleteOne,
  'delete-collection': deleteCollection,
  'add-rule': change,
  'edit-rule': change,
  'remove-rule': change,
  consent: change,
  leave: membership,
  join: membership,
  bind,
  unbind,
  'end-namespace': endNamespace,
  'end-workspace': endWorkspace,
  restart,
  fault,
};

/** How a script went: with what it failed, if it did, and what happened. */
export interface Played {
  readonly failure: Error | undefined;
  readonly story: readonly string[];
}

/** Plays a script to its end or to the first failure, and cleans up. */
export async function play(cast: Cast, script: Script, counted: Counted): Promise<Played> {
  const story: string[] = [];
  const tell = (line: string): void => void story.push(line);
  const known = (): Known => cast.known(() => ['r0', 'r1'].map(cast.nameOf));
  const hostile = new HostileTenant(cast.hostile, { known, nameOf: cast.nameOf, tell });
  const scene = new Scene(cast, opening(script.topology), { ...counted, tell });
  const failure = await errorOf(async () => {
    await cast.open(script.topology);
    for (const entry of script.entries) await playEntry(scene, entry, hostile, counted);
    await settle(scene);
    if (script.entries.some((entry) => entry.hostile !== undefined)) await unmoved(scene, hostile);
  });
  const left = await errorOf(async () => {
    await hostile.cleanUp();
    await cast.forgetRules();
    if (failure === undefined) await removeObjects(scene);
  });
  return { failure: failure ?? left, story };
}

async function errorOf(act: () => Promise<void>): Promise<Error | undefined> {
  try {
    await act();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

async function playEntry(scene: Scene, { step, hostile: number }: Entry, hostile: HostileTenant, { steps }: Counted): Promise<void> {
  if (!isPossible(scene.state, step)) return;
  steps.set(step.kind, (steps.get(step.kind) ?? 0) + 1);
  scene.tell(JSON.stringify(step));
  await Promise.all([act(scene, step), ...(number === undefined ? [] : [hostile.act(new Chance(number), HOSTILE_A_STEP)])]);
}

// The table has for each kind what does it, which the compiler cannot follow.
function act(scene: Scene, step: Step): Promise<void> {
  return (ACTS[step.kind] as unknown as (scene: Scene, step: Step) => Promise<void>)(scene, step);
}

/** While only the hostile tenant writes, every question gets the answer of the model at the first asking. */
async function unmoved(scene: Scene, hostile: HostileTenant): Promise<void> {
  for (let n = 0; n < HOSTILE_AT_LAST; n += 1) {
    const asked = scene.state.objects.map(async (object) => {
      const expected = scene.expectedAtLast(object);
      const answer = await scene.ask(object, shapeOf(object.type).served[0], '?dryRun=All');
      const judgement = scene.judge(object, expected, answer);
      // kcp waits 2 s for a warning and then goes without: a loaded machine is asked again.
      if (expected.verdict === 'allowed with a warning' && answer.status === 200) await scene.expects(object);
      else if (judgement.is !== 'right')
        throw new WrongAnswer(`while all is quiet, a delete of ${scene.cast.pathOf(object)} ${judgement.problem}`);
    });
    await Promise.all([...asked, hostile.act(new Chance(n), 1)]);
  }
}

async function removeObjects({ cast, admin, state }: Scene): Promise<void> {
  await Promise.all(
    state.objects.map(async (object) => {
      await admin.patch('merge', cast.pathOf(object), skipping());
      await admin.delete(cast.pathOf(object));
    }),
  );
}
