/*
 * The configuration in dep-ctrl's own workspace. kcp takes the webhooks of a bound type from the workspace that exports it, so this configuration applies
 * to the rules and guards of every provider. Pure.
 */
import { API_GROUP, GUARDS, RULES } from '@dep-ctrl/rule-registry';
import type { DesiredConfiguration } from '@dep-ctrl/webhook-installer';
import { MANAGED_BY } from '../../own-objects/configuration-labels.js';

/** The URL that kcp calls, and the CA that it trusts. */
export interface AdmissionAddress {
  /** `https://host:port/validate`, as the other configurations use it. */
  readonly webhookUrl: string;
  /** Last path segment of the URL. It proves that kcp is calling. */
  readonly urlToken?: string | undefined;
  /** Base64 of PEM; absent where the serving certificate is one that every API server trusts. */
  readonly caBundle?: string | undefined;
}

/** The name of the one entry. Refusals begin with it. */
export const ADMISSION_ENTRY = `admission.${API_GROUP}`;

// kcp calls the webhook only for changes of the spec. Labels and finalizers pass, and so do the controller's guards, which have no spec: unbinding and
// removing never wait for a webhook. kcp evaluates all conditions; one that is false is enough, even if others fail.
const CONDITIONS = [
  { name: 'has-spec', expression: 'has(object.spec)' },
  { name: 'spec-changes', expression: "request.operation == 'CREATE' || !has(oldObject.spec) || object.spec != oldObject.spec" },
  { name: 'not-leaving', expression: '!has(object.metadata.deletionTimestamp)' },
];

/** The configuration. */
export function desiredAdmission({ webhookUrl, urlToken, caBundle }: AdmissionAddress): DesiredConfiguration {
  const token = urlToken === undefined ? '' : `/${urlToken}`;
  return {
    labels: { [MANAGED_BY.label]: MANAGED_BY.value },
    webhooks: [
      {
        name: ADMISSION_ENTRY,
        clientConfig: { url: `${new URL(webhookUrl).origin}/admit${token}`, ...(caBundle !== undefined && { caBundle }) },
        rules: [
          {
            operations: ['CREATE', 'UPDATE'],
            apiGroups: [API_GROUP],
            apiVersions: ['*'],
            resources: [GUARDS.resource, RULES.resource],
            scope: '*',
          },
        ],
        failurePolicy: 'Fail',
        timeoutSeconds: 10,
        matchPolicy: 'Equivalent',
        matchConditions: CONDITIONS,
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  };
}
