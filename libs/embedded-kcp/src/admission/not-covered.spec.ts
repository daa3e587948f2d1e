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
