/*
 * What the configuration in dep-ctrl's own workspace holds. kcp takes the webhooks of a bound type from the workspace that exports it, so this one
 * holds for the rules and guards of every provider. Pure.
 */
import { API_GROUP, GUARDS, RULES } from '@dep-ctrl/rule-registry';
import type { DesiredConfiguration } from '@dep-ctrl/webhook-installer';
import { MANAGED_BY } from '../../own-objects/configuration-labels.js';

/** Where kcp asks, and whom it believes there. */
export interface AdmissionAddress {
  /** `https://host:port/validate`, as the other configurations use it. */
  readonly webhookUrl: string;
  /** Last path segment that shows the webhook who is asking. */
  readonly urlToken?: string;
  /** Base64 of PEM; absent where the serving certificate is one that every API server trusts. */
  readonly caBundle?: string;
}

/** The name of its one entry, which refusals begin with. */
export const ADMISSION_ENTRY = `admission.${API_GROUP}`;

// Labels, finalizers and everything else beside the spec pass without a question, and so do the controller's guards, which have none: no unbinding
// and no removal ever waits for a webhook. kcp evaluates all of them; one that is false is enough, whatever becomes of the others.
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
