import { isKcpError, type Clock, type ClusterClient } from '@dep-ctrl/kcp-client';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { GUARD_NAME, GUARDS } from '@dep-ctrl/rule-registry';
import { WEBHOOK_CONFIGURATIONS } from '@dep-ctrl/webhook-installer';
import { abandonedStatus, isHeld, releasedGuard, saysLookedAfter } from '../controller/guard-objects.js';
import { timestamp } from '../controller/timestamp.js';
import { deleteIfExists, getIfExists } from '../kcp-objects/ensure-object.js';
import { until } from '../kcp-objects/until.js';
import { rightType } from './shard-rights.js';
import type { Removal } from './plan-removal.js';

interface Options {
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

// Without finalizers of others an object is gone at once.
const GONE_WITHIN_MS = 15_000;
const ATTEMPTS = 5;

/** Carries one removal out and proves it: the object is read as gone, or as released. Throws when it is not. */
export async function carryOut(client: ClusterClient, { action, object }: Removal, options: Options): Promise<void> {
  switch (action) {
    case 'delete-configuration':
      await deleteIfExists(client, WEBHOOK_CONFIGURATIONS, { name: GUARD_NAME }, options);
      return provenGone(client, WEBHOOK_CONFIGURATIONS, options);
    case 'delete-guard':
      await changeGuard(client, release, options);
      await deleteIfExists(client, GUARDS, { name: GUARD_NAME }, options);
      return provenGone(client, GUARDS, options);
    case 'release-guard':
      await changeGuard(client, release, options);
      return changeGuard(client, abandon, options);
    case 'delete-right':
      await deleteIfExists(client, rightType(object), object.metadata, options);
      return;
    default:
      action satisfies never;
  }
}

/** Writes what is to be changed of a guard; undefined: it is as it should be. */
type GuardChange = (client: ClusterClient, guard: KubeObject, options: Options) => Promise<KubeObject> | undefined;

const release: GuardChange = (client, guard, options) =>
  isHeld(guard) ? client.replace(GUARDS, releasedGuard(guard), options) : undefined;

const abandon: GuardChange = (client, guard, { clock, signal }) =>
  saysLookedAfter(guard)
    ? client.replaceStatus(GUARDS, { ...guard, status: abandonedStatus(guard, timestamp(clock.now())) }, { signal })
    : undefined;

async function changeGuard(client: ClusterClient, change: GuardChange, options: Options): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const guard = await getIfExists(client, GUARDS, { name: GUARD_NAME }, options);
    if (guard === undefined) return;
    try {
      await change(client, guard, options);
      return;
    } catch (error) {
      if (isKcpError(error, 'not-found')) return;
      if (!isKcpError(error, 'conflict') || attempt === ATTEMPTS) throw error;
    }
  }
}

async function provenGone(client: ClusterClient, type: typeof GUARDS, options: Options): Promise<void> {
  await until(
    `the end of ${type.resource} "${GUARD_NAME}"`,
    async (each) => {
      const left = await getIfExists(client, type, { name: GUARD_NAME }, each);
      return left === undefined ? { done: true } : { waitingFor: 'it is there again: stop the controller first' };
    },
    { ...options, timeoutMs: GONE_WITHIN_MS },
  );
}
