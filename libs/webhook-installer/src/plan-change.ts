import { apiVersionOf, type KubeObject } from '@dep-ctrl/kcp-names';
import { canonicalText, canonicalWebhooks } from './canonical-webhooks.js';
import { WEBHOOK_CONFIGURATIONS, type DesiredConfiguration, type Ownership } from './webhook-configuration.js';

/** What to do to bring an observed configuration to the desired one. */
export type ConfigurationPlan =
  | { readonly kind: 'none'; readonly because: 'same' | 'absent' | 'not-ours' }
  | { readonly kind: 'create'; readonly object: KubeObject }
  | { readonly kind: 'replace' | 'adopt'; readonly object: KubeObject }
  | { readonly kind: 'remove'; readonly object: KubeObject }
  | { readonly kind: 'conflict'; readonly owner: string | undefined };

/** What is known when a change is planned. */
export interface PlanInput {
  readonly name: string;
  readonly desired: DesiredConfiguration;
  readonly observed: KubeObject | undefined;
  readonly ownership: Ownership;
}

/**
 * Decides the one change that makes observed equal desired. A configuration of another owner is never written and never removed;
 * metadata that is not ours to decide (labels, annotations, finalizers of others) stays.
 */
export function planChange(input: PlanInput): ConfigurationPlan {
  const { desired, observed, ownership } = input;
  if (observed === undefined) return desired.webhooks.length === 0 ? none('absent') : { kind: 'create', object: firstObject(input) };
  const owner = observed.metadata.labels?.[ownership.label];
  const isOurs = owner === ownership.value;
  if (!isOurs && !(owner === undefined && ownership.adopt(observed))) {
    return desired.webhooks.length === 0 ? none('not-ours') : { kind: 'conflict', owner };
  }
  if (desired.webhooks.length === 0) return { kind: 'remove', object: observed };
  if (!isOurs) return { kind: 'adopt', object: nextObject(observed, input) };
  return holds(observed, input) ? none('same') : { kind: 'replace', object: nextObject(observed, input) };
}

/** Whether an observed configuration is already what is desired, label of ownership included. */
export function holds(observed: KubeObject, { desired, ownership }: Pick<PlanInput, 'desired' | 'ownership'>): boolean {
  const labels = Object.entries(allLabels({ desired, ownership }));
  return (
    labels.every(([key, value]) => observed.metadata.labels?.[key] === value) &&
    canonicalText(observed['webhooks']) === canonicalText(desired.webhooks)
  );
}

function none(because: 'same' | 'absent' | 'not-ours'): ConfigurationPlan {
  return { kind: 'none', because };
}

function firstObject({ name, desired, ownership }: PlanInput): KubeObject {
  return {
    apiVersion: apiVersionOf(WEBHOOK_CONFIGURATIONS),
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name, labels: allLabels({ desired, ownership }) },
    webhooks: canonicalWebhooks(desired.webhooks),
  };
}

function nextObject(observed: KubeObject, { desired, ownership }: PlanInput): KubeObject {
  return {
    ...observed,
    apiVersion: apiVersionOf(WEBHOOK_CONFIGURATIONS),
    kind: 'ValidatingWebhookConfiguration',
    metadata: { ...observed.metadata, labels: { ...observed.metadata.labels, ...allLabels({ desired, ownership }) } },
    webhooks: canonicalWebhooks(desired.webhooks),
  };
}

function allLabels({ desired, ownership }: Pick<PlanInput, 'desired' | 'ownership'>): Record<string, string> {
  return { ...desired.labels, [ownership.label]: ownership.value };
}
