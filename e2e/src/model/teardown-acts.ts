// Ends bindings, namespaces and workspaces. Whatever kcp deletes in which order: nothing goes while something is there that holds it. What kcp never
// gets to delete is let go by the annotation.
import { equal } from 'node:assert/strict';
import { eventually } from '../stage/eventually.js';
import { isThere } from './object-acts.js';
import { WrongAnswer, type Scene } from './scene.js';
import { phasesOfWorkspace, teardown } from './script/ending.js';
import { holdersOf } from './script/expected.js';
import type { ModelObject } from './script/referenced.js';
import { isSameObject, withoutObjects } from './script/state.js';
import type { Binding, EndNamespace, EndWorkspace } from './script/step.js';
import { settle } from './settle.js';
import { skipping } from '../scenarios/skip-protection.js';

/** Binds a provider. */
export async function bind(scene: Scene, step: Binding): Promise<void> {
  await scene.cast.bind(step);
  scene.did(step);
}

/** Lets go of a provider, with all objects of its types. */
export async function unbind(scene: Scene, step: Binding): Promise<void> {
  await settle(scene);
  const { consumer, provider } = step;
  const going = scene.state.objects.filter((object) => object.consumer === consumer && object.type.provider === provider);
  await scene.cast.unbind(step, () => tornDown(scene, [going]));
  scene.did(step);
}

/** Ends a namespace. */
export async function endNamespace(scene: Scene, step: EndNamespace): Promise<void> {
  await settle(scene);
  const { cast, admin } = scene;
  const path = cast.namespaceOf(step);
  const going = scene.state.objects.filter(({ consumer, namespace }) => consumer === step.consumer && namespace === step.namespace);
  (await admin.delete(path)).expect(200);
  await tornDown(scene, [going]);
  await eventually(`${path} is gone`, async () => equal((await admin.get(path)).status, 404));
  cast.forgetNamespace(step.consumer, step.namespace);
  scene.did(step);
}

/** Ends the workspace of a consumer. */
export async function endWorkspace(scene: Scene, step: EndWorkspace): Promise<void> {
  await settle(scene);
  const { cast, admin } = scene;
  const path = cast.workspaceOf(step.consumer);
  const going = scene.state.objects.filter(({ consumer }) => consumer === step.consumer);
  (await admin.delete(path)).expect(200);
  await tornDown(scene, phasesOfWorkspace(going));
  await eventually(`${path} is gone`, async () => equal((await admin.get(path)).status, 404));
  scene.did(step);
  cast.forgetConsumer(step.consumer);
}

/** Waits until kcp has deleted what it can delete, and helps with the rest. */
async function tornDown(scene: Scene, phases: readonly (readonly ModelObject[])[]): Promise<void> {
  const going = phases.flat();
  const { gone, left } = teardown(scene.state, phases);
  const wrong = await eventually('what nothing holds is deleted', async () => {
    const outOfOrder = await wrongOrder(scene, going);
    if (outOfOrder !== undefined) return outOfOrder;
    for (const object of gone) equal(await isThere(scene, object), false, scene.cast.pathOf(object));
    return undefined;
  });
  if (wrong !== undefined) throw wrong;
  const held = left.filter((object) => holdersOf(withoutObjects(scene.state, gone), object).length > 0);
  for (const object of held) {
    if (!(await isThere(scene, object))) throw new WrongAnswer(`wrong allow: ${scene.cast.pathOf(object)} is gone, but was held`);
  }
  for (const object of left) {
    const answer = await scene.admin.patch('merge', scene.cast.pathOf(object), skipping());
    if (answer.status !== 404) answer.expect(200);
  }
}

/** Whether an object has gone before one that holds it. */
async function wrongOrder(scene: Scene, going: readonly ModelObject[]): Promise<WrongAnswer | undefined> {
  const missing: ModelObject[] = [];
  for (const object of going) if (!(await isThere(scene, object))) missing.push(object);
  for (const object of missing) {
    for (const holder of holdersOf(scene.state, object)) {
      // One that is gone by now may have gone first: only those that are still there tell.
      const isGoing = going.some((other) => isSameObject(other, holder));
      if (isGoing && !(await isThere(scene, holder))) continue;
      return new WrongAnswer(`wrong allow: ${scene.cast.pathOf(object)} went before ${scene.cast.pathOf(holder)}, which refers to it`);
    }
  }
  return undefined;
}
