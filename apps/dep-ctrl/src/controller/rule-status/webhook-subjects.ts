// The identities of the webhook, as a SubjectAccessReview in another workspace names them: the subjects of its ClusterRoleBinding. Pure.
import { clusterOf, type KubeObject } from '@dep-ctrl/kcp-names';
import { EVERYBODY, type AskedFor } from '../../read-access/access-review.js';
import { subjectsIn } from '../../read-access/rbac-parts.js';

/**
 * One identity for each subject. Outside its own workspace kcp knows a ServiceAccount as a user with these two groups. The groups of a user are not known
 * here.
 */
export function webhookSubjects(binding: KubeObject): readonly AskedFor[] {
  const home = clusterOf(binding);
  return subjectsIn(binding).flatMap(({ kind, name, namespace }): readonly AskedFor[] => {
    if (kind === 'User') return [{ user: name, groups: [EVERYBODY] }];
    if (kind === 'Group') return [{ groups: [name, EVERYBODY] }];
    if (kind !== 'ServiceAccount' || !home.ok) return [];
    return [{ user: `system:kcp:serviceaccount:${home.value}:${namespace}:${name}`, groups: [EVERYBODY, `system:cluster:${home.value}`] }];
  });
}
