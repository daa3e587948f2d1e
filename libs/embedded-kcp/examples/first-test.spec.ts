import { EmbeddedKcp } from '@dep-ctrl/embedded-kcp';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Agent, request } from 'undici';

describe('an operator and its kcp', () => {
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

  const call = (method: 'GET' | 'POST', path: string, body?: object): ReturnType<typeof request> =>
    request(`${kcp.baseUrl}${path}`, {
      dispatcher: agent,
      method,
      headers: { authorization: `Bearer ${kcp.token('me', ['system:kcp:admin'])}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });

  it('makes a workspace, which becomes ready by and by, as in a real kcp', async () => {
    const workspaces = '/clusters/root/apis/tenancy.kcp.io/v1alpha1/workspaces';
    const spec = { type: { name: 'universal', path: 'root' } };
    await call('POST', workspaces, { apiVersion: 'tenancy.kcp.io/v1alpha1', kind: 'Workspace', metadata: { name: 'team' }, spec });

    const { body } = await call('GET', `${workspaces}?watch=true&fieldSelector=metadata.name=team`);
    let seen = '';
    for await (const chunk of body) {
      seen += String(chunk);
      if (seen.includes('"phase":"Ready"')) break;
    }

    const { statusCode } = await call('GET', '/clusters/root:team/api/v1/namespaces/default');
    expect(statusCode).toBe(200);
  });

  it('meets a server that fails once, and counts what was asked', async () => {
    kcp.requests.clear();
    const path = '/clusters/root/api/v1/namespaces';
    kcp.faults.onRequest({ path, method: 'GET' }, { kind: 'answer', status: 503, headers: { 'retry-after': '1' } }, { times: 1 });

    const answers = [await call('GET', path), await call('GET', path)];

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([503, 200]);
    expect(kcp.requests.count({ path })).toBe(2);
  });
});
