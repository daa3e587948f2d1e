import type { GroupVersionResource, KubeObject } from '@dep-ctrl/kcp-names';

/** The type that this library writes. */
export const WEBHOOK_CONFIGURATIONS: GroupVersionResource = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  resource: 'validatingwebhookconfigurations',
};

/** Which requests an entry is asked about. Every list is a set: its order means nothing. */
export interface WebhookRule {
  readonly operations: readonly string[];
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  readonly resources: readonly string[];
  readonly scope?: '*' | 'Cluster' | 'Namespaced';
}

/** One entry of a configuration, finished by the caller. A field left out is what the API server makes of it. */
export interface DesiredWebhook {
  readonly name: string;
  /** `caBundle` is base64 of PEM, as the API server shows it (see `encodeCaBundle`). */
  readonly clientConfig: { readonly url: string; readonly caBundle?: string };
  readonly rules: readonly WebhookRule[];
  readonly failurePolicy?: 'Fail' | 'Ignore';
  readonly timeoutSeconds?: number;
  readonly matchPolicy?: 'Equivalent' | 'Exact';
  readonly matchConditions?: readonly { readonly name: string; readonly expression: string }[];
  readonly sideEffects: 'None' | 'NoneOnDryRun';
  readonly admissionReviewVersions: readonly string[];
}

/** What a configuration should hold. No entries: it should not exist. */
export interface DesiredConfiguration {
  /** Set on the object beside those that are there already; the ownership label comes on top. */
  readonly labels: Readonly<Record<string, string>>;
  readonly webhooks: readonly DesiredWebhook[];
}

/** How a configuration is told from everybody else's. */
export interface Ownership {
  readonly label: string;
  readonly value: string;
  /** Whether a configuration of our name without the label was left by an older version and may be taken over. */
  readonly adopt: (configuration: KubeObject) => boolean;
}
