/** A rule of a Role or ClusterRole. */
export interface PolicyRule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly verbs: readonly string[];
}

/** kcp lets nobody into a workspace without it. */
export const ENTER: PolicyRule = { nonResourceURLs: ['/'], verbs: ['access'] };
