// The deletes of the story, in team-a, each with a look at whether it came out as it should.
import { isKcpError, type Connection, type KcpError, type Stoppable } from '@dep-ctrl/kcp-client';
import type { GroupVersionResource } from '@dep-ctrl/kcp-names';
import { getIfExists, until, type Patience, type Probed } from '@dep-ctrl/kcp-objects';
import { DEV_PATHS } from './dev-paths.js';
import { VPCS } from './provider-manifests.js';

/** Whether a delete would be refused now. "Ready" says written; kcp's shards act on it a moment later. A dry run asks the webhook like the real delete, and changes nothing. */
export async function probeProtection(connection: Connection, options: Stoppable): Promise<Probed<true>> {
  try {
    await connection.cluster(DEV_PATHS.teamA).delete(VPCS, { name: 'my-vpc', namespace: 'default' }, { ...options, dryRun: true });
    return { waitingFor: 'kcp does not ask the webhook yet' };
  } catch (error) {
    if (isRefusal(error)) return { done: true };
    if (isKcpError(error)) return { waitingFor: error.message };
    throw error;
  }
}

/** Tries a delete that must be refused; answers with what kubectl would print, and throws when it went through. */
export async function refusedDelete(connection: Connection, type: GroupVersionResource, name: string, options: Stoppable): Promise<string> {
  try {
    await connection.cluster(DEV_PATHS.teamA).delete(type, { name, namespace: 'default' }, options);
  } catch (error) {
    if (isRefusal(error)) return `Error from server (${error.reason ?? ''}): ${messageOf(error)}`;
    throw error;
  }
  throw new Error(`${type.resource}/${name} was deleted although VirtualMachine/my-vm refers to it`);
}

/** Deletes something that nothing stands against, and waits until it is gone. */
export async function remove(connection: Connection, type: GroupVersionResource, name: string, patience: Patience): Promise<void> {
  const client = connection.cluster(DEV_PATHS.teamA);
  const ref = { name, namespace: 'default' };
  await client.delete(type, ref, patience);
  await until(
    `the end of ${type.resource}/${name}`,
    async (options) => {
      const left = await getIfExists(client, type, ref, options);
      return left === undefined ? { done: true } : { waitingFor: 'it still exists' };
    },
    patience,
  );
}

function isRefusal(error: unknown): error is KcpError {
  return isKcpError(error, 'forbidden') && messageOf(error).includes('still referenced by VirtualMachine/my-vm');
}

function messageOf(error: KcpError): string {
  return error.statusBody?.message ?? error.message;
}
