import { describe, expect, it } from '@jest/globals';
import { desiredAdmission } from './desired-admission.js';

const webhookUrl = 'https://dep-ctrl.example.com:9443/validate';

describe(desiredAdmission, () => {
  it('given an address, then kcp asks there about every rule and guard whose spec is created or changed, and refuses while nobody answers', () => {
    expect(desiredAdmission({ webhookUrl, urlToken: 'token', caBundle: 'Y2E=' })).toEqual({
      labels: { 'app.kubernetes.io/managed-by': 'dep-ctrl' },
      webhooks: [
        {
          name: 'admission.dependencies.opendefense.cloud',
          clientConfig: { url: 'https://dep-ctrl.example.com:9443/admit/token', caBundle: 'Y2E=' },
          rules: [
            {
              operations: ['CREATE', 'UPDATE'],
              apiGroups: ['dependencies.opendefense.cloud'],
              apiVersions: ['*'],
              resources: ['dependencyguards', 'dependencyrules'],
              scope: '*',
            },
          ],
          failurePolicy: 'Fail',
          timeoutSeconds: 10,
          matchPolicy: 'Equivalent',
          matchConditions: [
            { name: 'has-spec', expression: 'has(object.spec)' },
            {
              name: 'spec-changes',
              expression: "request.operation == 'CREATE' || !has(oldObject.spec) || object.spec != oldObject.spec",
            },
            { name: 'not-leaving', expression: '!has(object.metadata.deletionTimestamp)' },
          ],
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
        },
      ],
    });
  });

  it('given neither token nor CA, then the URL ends before it and trust is that of the API servers', () => {
    expect(desiredAdmission({ webhookUrl }).webhooks[0]?.clientConfig).toStrictEqual({ url: 'https://dep-ctrl.example.com:9443/admit' });
  });
});
