import type { ClusterClient } from '@dep-ctrl/kcp-client';
import type { ProviderManifests } from '../dev/provider-manifests.js';
import { ensureObject } from '../kcp-objects/ensure-object.js';
import { patiently } from '../kcp-objects/patiently.js';
import { API_EXPORTS, API_RESOURCE_SCHEMAS } from '../kcp-objects/types.js';
import type { Patience } from '../kcp-objects/until.js';

/** Exports a provider's type from a workspace, which may be so new that it does not serve what this takes yet. */
export async function exportType(
  client: ClusterClient,
  { exportName, schema, apiExport }: ProviderManifests,
  patience: Patience,
): Promise<void> {
  await patiently(
    `export ${exportName}`,
    async () => {
      await ensureObject(client, API_RESOURCE_SCHEMAS, schema, patience);
      await ensureObject(client, API_EXPORTS, apiExport, patience);
    },
    patience,
  );
}
