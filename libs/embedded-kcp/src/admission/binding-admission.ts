// Admission of APIBindings and APIExports: which users may bind an export, and which claims an export may make.
import type { KubeObject } from '@dep-ctrl/kcp-names';
import type { Authorizer } from '../authorization/authorizer.js';
import { LOOPBACK, isMasters } from '../authentication/user.js';
import { arrayAt, recordAt, sameJson, stringAt, withMetadata } from '../json/json.js';
import type { AdmissionRequest } from '../machinery/requests/admission.js';
import { API_EXPORTS, APIS_GROUP } from '../kcp/kinds/system-resources.js';
import { ROOT, type ShardView } from '../kcp/shards/shard-view.js';
import { UNIVERSAL_RESOURCES } from '../kcp/shards/workspace-catalog.js';
import { refuse, writes, type AdmissionPlugin } from './admission-chain.js';
import { exportReference } from './claim-labels.js';

/** The finalizer that keeps a deleted binding until its objects are gone. */
export const BINDING_FINALIZER = 'apis.kcp.io/apibinding-finalizer';

/** Refuses a binding unless the exporter allows the user to bind. A missing export gives the same answer. */
export function bindingAdmission(view: ShardView, authorizer: Authorizer): AdmissionPlugin {
  return {
    mutate: (request, object) => {
      if (!writes(request, APIS_GROUP, 'apibindings') || object.metadata.deletionTimestamp !== undefined) return object;
      const finalizers = object.metadata.finalizers ?? [];
      return finalizers.includes(BINDING_FINALIZER) ? object : withMetadata(object, { finalizers: [...finalizers, BINDING_FINALIZER] });
    },
    validate: (request) => {
      if (!writes(request, APIS_GROUP, 'apibindings') || request.operation === 'DELETE' || request.object === undefined) return [];
      refuseIncompleteClaims(request, request.object);
      const before = request.oldObject;
      const isSame = before !== undefined && sameJson(recordAt(before, 'spec', 'reference'), recordAt(request.object, 'spec', 'reference'));
      if (!isSame) refuseUnlessBindable(view, authorizer, request, request.object);
      return [];
    },
  };
}

const SELECTOR_WORDS = 'either one of matchAll, matchLabels, or matchExpressions must be set';

function refuseIncompleteClaims(request: AdmissionRequest, binding: KubeObject): void {
  const problems = arrayAt(binding, 'spec', 'permissionClaims').flatMap((claim, index) => {
    const selector = recordAt(claim, 'selector');
    const isComplete = ['matchAll', 'matchLabels', 'matchExpressions'].some(
      (key) => selector[key] !== undefined && selector[key] !== false,
    );
    return isComplete ? [] : [`spec.permissionClaims[${index}].selector: Required value: ${SELECTOR_WORDS}`];
  });
  if (problems.length > 0) throw refuse(request, `[${problems.join(' ')}]`);
}

function refuseUnlessBindable(view: ShardView, authorizer: Authorizer, request: AdmissionRequest, binding: KubeObject): void {
  const { user, cluster, operation } = request;
  const { path, name } = exportReference(binding, cluster);
  const found = view.findByPath(API_EXPORTS.bucket, path, name);
  // kcp looks neither for root nor for the own cluster.
  const exportCluster = path === ROOT ? ROOT : (found?.cluster ?? (path === cluster ? cluster : undefined));
  const wanted = { kind: 'resource', verb: 'bind', group: APIS_GROUP, resource: 'apiexports', name } as const;
  if (isMasters(user)) return;
  // A user who may bind need not have access to the exporter's workspace.
  if (exportCluster !== undefined && authorizer.rbacAllows(user, exportCluster, wanted)) return;
  const action = operation === 'CREATE' ? 'create' : 'update';
  const shown = stringAt(binding, 'spec', 'reference', 'export', 'path');
  throw refuse(
    request,
    `unable to ${action} APIBinding: no permission to bind to export ${shown === undefined ? name : `${shown}:${name}`}`,
  );
}

/** Claims on types of other exports must name the identity of that export. */
export function exportAdmission(): AdmissionPlugin {
  return {
    validate: (request) => {
      if (!writes(request, APIS_GROUP, 'apiexports') || request.object === undefined) return [];
      for (const [index, claim] of arrayAt(request.object, 'spec', 'permissionClaims').entries()) {
        const [group, resource, hash] = [
          stringAt(claim, 'group') ?? '',
          stringAt(claim, 'resource') ?? '',
          stringAt(claim, 'identityHash') ?? '',
        ];
        const isBuiltIn = UNIVERSAL_RESOURCES.some((one) => one.group === group && one.resource === resource);
        if (hash !== '' || isBuiltIn || group === APIS_GROUP) continue;
        throw refuse(
          request,
          `spec.permissionClaims[${index}].identityHash: Invalid value: "": identityHash is required for API types that are not built-in`,
        );
      }
      return [];
    },
  };
}

/** Whether a write is kcp's own. */
export function isLoopback({ user }: Pick<AdmissionRequest, 'user'>): boolean {
  return user.username === LOOPBACK.username && isMasters(user);
}
