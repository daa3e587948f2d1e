import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { homeProtection, PROTECTION_PLACE, protectionName, protectionState, protectionType } from './home-protection.js';

const HOME = '1k7ez4pisisnd9rg';
const [policy = { metadata: {} }, binding = { metadata: {} }] = homeProtection(HOME);

describe(homeProtection, () => {
  it('given the workspace of dep-ctrl, then a policy refuses every delete of it alone, and says what to do first', () => {
    const metadata = {
      name: `dep-ctrl-workspace-${HOME}`,
      labels: { 'app.kubernetes.io/managed-by': 'dep-ctrl', 'dependencies.opendefense.cloud/export-cluster': HOME },
    };

    expect(homeProtection(HOME)).toEqual([
      {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingAdmissionPolicy',
        metadata,
        spec: {
          failurePolicy: 'Ignore',
          matchConstraints: {
            resourceRules: [
              { apiGroups: ['tenancy.kcp.io'], apiVersions: ['*'], operations: ['DELETE'], resources: ['workspaces'], scope: '*' },
            ],
          },
          matchConditions: [{ name: 'home-of-dep-ctrl', expression: `oldObject.?spec.?cluster.orValue('') == '${HOME}'` }],
          validations: [
            {
              expression: 'false',
              reason: 'Forbidden',
              message: 'every rule of dep-ctrl would go with it: run "dep-ctrl uninstall" for this workspace first',
            },
          ],
        },
      },
      {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingAdmissionPolicyBinding',
        metadata,
        spec: { policyName: metadata.name, validationActions: ['Deny'] },
      },
    ]);
    expect([PROTECTION_PLACE, protectionName(HOME)]).toEqual(['root', metadata.name]);
  });
});

describe(protectionType, () => {
  it('given the kind of one of the objects, then its type is known; given another kind or none, then that is a bug', () => {
    const types = homeProtection(HOME).map(protectionType);

    expect(types).toEqual([
      { group: 'admissionregistration.k8s.io', version: 'v1', resource: 'validatingadmissionpolicies' },
      { group: 'admissionregistration.k8s.io', version: 'v1', resource: 'validatingadmissionpolicybindings' },
    ]);
    expect(() => protectionType({ kind: 'Secret', metadata: {} })).toThrow('"Secret" is no kind of the protection');
    expect(() => protectionType({ metadata: {} })).toThrow('"" is no kind of the protection');
  });
});

describe(protectionState, () => {
  const whole = { ValidatingAdmissionPolicy: policy, ValidatingAdmissionPolicyBinding: binding };

  it.each<{ given: string; found: Readonly<Record<string, KubeObject>>; expected: string }>([
    { given: 'both as they should be', found: whole, expected: 'protected' },
    { given: 'neither', found: {}, expected: 'unprotected' },
    { given: 'the policy alone', found: { ValidatingAdmissionPolicy: policy }, expected: 'partly' },
    { given: 'the binding alone', found: { ValidatingAdmissionPolicyBinding: binding }, expected: 'partly' },
    {
      given: 'a binding that somebody changed',
      found: {
        ...whole,
        ValidatingAdmissionPolicyBinding: { ...binding, spec: { policyName: protectionName(HOME), validationActions: ['Audit'] } },
      },
      expected: 'partly',
    },
    {
      given: 'those of another workspace',
      found: Object.fromEntries(homeProtection('other').map((each) => [each.kind ?? '', each])),
      expected: 'partly',
    },
  ])('given $given, then the workspace is $expected', ({ found, expected }) => {
    expect(protectionState(new Map(Object.entries(found)), HOME)).toBe(expected);
  });
});
