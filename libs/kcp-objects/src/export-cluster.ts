import { parseLogicalClusterName, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { VirtualWorkspaceUrl } from '@dep-ctrl/kcp-client';

/**
 * The logical cluster of the export behind an endpoint. kcp spells it in the URL (`…/services/apiexport/<cluster>/<export>`);
 * undefined where a URL has another shape.
 */
export function exportClusterOf(endpoint: VirtualWorkspaceUrl): LogicalClusterName | undefined {
  // A URL of another shape keeps its slashes, and is no name.
  const name = parseLogicalClusterName(endpoint.replace(/.*\/services\/apiexport\/([^/]+)\/[^/]+/, '$1'));
  return name.ok ? name.value : undefined;
}
