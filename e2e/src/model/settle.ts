// Waits until what providers wrote is in force. What is held the whole time is asked about meanwhile, and must be refused.
import { setTimeout as sleep } from 'node:timers/promises';
import { at } from '../https/kube-body.js';
import { eventually } from '../stage/eventually.js';
import type { Scene } from './scene.js';
import { targetStateOf } from './script/expected.js';
import type { WrittenRule } from './script/state.js';

const PAUSE_MS = 20;

/** Waits until every rule says what the model says, and every object is answered by it. */
export async function settle(scene: Scene): Promise<void> {
  if (scene.isInForce) return;
  await watched(scene, async () => {
    await Promise.all(scene.state.rules.map((rule) => statusSays(scene, rule)));
    scene.written();
    await Promise.all(scene.state.objects.map((object) => scene.expects(object)));
  });
  scene.inForce();
}

/** Does something while all objects are asked about in turn. */
async function watched(scene: Scene, act: () => Promise<void>): Promise<void> {
  const over = new AbortController();
  const watching = (async () => {
    for (let turn = 0; !over.signal.aborted; turn += 1) {
      const { objects } = scene.state;
      const object = objects[turn % objects.length];
      if (object !== undefined) await scene.neverWrong(object);
      await sleep(PAUSE_MS);
    }
  })();
  // It is awaited below; until then nobody else may call it unhandled.
  watching.catch(() => undefined);
  try {
    await act();
  } finally {
    over.abort();
    await watching;
  }
}

async function statusSays({ cast, admin, state }: Scene, rule: WrittenRule): Promise<void> {
  const expected = targetStateOf(state, rule);
  const path = `${cast.rulesOf(rule.dependent.provider)}/${cast.nameOf(rule.name)}`;
  await eventually(`the status of ${path} says ${expected}`, async () => {
    const { body } = (await admin.get(path)).expect(200);
    const isCurrent = at(body, 'status', 'observedGeneration') === body.metadata.generation;
    const isSo = at(body, 'status', 'targets', 0, 'state') === expected;
    if (!isCurrent || !isSo) throw new Error(JSON.stringify(body.status ?? null));
  });
}
