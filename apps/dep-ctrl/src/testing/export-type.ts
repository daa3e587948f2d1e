import type { ClusterClient } from '@dep-ctrl/kcp-client';
import { API_EXPORTS, API_RESOURCE_SCHEMAS, ensureObject, type Patience, patiently } from '@dep-ctrl/kcp-objects';
import type { ProviderManifests } from '../dev/provider-manifests.js';

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
