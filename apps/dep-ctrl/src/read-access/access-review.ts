// Asks kcp whether somebody has a right. Pure: the question and its answer.
import type { V1SubjectAccessReview } from '@kubernetes/client-node';
import type { Wire } from '@dep-ctrl/kcp-client/client-node';
import type { GroupResource, GroupVersionResource, KubeObject } from '@dep-ctrl/kcp-names';

/** The type of the question. */
export const ACCESS_REVIEWS: GroupVersionResource = { group: 'authorization.k8s.io', version: 'v1', resource: 'subjectaccessreviews' };

/** The group of everybody who is known to kcp. */
export const EVERYBODY = 'system:authenticated';

/** An identity in a SubjectAccessReview. */
export interface AskedFor {
  readonly user?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** The answer of one SubjectAccessReview. */
export type ReviewAnswer = 'allowed' | 'denied' | 'none';

/** Asks kcp whether an identity may list a type. */
export function mayList(subject: AskedFor, type: GroupResource): KubeObject {
  return mayDo(subject, { verb: 'list', ...type });
}

/** Asks kcp whether an identity may do that. */
export function mayDo(
  subject: AskedFor,
  { verb, group, resource, name }: GroupResource & { readonly verb: string; readonly name?: string },
): KubeObject {
  const spec = { ...subject, resourceAttributes: { verb, group, resource, ...(name !== undefined && { name }) } };
  const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', metadata: {}, spec };
  return review satisfies Wire<V1SubjectAccessReview>;
}

/** Reads the status of a SubjectAccessReview. An answer with an evaluation error counts only if it allows. */
export function answerIn(review: KubeObject): ReviewAnswer {
  const { allowed, evaluationError = '' } = (review['status'] ?? {}) as { readonly allowed?: unknown; readonly evaluationError?: string };
  if (allowed === true) return 'allowed';
  return allowed === false && evaluationError === '' ? 'denied' : 'none';
}
