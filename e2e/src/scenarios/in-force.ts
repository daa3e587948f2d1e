// What the controller has made of a cloud's rules: checks that throw until it is so.
import { deepEqual, equal } from 'node:assert/strict';
import { at, type Tree } from '../https/kube-body.js';
import { WEBHOOK_CONFIGURATIONS } from '../stage/exports.js';
import { GUARDS, RULES } from './rules.js';
import type { Cloud, World } from './world.js';

/** Deletes a rule. */
export async function removeRule(own: World, cloud: Cloud, name: string): Promise<void> {
  (await own.kcp.admin.delete(`${cloud.compute.workspace.at}${RULES}/${name}`)).expect(200);
}

/** The controller has said about this generation of a rule that it is in force. */
export async function isSettled(own: World, cloud: Cloud, name: string): Promise<void> {
  const { body } = (await own.kcp.admin.get(`${cloud.compute.workspace.at}${RULES}/${name}`)).expect(200);
  equal(at(body, 'status', 'observedGeneration'), body.metadata.generation);
  equal((await own.ruleConditions(cloud, name))['Ready']?.status, 'True');
}

/** The guard of the provider that is referred to names these rules and no other. */
export async function guardNames(own: World, cloud: Cloud, names: readonly string[]): Promise<void> {
  const { body } = (await own.kcp.admin.get(`${cloud.network.workspace.at}${GUARDS}/dependency-controller`)).expect(200);
  const rules = (at(body, 'status', 'rules') ?? []) as { readonly rule: string }[];
  deepEqual(rules.map((each) => each.rule).toSorted(), names.toSorted());
}

/** What kcp asks about a provider's resources before it deletes. */
export async function asksAbout(own: World, cloud: Cloud, resources: readonly string[]): Promise<void> {
  const { body } = (await own.kcp.admin.get(`${cloud.network.workspace.at}${WEBHOOK_CONFIGURATIONS}/dependency-controller`)).expect(200);
  const entry = (at(body, 'webhooks') as Tree[]).find(({ failurePolicy }) => failurePolicy === 'Fail');
  const named = ((entry?.['rules'] ?? []) as { readonly resources: readonly string[] }[]).flatMap((each) => each.resources);
  deepEqual(named.toSorted(), resources.toSorted());
}
