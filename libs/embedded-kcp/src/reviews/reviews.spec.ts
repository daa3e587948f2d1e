import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Agent, request } from 'undici';
import { EmbeddedKcp } from '../installation/embedded-kcp.js';
import { answerRules } from './access-reviews.js';

describe('reviews of rights', () => {
  let kcp: EmbeddedKcp;
  let agent: Agent;
  beforeAll(async () => {
    kcp = await EmbeddedKcp.start({ delays: 'fast' });
    agent = new Agent({ connect: { ca: kcp.ca } });
  });
  afterAll(async () => {
    await agent.destroy();
    await kcp.stop();
  });

  const ask = async (kind: string, spec: object): Promise<unknown> => {
    const { body } = await request(`${kcp.baseUrl}/clusters/root/apis/authorization.k8s.io/v1/${kind.toLowerCase()}s`, {
      dispatcher: agent,
      method: 'POST',
      headers: { authorization: `Bearer ${kcp.token('me', ['system:kcp:admin'])}` },
      body: JSON.stringify({ apiVersion: 'authorization.k8s.io/v1', kind, spec }),
    });
    return body.json();
  };
  const workspaces = { verb: 'list', group: 'tenancy.kcp.io', resource: 'workspaces' };

  it.each([
    {
      given: 'a user whose group may',
      spec: { user: 'alice', groups: ['system:authenticated'], resourceAttributes: workspaces },
      expected: { allowed: true, reason: 'access granted' },
    },
    {
      given: 'a user without the group',
      spec: { user: 'alice', resourceAttributes: workspaces },
      expected: { allowed: false, reason: 'access denied' },
    },
    {
      given: 'masters',
      spec: { user: 'x', groups: ['system:masters'], resourceAttributes: { verb: 'list', resource: 'x' } },
      expected: { allowed: true },
    },
  ])('given $given, when asked, then the status is that of kcp', async ({ spec, expected }) => {
    expect(await ask('SubjectAccessReview', spec)).toMatchObject({ status: expected });
  });

  it.each([
    {
      given: 'no attributes',
      spec: { user: 'a' },
      what: 'spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified',
    },
    {
      given: 'nobody',
      spec: { resourceAttributes: workspaces },
      what: 'spec.user: Invalid value: "": at least one of user or group must be specified',
    },
  ])('given $given, when asked, then it is 422 in the words of kcp', async ({ spec, what }) => {
    expect(await ask('SubjectAccessReview', spec)).toMatchObject({ code: 422, message: `.authorization.k8s.io "" is invalid: ${what}` });
  });

  it('given the caller, when it asks about itself, then its own rights count', async () => {
    expect(await ask('SelfSubjectAccessReview', { resourceAttributes: { verb: 'delete', resource: 'secrets' } })).toMatchObject({
      status: { allowed: true },
    });
  });
});

describe(answerRules, () => {
  it('given rules for resources and for paths, when listed, then they are told apart and empty lists are left out', () => {
    const rules = [
      { verbs: ['get'], apiGroups: [''], resources: ['configmaps'], resourceNames: [] },
      { verbs: ['access'], nonResourceURLs: ['/'] },
    ];

    expect(answerRules('default', rules)).toEqual({
      resourceRules: [{ verbs: ['get'], apiGroups: [''], resources: ['configmaps'] }],
      nonResourceRules: [{ verbs: ['access'], nonResourceURLs: ['/'] }],
      incomplete: false,
    });
  });
});
