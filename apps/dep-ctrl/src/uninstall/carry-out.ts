import { isKcpError, type ClusterClient, type Waiting } from '@dep-ctrl/kcp-client';
import { type GroupVersionResource, type KubeObject, timestamp } from '@dep-ctrl/kcp-names';
import { GUARD_NAME, GUARDS, RULES } from '@dep-ctrl/rule-registry';
import { WEBHOOK_CONFIGURATIONS } from '@dep-ctrl/webhook-installer';
import { deleteIfExists, getIfExists, until, WORKSPACE_TYPES } from '@dep-ctrl/kcp-objects';
import { ADMISSION_CONFIGURATION } from '../own-objects/admission-configuration.js';
import { protectionType } from '../own-objects/home-protection.js';
import { saysLookedAfter } from '../own-objects/conditions.js';
import { isHeld, releasedGuard } from '../controller/guard/guard-objects.js';
import { abandonedStatus } from '../controller/guard/guard-status.js';
import { abandonedRuleStatus } from '../controller/rule-status/rule-status.js';
import { rightType } from '../shard-rights/installed-rights.js';
import { TEARDOWN_TYPE } from '../teardown-type/teardown-type.js';
import type { Removal } from './plan-removal.js';

// Without finalizers of others an object is gone at once.
const GONE_WITHIN_MS = 15_000;
const ATTEMPTS = 5;

/** Carries one removal out and proves it: the object is read as gone, or as released or marked. Throws when it is not. */
export async function carryOut(client: ClusterClient, { action, object }: Removal, options: Waiting): Promise<void> {
  switch (action) {
    case 'delete-admission':
      return deleteProven(client, { type: WEBHOOK_CONFIGURATIONS, name: ADMISSION_CONFIGURATION }, options);
    case 'delete-configuration':
      return deleteProven(client, { type: WEBHOOK_CONFIGURATIONS, name: GUARD_NAME }, options);
    case 'delete-guard':
      await changeObject(client, THE_GUARD, release, options);
      return deleteProven(client, THE_GUARD, options);
    case 'release-guard':
      await changeObject(client, THE_GUARD, release, options);
      return changeObject(client, THE_GUARD, abandon, options);
    case 'mark-rule':
      return changeObject(client, { type: RULES, name: object.metadata.name ?? '' }, mark, options);
    case 'delete-protection': {
      const { name = '' } = object.metadata;
      return deleteProven(client, { type: protectionType(object), name }, options);
    }
    case 'delete-right':
      await deleteIfExists(client, rightType(object), object.metadata, options);
      return;
    case 'delete-type':
      return deleteProven(client, { type: WORKSPACE_TYPES, name: TEARDOWN_TYPE }, options);
    default:
      action satisfies never;
  }
}

/** Writes what is to be changed of an object; undefined: it is as it should be. */
type Change = (client: ClusterClient, object: KubeObject, options: Waiting) => Promise<KubeObject> | undefined;

const release: Change = (client, guard, options) => (isHeld(guard) ? client.replace(GUARDS, releasedGuard(guard), options) : undefined);

const abandon: Change = (client, guard, { clock, signal }) =>
  saysLookedAfter(guard)
    ? client.replaceStatus(GUARDS, { ...guard, status: abandonedStatus(guard, timestamp(clock.now())) }, { signal })
    : undefined;

const mark: Change = (client, rule, { clock, signal }) =>
  saysLookedAfter(rule)
    ? client.replaceStatus(RULES, { ...rule, status: abandonedRuleStatus(rule, timestamp(clock.now())) }, { signal })
    : undefined;

interface NamedType {
  readonly type: GroupVersionResource;
  readonly name: string;
}

const THE_GUARD: NamedType = { type: GUARDS, name: GUARD_NAME };

async function changeObject(client: ClusterClient, { type, name }: NamedType, change: Change, options: Waiting): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const object = await getIfExists(client, type, { name }, options);
    if (object === undefined) return;
    try {
      await change(client, object, options);
      return;
    } catch (error) {
      // It may be gone by now: the next read tells.
      if (!isKcpError(error, 'conflict', 'not-found', 'not-served') || attempt === ATTEMPTS) throw error;
    }
  }
}

async function deleteProven(client: ClusterClient, { type, name }: NamedType, options: Waiting): Promise<void> {
  await deleteIfExists(client, type, { name }, options);
  await until(
    `the end of ${type.resource} "${name}"`,
    async (each) => {
      const left = await getIfExists(client, type, { name }, each);
      return left === undefined
        ? { done: true }
        : { waitingFor: 'it is still there, or there again: look at the finalizers of the object, or stop the controller' };
    },
    { ...options, timeoutMs: GONE_WITHIN_MS },
  );
}
