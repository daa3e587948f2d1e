import { describe, expect, it } from '@jest/globals';
import { gapIn } from './not-covered.js';

describe(gapIn, () => {
  it.each([
    { given: 'a quota', type: ['', 'resourcequotas'], object: {}, expected: 'the enforcement of ResourceQuotas' },
    {
      given: 'a mutating webhook',
      type: ['admissionregistration.k8s.io', 'mutatingwebhookconfigurations'],
      object: { webhooks: [{ name: 'a.b.c' }] },
      expected: 'mutating webhooks',
    },
    {
      given: 'a configuration without any',
      type: ['admissionregistration.k8s.io', 'mutatingwebhookconfigurations'],
      object: { webhooks: [] },
      expected: undefined,
    },
    {
      given: 'a policy with parameters',
      type: ['admissionregistration.k8s.io', 'validatingadmissionpolicies'],
      object: { spec: { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } } },
      expected: 'policies with parameters, variables, audit annotations or computed messages',
    },
    {
      given: 'a policy about selected objects',
      type: ['admissionregistration.k8s.io', 'validatingadmissionpolicies'],
      object: { spec: { matchConstraints: { objectSelector: { matchLabels: { a: 'b' } } } } },
      expected: 'policies about single names or selected objects',
    },
    {
      given: 'a policy that asks the authorizer',
      type: ['admissionregistration.k8s.io', 'validatingadmissionpolicies'],
      object: { spec: { validations: [{ expression: "authorizer.path('/a').check('get').allowed()" }] } },
      expected: 'expressions that ask the authorizer or for the namespace object, or call functions beyond those of plain CEL',
    },
    {
      given: 'a policy that refuses',
      type: ['admissionregistration.k8s.io', 'validatingadmissionpolicies'],
      object: { spec: { matchConstraints: { objectSelector: {}, resourceRules: [{}] }, validations: [{ expression: 'false' }] } },
      expected: undefined,
    },
    {
      given: 'a policy that warns',
      type: ['admissionregistration.k8s.io', 'validatingadmissionpolicybindings'],
      object: { spec: { policyName: 'a', validationActions: ['Warn'] } },
      expected: 'policies that are bound with parameters, to some objects, or to warn or audit',
    },
    { given: 'a mount', type: ['tenancy.kcp.io', 'workspaces'], object: { spec: { mount: {} } }, expected: 'mounted workspaces' },
    { given: 'a plain workspace', type: ['tenancy.kcp.io', 'workspaces'], object: { spec: {} }, expected: undefined },
    {
      given: 'a schema that is converted by a webhook',
      type: ['apis.kcp.io', 'apiresourceschemas'],
      object: { spec: { conversion: { strategy: 'Webhook' } } },
      expected: 'conversion webhooks',
    },
    {
      given: 'a schema with a scale subresource',
      type: ['apis.kcp.io', 'apiresourceschemas'],
      object: { spec: { versions: [{ subresources: { scale: {} } }] } },
      expected: 'scale subresources',
    },
    { given: 'a type that has no gaps', type: ['', 'configmaps'], object: {}, expected: undefined },
  ] as const)('given $given, then $expected', ({ type: [group, resource], object, expected }) => {
    expect(gapIn(group, resource, { metadata: {}, ...object })).toBe(expected);
  });
});
