import { at } from '../https/kube-body.js';
import { APIS_V1ALPHA1, type Export } from './exports.js';
import type { Stage } from './stage.js';

/** The path of an export's virtual workspace, the same on every shard. */
export function viewOf(target: Export): string {
  return `/services/apiexport/${target.workspace.cluster}/${target.name}`;
}

/** The endpoint URLs that an export's slice names. */
export async function endpoints(kcp: Stage, target: Export): Promise<readonly string[]> {
  const slice = (await kcp.admin.get(`${target.workspace.at}${APIS_V1ALPHA1}/apiexportendpointslices/${target.name}`)).expect(200);
  const found = at(slice.body, 'status', 'endpoints');
  return Array.isArray(found) ? found.map((endpoint) => String(at(endpoint, 'url'))) : [];
}
