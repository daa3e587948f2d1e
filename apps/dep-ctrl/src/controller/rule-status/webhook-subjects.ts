// The identities of the webhook, as a SubjectAccessReview in another workspace names them: the subjects of its ClusterRoleBinding. Pure.
import type { V1ClusterRoleBinding } from '@kubernetes/client-node';
import type { Wire } from '@dep-ctrl/kcp-client/client-node';
import { clusterOf, type KubeObject } from '@dep-ctrl/kcp-names';
import { EVERYBODY, type AskedFor } from '../../read-access/access-review.js';

/**
 * One identity for each subject. Outside its own workspace kcp knows a ServiceAccount as a user with these two groups. The groups of a user are not known
 * here.
 */
export function webhookSubjects(binding: KubeObject): readonly AskedFor[] {
  const home = clusterOf(binding);
  // A view on an object that kcp validated against its own schema.
  const { subjects } = binding as unknown as Wire<V1ClusterRoleBinding>;
  return (subjects ?? []).flatMap(({ kind, name, namespace = '' }): readonly AskedFor[] => {
    if (kind === 'User') return [{ user: name, groups: [EVERYBODY] }];
    if (kind === 'Group') return [{ groups: [name, EVERYBODY] }];
    if (kind !== 'ServiceAccount' || !home.ok) return [];
    return [{ user: `system:kcp:serviceaccount:${home.value}:${namespace}:${name}`, groups: [EVERYBODY, `system:cluster:${home.value}`] }];
  });
}
