import { compareText } from '@dep-ctrl/kcp-names';
import type { Guard, GuardRuleRef } from '../rules/guard.js';

/** The three kinds that are read from every endpoint. */
export type EndpointList = 'rules' | 'guards' | 'workspaces';

/** The three kinds, in the order in which they are named to people. */
export const ENDPOINT_LISTS = ['rules', 'guards', 'workspaces'] as const satisfies readonly EndpointList[];

/**
 * What is known of an endpoint. `syncing`: something was never listed. `listed`: everything was, once. `withdrawn`: kcp no longer
 * names it; what it delivered counts until an endpoint that serves the workspace says otherwise.
 */
export type EndpointKnowledge =
  { readonly state: 'syncing'; readonly missing: readonly EndpointList[] } | { readonly state: 'listed' } | { readonly state: 'withdrawn' };

/** What has to be read before an answer is complete. */
export type MissingKnowledge =
  | { readonly kind: 'endpoints' }
  | { readonly kind: 'endpoint'; readonly endpoint: string; readonly lists: readonly EndpointList[] }
  | { readonly kind: 'rule'; readonly rule: GuardRuleRef };

/** What is missing everywhere: the endpoints themselves, or what some of them serve. */
export function missingEverywhere(endpoints: ReadonlyMap<string, EndpointKnowledge> | 'unread'): readonly MissingKnowledge[] {
  if (endpoints === 'unread') return [{ kind: 'endpoints' }];
  return [...endpoints]
    .flatMap(([endpoint, known]) => (known.state === 'syncing' ? [{ kind: 'endpoint' as const, endpoint, lists: known.missing }] : []))
    .toSorted((a, b) => compareText(a.endpoint, b.endpoint));
}

/** What there is to know about the rules of one or of all authors in one guarded workspace. */
export interface ClusterKnowledgeInput {
  /** The guard of the workspace. */
  readonly guard: Pick<Guard, 'namesEveryRule'> | undefined;
  /** The rules that the guard names. */
  readonly named: readonly GuardRuleRef[];
  readonly everywhere: readonly MissingKnowledge[];
  /** Whether a rule that a guard names is known: read, refused, or proven gone. */
  readonly isKnown: (rule: GuardRuleRef) => boolean;
}

/**
 * What is missing to know every rule that guards one workspace. Its guard names them, so a dead endpoint elsewhere blocks no deletion;
 * without a guard that names them all, every endpoint has to be known beside those that it names: an endpoint that vanishes is not a rule
 * that vanishes.
 */
export function missingFor({ guard, named, everywhere, isKnown }: ClusterKnowledgeInput): readonly MissingKnowledge[] {
  const unknown = named.filter((rule) => !isKnown(rule)).map((rule) => ({ kind: 'rule' as const, rule }));
  return guard?.namesEveryRule === true ? unknown : [...everywhere, ...unknown];
}

/** One line for people: what is being waited for. */
export function describeMissing(missing: MissingKnowledge): string {
  switch (missing.kind) {
    case 'endpoints':
      return 'the endpoints of the export have not been read';
    case 'endpoint':
      return `${missing.lists.join(', ')} of ${missing.endpoint} have not been listed`;
    case 'rule':
      return `rule ${missing.rule.name} of ${missing.rule.cluster} has not been read`;
  }
}
