import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { webhookSubjects } from './webhook-subjects.js';

const binding = (subjects: unknown, annotations: Readonly<Record<string, string>> = { 'kcp.io/cluster': 'home' }): KubeObject => ({
  metadata: { name: 'dep-ctrl:webhook', annotations },
  subjects,
});

describe(webhookSubjects, () => {
  it.each([
    {
      given: 'a user',
      object: binding([{ kind: 'User', name: 'hook' }]),
      expected: [{ user: 'hook', groups: ['system:authenticated'] }],
    },
    {
      given: 'a group',
      object: binding([{ kind: 'Group', name: 'hooks' }]),
      expected: [{ groups: ['hooks', 'system:authenticated'] }],
    },
    {
      given: 'a ServiceAccount, which other workspaces know as a user',
      object: binding([{ kind: 'ServiceAccount', namespace: 'default', name: 'hook' }]),
      expected: [{ user: 'system:kcp:serviceaccount:home:default:hook', groups: ['system:authenticated', 'system:cluster:home'] }],
    },
    {
      given: 'two of them',
      object: binding([
        { kind: 'ServiceAccount', namespace: 'default', name: 'hook' },
        { kind: 'User', name: 'all' },
      ]),
      expected: [
        { user: 'system:kcp:serviceaccount:home:default:hook', groups: ['system:authenticated', 'system:cluster:home'] },
        { user: 'all', groups: ['system:authenticated'] },
      ],
    },
    {
      given: 'a ServiceAccount of nobody knows which cluster',
      object: binding([{ kind: 'ServiceAccount', name: 'hook' }], {}),
      expected: [],
    },
    { given: 'a kind that is none', object: binding([{ kind: 'Robot', name: 'hook' }]), expected: [] },
    { given: 'nobody', object: binding(undefined), expected: [] },
  ])('given $given, then kcp is asked about them by the names that it knows', ({ object, expected }) => {
    expect(webhookSubjects(object)).toEqual(expected);
  });
});
