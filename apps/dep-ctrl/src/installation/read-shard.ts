import { isKcpError, listAll, parseVirtualWorkspaceUrl } from '@dep-ctrl/kcp-client';
import { type GroupVersionResource, type KubeObject } from '@dep-ctrl/kcp-names';
import { GUARDS, RULES } from '@dep-ctrl/rule-registry';
import { WEBHOOK_CONFIGURATIONS } from '@dep-ctrl/webhook-installer';
import { API_BINDINGS } from '@dep-ctrl/kcp-objects';
import { askServer, type Asker } from './ask-server.js';
import type { HomeFacts, ShardFacts } from './facts.js';
import { notAsked, reading, type Reading } from './reading.js';
import { namedAsOurs, OF_TENANTS } from '../own-objects/tenant-lists.js';

/** The URLs of the export's virtual workspaces, one for each shard with a binding. */
export function endpointsOf({ slice }: Pick<HomeFacts, 'slice'>): readonly string[] {
  const found = slice.state === 'read' ? slice.value : undefined;
  const { endpoints = [] } = (found?.['status'] ?? {}) as { readonly endpoints?: readonly { readonly url: string }[] };
  return endpoints.map(({ url }) => url);
}

/** Reads one virtual workspace. A part that cannot be read has its own reason. */
export async function readShard(asker: Asker, url: string, { path }: Pick<HomeFacts, 'path'>): Promise<ShardFacts> {
  const baseUrl = new URL(url).origin;
  const server = await askServer(asker, { baseUrl, versionUrl: `${baseUrl}/version` });
  const parsedUrl = parseVirtualWorkspaceUrl(url);
  if (!parsedUrl.ok) {
    const unread = notAsked(`what is behind ${url}`, parsedUrl.problem);
    return { url, server, bindings: unread, rules: unread, guards: unread, configurations: unread };
  }
  const all = asker.connection.virtualWorkspace(parsedUrl.value).wildcard();
  const list = (what: string, type: GroupVersionResource): Promise<Reading<readonly KubeObject[]>> =>
    reading(
      { what: `${what} behind ${url}`, needs: `get and list on apiexports/content in ${path}, such as ClusterRole dep-ctrl:webhook there` },
      async () => {
        try {
          return type === WEBHOOK_CONFIGURATIONS ? await namedAsOurs(all, asker) : (await listAll(all, type, OF_TENANTS, asker)).objects;
        } catch (error) {
          // With no binding left on a shard nothing serves our types there, and no object of them exists.
          // A shard that starts says the same: only that it shows no binding is a proof.
          const isUnserved = isKcpError(error, 'not-served') && type !== API_BINDINGS;
          if (isUnserved && (await listAll(all, API_BINDINGS, OF_TENANTS, asker)).objects.length === 0) return [];
          throw error;
        }
      },
    );
  const [bindings, rules, guards, configurations] = await Promise.all([
    list('the bindings', API_BINDINGS),
    list('the rules', RULES),
    list('the guards', GUARDS),
    list('the configurations', WEBHOOK_CONFIGURATIONS),
  ]);
  return { url, server, bindings, rules, guards, configurations };
}
