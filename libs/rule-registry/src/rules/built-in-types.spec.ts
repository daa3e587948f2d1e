import { describe, expect, it } from '@jest/globals';
import { isBuiltInType } from './built-in-types.js';

describe(isBuiltInType, () => {
  it.each([
    ['', 'configmaps', true],
    ['admissionregistration.k8s.io', 'validatingwebhookconfigurations', true],
    ['apiextensions.k8s.io', 'customresourcedefinitions', true],
    ['apiregistration.k8s.io', 'apiservices', true],
    ['apis.kcp.io', 'apibindings', true],
    ['authentication.k8s.io', 'tokenreviews', true],
    ['authorization.k8s.io', 'subjectaccessreviews', true],
    ['certificates.k8s.io', 'certificatesigningrequests', true],
    ['coordination.k8s.io', 'leases', true],
    ['events.k8s.io', 'events', true],
    ['flowcontrol.apiserver.k8s.io', 'flowschemas', true],
    ['rbac.authorization.k8s.io', 'clusterroles', true],
    ['core.kcp.io', 'logicalclusters', true],
    ['core.kcp.io', 'shards', false],
    ['example.com', 'logicalclusters', false],
    ['apps', 'deployments', false],
    ['tenancy.kcp.io', 'workspaces', false],
  ])('given %s %s, then kcp serves it by itself: %s', (group, resource, expected) => {
    expect(isBuiltInType({ group, resource })).toBe(expected);
  });
});
