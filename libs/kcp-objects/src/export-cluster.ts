import { parseLogicalClusterName, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { VirtualWorkspaceUrl } from '@dep-ctrl/kcp-client';

/**
 * The logical cluster of the export behind an endpoint. kcp spells it in the URL (`…/services/apiexport/<cluster>/<export>`);
 * undefined where a URL has another shape.
 */
export function exportClusterOf(endpoint: VirtualWorkspaceUrl): LogicalClusterName | undefined {
  const [, cluster] = /\/services\/apiexport\/([^/]+)\/[^/]+$/.exec(endpoint) ?? [];
  const name = parseLogicalClusterName(cluster ?? '');
  return name.ok ? name.value : undefined;
}
