// Hands over the configuration of a lost installation. That configuration refuses every delete, because its webhook is gone too. The new export does not
// see it: kcp shows an export only objects that were written since it was made, or that are written again by a user of the workspace.
import { isKcpError, listAll, type ClusterClient, type Stoppable } from '@dep-ctrl/kcp-client';
import type { ExportRef, KubeObject } from '@dep-ctrl/kcp-names';
import { GUARD_NAME } from '@dep-ctrl/rule-registry';
import { WEBHOOK_CONFIGURATIONS } from '@dep-ctrl/webhook-installer';
import { API_BINDINGS } from '@dep-ctrl/kcp-objects';
import { exporterIn, refersTo } from '@dep-ctrl/exported-types';
import { askingAgain, isRefusingAll, refusingAll } from '../own-objects/handed-over.js';
import { OWNER_LABEL } from '../own-objects/configuration-labels.js';

// Another writer may write in between each time.
const ATTEMPTS = 5;

/**
 * Gives the configuration of a former installation to the one that the workspace is bound to. The controller of that one then repairs or removes it.
 * Answers whether there was such a configuration. Only one export can serve our types in a workspace, so any other owner is gone.
 */
export async function handOverConfiguration(client: ClusterClient, depCtrlExport: ExportRef, options: Stoppable): Promise<boolean> {
  const { objects } = await listAll(client, API_BINDINGS, {}, options);
  const owner = objects.filter((binding) => refersTo(binding, depCtrlExport)).map((binding) => exporterIn(binding))[0];
  if (owner === undefined) return false;
  return rewrite(client, (found) => (isOfAnother(found, owner) ? givenTo(found, owner) : undefined), STAYS, options);
}

/**
 * Makes a configuration of another owner refuse everything that it guards. Done before the workspace is bound, so that kcp does not ask a webhook that
 * knows no rule yet.
 */
export async function refuseByFormer(client: ClusterClient, owner: string, options: Stoppable): Promise<void> {
  const refuse = (found: KubeObject) => (isOfAnother(found, owner) && !isRefusingAll(found) ? refusingAll(found) : undefined);
  await rewrite(client, refuse, NOT_BOUND, options);
}

/** Says that the rules are back: a controller then writes what they want. Whether the configuration was one that waited for that. */
export function letGo(client: ClusterClient, options: Stoppable): Promise<boolean> {
  return rewrite(client, (found) => (isRefusingAll(found) ? askingAgain(found) : undefined), WAITS, options);
}

/** Writes what the configuration is to be, read anew after a conflict; whether there was anything to write. */
async function rewrite(
  client: ClusterClient,
  change: (found: KubeObject) => KubeObject | undefined,
  failure: string,
  options: Stoppable,
): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    const found = await readIfAllowed(client, options);
    const changed = found && change(found);
    if (changed === undefined) return false;
    try {
      await client.replace(WEBHOOK_CONFIGURATIONS, changed, options);
      return true;
    } catch (error) {
      if (!isKcpError(error, 'conflict', 'not-found') || attempt === ATTEMPTS) throw new Error(failure, { cause: error });
    }
  }
}

/** Whether an installation with another export made the configuration. Pure. */
export function isOfAnother({ metadata }: KubeObject, owner: string): boolean {
  const label = metadata.labels?.[OWNER_LABEL];
  return label !== undefined && label !== owner;
}

/** The configuration with the owner's label, at addresses that refuse everything until its rules are back. Pure. */
export function givenTo(configuration: KubeObject, owner: string): KubeObject {
  const { metadata } = configuration;
  return { ...refusingAll(configuration), metadata: { ...metadata, labels: { ...metadata.labels, [OWNER_LABEL]: owner } } };
}

const NOT_BOUND = `not bound: failed to make the ValidatingWebhookConfiguration "${GUARD_NAME}" of the former installation refuse every delete until its rules are back`;

const WAITS = `the ValidatingWebhookConfiguration "${GUARD_NAME}" still refuses every delete: it could not be written`;

const STAYS = `it is bound, and the ValidatingWebhookConfiguration "${GUARD_NAME}" of the former installation, which refuses deletes, could not be handed over`;

/** A user who may bind need not be allowed to read configurations. */
async function readIfAllowed(client: ClusterClient, options: Stoppable): Promise<KubeObject | undefined> {
  try {
    return await client.get(WEBHOOK_CONFIGURATIONS, { name: GUARD_NAME }, options);
  } catch (error) {
    if (isKcpError(error, 'not-found', 'forbidden')) return undefined;
    throw error;
  }
}
