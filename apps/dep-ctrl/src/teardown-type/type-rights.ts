// Asks kcp whether those who run the controller may follow the type and end what waits for it. Rights on paper do not say it: WorkspaceTypes are of an
// export of root, whose policy about them counts too.
import type { ClusterClient, Stoppable } from '@dep-ctrl/kcp-client';
import type { KubeObject, LogicalClusterName } from '@dep-ctrl/kcp-names';
import { WORKSPACE_TYPES } from '@dep-ctrl/kcp-objects';
import { ACCESS_REVIEWS, answerIn, EVERYBODY, mayDo, type AskedFor, type ReviewAnswer } from '../read-access/access-review.js';
import { subjectsIn, type Subject } from '../read-access/rbac-parts.js';
import { TEARDOWN_TYPE } from './teardown-type.js';

/** What the controller does with the type. */
export const TYPE_VERBS = ['list', 'watch', 'terminate'] as const;

/** An identity that is bound to the rights about the type. */
export interface Follower {
  /** For people. */
  readonly name: string;
  readonly asked: AskedFor;
}

/** The subjects that a binding names, as kcp knows them in the workspace of the binding. Pure. */
export function followersIn(binding: KubeObject, home: LogicalClusterName): readonly Follower[] {
  return subjectsIn(binding).map((subject) => ({ name: `${subject.kind} ${subject.name}`, asked: askedFor(subject, home) }));
}

function askedFor({ kind, name, namespace }: Subject, home: string): AskedFor {
  if (kind === 'User') return { user: name, groups: [EVERYBODY] };
  if (kind === 'Group') return { groups: [name, EVERYBODY] };
  return {
    user: `system:serviceaccount:${namespace}:${name}`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, EVERYBODY],
    // Without it kcp takes the account for one of every workspace.
    extra: { 'authentication.kcp.io/cluster-name': [home] },
  };
}

/** kcp's answers about one follower: to each verb. */
export async function mayFollow(home: ClusterClient, { asked }: Follower, options: Stoppable): Promise<readonly ReviewAnswer[]> {
  const { group, resource } = WORKSPACE_TYPES;
  return Promise.all(
    TYPE_VERBS.map(async (verb) =>
      answerIn(await home.create(ACCESS_REVIEWS, mayDo(asked, { verb, group, resource, name: TEARDOWN_TYPE }), options)),
    ),
  );
}
