// Who the webhook is, as a SubjectAccessReview in another workspace names it: the subjects of its ClusterRoleBinding in the dep-ctrl workspace. Pure.
import { clusterOf, type KubeObject } from '@dep-ctrl/kcp-names';

/** Somebody, as a SubjectAccessReview asks about them. */
export interface AskedFor {
  readonly user?: string;
  readonly groups: readonly string[];
}

interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

const EVERYBODY = 'system:authenticated';

/**
 * One for each subject. Outside its own workspace kcp knows a ServiceAccount as a user, with these two groups alone; which groups a user is in, nobody
 * can tell here.
 */
export function webhookSubjects(binding: KubeObject): readonly AskedFor[] {
  const home = clusterOf(binding);
  // A view on an object that kcp validated against its own schema.
  const { subjects } = binding as unknown as { readonly subjects?: readonly Subject[] | null };
  return (subjects ?? []).flatMap(({ kind, name, namespace = '' }): readonly AskedFor[] => {
    if (kind === 'User') return [{ user: name, groups: [EVERYBODY] }];
    if (kind === 'Group') return [{ groups: [name, EVERYBODY] }];
    if (kind !== 'ServiceAccount' || !home.ok) return [];
    return [{ user: `system:kcp:serviceaccount:${home.value}:${namespace}:${name}`, groups: [EVERYBODY, `system:cluster:${home.value}`] }];
  });
}
