// All admission plugins of a shard, in the order in which they run before a write.
import type { Authorizer } from '../authorization/authorizer.js';
import type { ShardView } from '../kcp/shards/shard-view.js';
import type { FindType } from '../kcp/kinds/workspace-types.js';
import type { AdmissionPlugin } from './admission-chain.js';
import { bindingAdmission, exportAdmission } from './binding-admission.js';
import { claimLabelPlugin, type ClaimLabels } from './claim-labels.js';
import { namespaceLifecycle } from './namespace-lifecycle.js';
import { notCovered } from './not-covered.js';
import { pathAnnotation } from './path-annotation.js';
import { rbacEscalation } from './rbac-escalation.js';
import { schemaAdmission } from './schema-admission.js';
import { logicalClusterAdmission, workspaceAdmission } from './workspace-admission.js';

/** The parts that the plugins of a shard need. */
export interface AdmissionParts {
  readonly view: ShardView;
  readonly authorizer: Authorizer;
  readonly findType: FindType;
  readonly claimLabels: ClaimLabels;
  readonly policies: AdmissionPlugin;
  readonly webhooks: AdmissionPlugin;
}

/** The plugins of a shard. Webhooks come last: they see what the others have made of an object. */
export function admissionPlugins({
  view,
  authorizer,
  findType,
  claimLabels,
  policies,
  webhooks,
}: AdmissionParts): readonly AdmissionPlugin[] {
  return [
    notCovered(),
    namespaceLifecycle(view),
    pathAnnotation(view),
    workspaceAdmission(view, authorizer, findType),
    logicalClusterAdmission(),
    bindingAdmission(view, authorizer),
    exportAdmission(),
    schemaAdmission(),
    rbacEscalation(view, authorizer),
    claimLabelPlugin(view, claimLabels),
    policies,
    webhooks,
  ];
}
