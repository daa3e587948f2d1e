import { isKcpError, type Clock, type ClusterClient } from '@dep-ctrl/kcp-client';
import { GUARD_NAME, GUARDS } from '@dep-ctrl/rule-registry';
import { WEBHOOK_CONFIGURATIONS } from '@dep-ctrl/webhook-installer';
import { releasedGuard } from '../controller/guard-objects.js';
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
      await releaseGuard(client, options);
      await deleteIfExists(client, GUARDS, { name: GUARD_NAME }, options);
      return provenGone(client, GUARDS, options);
    case 'release-guard':
      return releaseGuard(client, options);
    case 'delete-right':
      await deleteIfExists(client, rightType(object), object.metadata, options);
      return;
    default:
      action satisfies never;
  }
}

async function releaseGuard(client: ClusterClient, options: Options): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const guard = await getIfExists(client, GUARDS, { name: GUARD_NAME }, options);
    if (guard === undefined) return;
    const released = releasedGuard(guard);
    if (released.metadata.finalizers?.length === (guard.metadata.finalizers?.length ?? 0)) return;
    try {
      await client.replace(GUARDS, released, options);
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
