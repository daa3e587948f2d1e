import { ApiError, notFound } from '../http/api-status.js';
import { stringAt } from '../json/json.js';
import type { AdmissionRequest } from '../machinery/requests/admission.js';
import type { ShardView } from '../kcp/shards/shard-view.js';
import { refuse, type AdmissionPlugin } from './admission-chain.js';

const NAMESPACES = { group: '', resource: 'namespaces' };
const BUCKET = '/namespaces';
const IMMORTAL: ReadonlySet<string | undefined> = new Set(['default', 'kube-system', 'kube-public']);

/** Refuses objects in a namespace that is missing or being deleted, and the deletion of namespaces that stay as long as their workspace. */
export function namespaceLifecycle(view: ShardView): AdmissionPlugin {
  return {
    mutate: (request, object) => {
      if (request.operation === 'CREATE' && request.definition.namespaced) refuseMissing(view, request);
      return object;
    },
    validate: (request) => {
      const { definition, operation, cluster, oldObject } = request;
      if (operation !== 'DELETE' || definition.group !== '' || definition.resource !== 'namespaces') return [];
      const isDying = view.logicalCluster(cluster)?.object.metadata.deletionTimestamp !== undefined;
      if (IMMORTAL.has(oldObject?.metadata.name) && !isDying) throw refuse(request, 'this namespace may not be deleted');
      return [];
    },
  };
}

function refuseMissing(view: ShardView, request: AdmissionRequest): void {
  const { cluster, namespace, definition } = request;
  const found = view.store.bucket(BUCKET).get({ cluster, namespace: '', name: namespace });
  if (found === undefined) throw notFound(NAMESPACES, namespace);
  const isTerminating =
    found.object.metadata.deletionTimestamp !== undefined || stringAt(found.object, 'status', 'phase') === 'Terminating';
  // Reviews pass: a client that tears a namespace down may ask for its own rights.
  if (!isTerminating || definition.resource === 'localsubjectaccessreviews') return;
  const error = refuse(request, `unable to create new content in namespace ${namespace} because it is being terminated`);
  const cause = { reason: 'NamespaceTerminating', message: `namespace ${namespace} is being terminated`, field: 'metadata.namespace' };
  throw new ApiError({ ...error.body, details: { ...error.body.details, causes: [cause] } });
}
