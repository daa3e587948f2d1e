// Does to objects what a script says.
import { eventually } from '../stage/eventually.js';
import { objectManifest } from './manifests.js';
import { WrongAnswer, type Scene } from './scene.js';
import { sweep } from './script/ending.js';
import { membersOf } from './script/object-steps.js';
import { holdersOf, type Expectation } from './script/expected.js';
import { withoutObjects, type ObjectKey } from './script/state.js';
import type { Create, Delete, DeleteCollection, Repoint } from './script/step.js';
import { settle } from './settle.js';

/** Creates one. */
export async function create(scene: Scene, step: Create): Promise<void> {
  const { cast, admin } = scene;
  const { object, version } = step;
  if (object.namespace !== undefined) await cast.namespace(object.consumer, object.namespace);
  (await admin.post(cast.collectionOf(object, version), objectManifest(object, version, cast.nameOf))).expect(201);
  scene.did(step);
}

/** Changes what one refers to. */
export async function repoint(scene: Scene, step: Repoint): Promise<void> {
  const { cast, admin } = scene;
  const { object, version } = step;
  const { spec } = objectManifest(object, version, cast.nameOf);
  (await admin.patch('json', cast.pathOf(object, version), [{ op: 'replace', path: '/spec', value: spec }])).expect(200);
  scene.did(step);
}

/** Asks at once, and again when all is in force. */
export async function ask(scene: Scene, { object, version }: Delete): Promise<void> {
  await scene.neverWrong(object);
  await settle(scene);
  await scene.expects(object, version);
}

/** Deletes for good: what is held stays, what is not goes. */
export async function deleteOne(scene: Scene, step: Delete): Promise<void> {
  const { object, version } = step;
  await settle(scene);
  await scene.expects(object, version);
  const expected = scene.expected(object);
  const path = scene.cast.pathOf(object, version);
  const wrong = await eventually(`${path} is deleted as the model says`, async () => {
    const judgement = scene.judge(object, expected, await scene.ask(object, version, ''));
    // A warning may get lost, and then the object is gone all the same.
    const isGone = judgement.is === 'not yet' && expected.verdict === 'allowed with a warning' && !(await isThere(scene, object));
    if (judgement.is === 'right' || isGone) return undefined;
    if (judgement.is === 'not yet') throw new Error(judgement.problem);
    return new WrongAnswer(`${judgement.is}: the delete of ${path} ${judgement.problem}`);
  });
  if (wrong !== undefined) throw wrong;
  const stays = expected.verdict === 'refused';
  if ((await isThere(scene, object)) !== stays) throw new WrongAnswer(`${path} is ${stays ? 'gone, but was held' : 'still there'}`);
  scene.did(step);
}

/** Deletes a collection: kcp goes through it by name, and stops at the first that is held. */
export async function deleteCollection(scene: Scene, { collection, version }: DeleteCollection): Promise<void> {
  await settle(scene);
  const members = membersOf(scene.state, collection);
  for (const member of members) await scene.expects(member, version);
  const { gone, left } = sweep(scene.state, members);
  const path = scene.cast.collectionOf(collection, version);
  const [stop] = left;
  const because = stop === undefined ? [] : holdersOf(withoutObjects(scene.state, gone), stop);
  const wrong = await eventually(`${path} is deleted as the model says`, async () => {
    const answer = scene.read(await scene.admin.delete(path));
    if (answer.status === 200) return undefined;
    const expected: Expectation = stop === undefined ? { verdict: 'allowed' } : { verdict: 'refused', because };
    const judgement = scene.judge(stop ?? { ...collection, name: '' }, expected, answer);
    if (judgement.is === 'right') return undefined;
    if (judgement.is === 'not yet') throw new Error(judgement.problem);
    return new WrongAnswer(`${judgement.is}: the delete of ${path} ${judgement.problem}`);
  });
  if (wrong !== undefined) throw wrong;
  for (const object of gone) {
    if (await isThere(scene, object)) throw new WrongAnswer(`${scene.cast.pathOf(object)} is still there after the delete of ${path}`);
  }
  for (const object of left) {
    if (!(await isThere(scene, object))) throw new WrongAnswer(`wrong allow: ${scene.cast.pathOf(object)} went with ${path}`);
  }
  scene.did({ kind: 'delete-collection', collection, version });
}

/** Whether an object is there. Where its workspace has gone, nobody is let in. */
export async function isThere({ cast, admin }: Scene, object: ObjectKey): Promise<boolean> {
  const answer = await admin.get(cast.pathOf(object));
  if (answer.status === 404 || answer.status === 403) return false;
  return answer.expect(200).status === 200;
}
