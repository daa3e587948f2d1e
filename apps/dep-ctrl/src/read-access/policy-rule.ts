/** A rule of a Role or ClusterRole. */
export interface PolicyRule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly verbs: readonly string[];
}

/** The right to enter a workspace: without it kcp refuses everything there. */
export const ENTER: PolicyRule = { nonResourceURLs: ['/'], verbs: ['access'] };
