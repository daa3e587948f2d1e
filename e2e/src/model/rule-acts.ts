// Does to rules and guards what a script says. dep-ctrl learns of it by watching.
import { eventually } from '../stage/eventually.js';
import { ruleManifest } from './manifests.js';
import type { Scene } from './scene.js';
import type { Change, GiveConsent, Membership, RemoveRule, WriteRule } from './script/step.js';

/** Writes a rule or a guard. */
export async function change(scene: Scene, step: Change): Promise<void> {
  switch (step.kind) {
    case 'add-rule':
      await addRule(scene, step);
      break;
    case 'edit-rule':
      await editRule(scene, step);
      break;
    case 'remove-rule':
      await removeRule(scene, step);
      break;
    case 'consent':
      await giveConsent(scene, step);
      break;
    default:
      step satisfies never;
  }
  scene.changed(step);
}

/** Has a provider bind dep-ctrl, or let go of it. */
export async function membership(scene: Scene, step: Membership): Promise<void> {
  if (step.kind === 'join') await scene.cast.join(step.provider);
  else await scene.cast.leave(step.provider);
  scene.changed(step);
}

async function addRule({ cast, admin }: Scene, { rule }: WriteRule): Promise<void> {
  const path = cast.rulesOf(rule.dependent.provider);
  const manifest = ruleManifest(rule, cast.provider(rule.dependency.provider).path, cast.nameOf);
  // What is asked at the door may be down for a moment.
  await eventually(`${path} admits ${rule.name}`, async () => {
    const answer = await admin.post(path, manifest);
    if (answer.status !== 409) answer.expect(201);
  });
}

async function editRule({ cast, admin }: Scene, { rule }: WriteRule): Promise<void> {
  const path = `${cast.rulesOf(rule.dependent.provider)}/${cast.nameOf(rule.name)}`;
  const { spec } = ruleManifest(rule, cast.provider(rule.dependency.provider).path, cast.nameOf);
  await eventually(`${path} may be edited`, async () => {
    (await admin.patch('json', path, [{ op: 'replace', path: '/spec', value: spec }])).expect(200);
  });
}

async function removeRule({ cast, admin, state }: Scene, { name }: RemoveRule): Promise<void> {
  const rule = state.rules.find((each) => each.name === name);
  if (rule === undefined) throw new Error(`there is no rule ${name}`);
  (await admin.delete(`${cast.rulesOf(rule.dependent.provider)}/${cast.nameOf(name)}`)).expect(200);
}

/** The guard is made by the controller or by the provider, whoever comes first. */
async function giveConsent({ cast, admin }: Scene, { provider, consent }: GiveConsent): Promise<void> {
  const path = cast.guardOf(provider);
  const spec = consent === undefined ? null : { allowRulesFrom: consent.admits.map((other) => cast.provider(other).path) };
  const metadata = { name: 'dependency-controller' };
  const guard = { apiVersion: 'dependencies.opendefense.cloud/v1alpha1', kind: 'DependencyGuard', metadata, spec };
  await eventually(`${path} is written`, async () => {
    const answer = await admin.patch('merge', path, { spec });
    if (answer.status !== 404) answer.expect(200);
    else if (spec !== null) (await admin.post(path.slice(0, path.lastIndexOf('/')), guard)).expect(201);
  });
}
