// Breaks dep-ctrl, or what it stands on, and mends it again.
import { Chance } from './chance.js';
import { breakSomething } from './model-faults.js';
import { change } from './rule-acts.js';
import type { Scene } from './scene.js';
import type { Fault, Restart } from './script/step.js';

const ASKED = 3;

/** Kills a role and starts it again. With the webhook down nobody lets go of anything that is guarded; the controller is not needed for that. */
export async function restart(scene: Scene, { role, meanwhile }: Restart): Promise<void> {
  const part = scene.cast.world.product[role];
  await part.kill();
  try {
    if (meanwhile !== undefined) await change(scene, meanwhile);
    for (const object of scene.state.objects.slice(0, ASKED)) {
      await scene.neverWrong(object, role === 'webhook' ? 'the webhook is down' : undefined);
    }
  } finally {
    await part.start();
  }
}

/** Breaks something. */
export async function fault(scene: Scene, { number }: Fault): Promise<void> {
  const chance = new Chance(number);
  const broken = await breakSomething(scene.cast, chance);
  scene.tell(`broken: ${broken.what}`);
  const { objects } = scene.state;
  const asked = objects.length === 0 ? [] : Array.from({ length: ASKED }, () => chance.pick(objects));
  try {
    for (const object of asked) await scene.neverWrong(object, broken.what);
  } finally {
    await broken.mend();
    if (broken.fault !== undefined) scene.broke(broken.fault.read, await broken.fault.hits());
  }
  // Also those that nobody asked about: what broke may have left its mark on reads that all of them share.
  if (scene.isInForce) await Promise.all(objects.map((object) => scene.expects(object)));
}
