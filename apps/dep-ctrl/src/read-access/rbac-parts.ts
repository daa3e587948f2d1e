// Reads the parts of RBAC objects and the like. What is none is left out. Pure.
import type { V1PolicyRule } from '@kubernetes/client-node';
import { elements, record, text, type KubeObject } from '@dep-ctrl/kcp-names';
import type { PolicyRule } from './policy-rule.js';

/** Whom a binding names. */
export interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
}

/** The subjects of a ClusterRoleBinding. */
export function subjectsIn(binding: KubeObject): readonly Subject[] {
  return elements(binding['subjects']).map((one) => {
    const { kind, name, namespace } = record(one) ?? {};
    return { kind: text(kind) ?? '', name: text(name) ?? '', namespace: text(namespace) ?? '' };
  });
}

/** The rules in a list of them. A field that is absent stays absent: it means something else than an empty one. */
export function policyRulesIn(list: unknown): readonly PolicyRule[] {
  return elements(list).map((one) => {
    const rule = record(one) ?? {};
    const given = FIELDS.flatMap((field) => (rule[field] === undefined ? [] : [[field, texts(rule[field])] as const]));
    return { verbs: [], ...Object.fromEntries(given) };
  });
}

const FIELDS = ['apiGroups', 'resources', 'resourceNames', 'nonResourceURLs', 'verbs'] as const satisfies readonly (keyof V1PolicyRule)[];

function texts(list: unknown): readonly string[] {
  return elements(list).filter((one) => typeof one === 'string');
}
