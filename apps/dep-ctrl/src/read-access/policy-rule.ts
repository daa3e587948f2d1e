import type { V1PolicyRule } from '@kubernetes/client-node';
import type { Wire } from '@dep-ctrl/kcp-client/client-node';

/** A rule of a Role or ClusterRole. */
export type PolicyRule = Wire<V1PolicyRule>;

/** The right to enter a workspace: without it kcp refuses everything there. */
export const ENTER: PolicyRule = { nonResourceURLs: ['/'], verbs: ['access'] };
