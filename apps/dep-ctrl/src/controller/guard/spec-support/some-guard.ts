import type { KubeObject } from '@dep-ctrl/kcp-names';
import type { GuardRuleEntry } from '@dep-ctrl/rule-registry';

/** What a guard says of one rule. */
export const entry: GuardRuleEntry = {
  cluster: 'c1',
  path: 'root:compute',
  rule: 'vms',
  dependent: 'VirtualMachine.x',
  resource: 'vpcs.y',
  enforcement: 'Deny',
};

/** A guard of the provider's own, which somebody else holds too. */
export const guard: KubeObject = { metadata: { name: 'dependency-controller', generation: 3, finalizers: ['other'] } };
