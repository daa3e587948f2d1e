import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { EmbeddedKcp } from '../installation/embedded-kcp.js';

const CONFIG_MAPS = '/clusters/root/api/v1/namespaces/default/configmaps';

describe('requests that are refused before anybody looks at a resource', () => {
  let kcp: EmbeddedKcp;
  beforeAll(async () => {
    kcp = await EmbeddedKcp.start({ delays: 'fast' });
  });
  afterAll(() => kcp.stop());

  const ask = async (
    path: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<{ readonly code: unknown; readonly says: string }> => {
    const authorization = `Bearer ${kcp.token('kcp-admin', ['system:kcp:admin'])}`;
    const asked = request(`${kcp.baseUrl}${path}`, { ca: kcp.ca, agent: false, headers: { authorization, ...headers } });
    asked.end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    let body = '';
    for await (const chunk of response) body += String(chunk);
    return { code: response.statusCode, says: (JSON.parse(body) as { readonly message?: string }).message ?? '' };
  };

  it.each([
    {
      given: 'an upgrade to WebSocket',
      path: `${CONFIG_MAPS}?watch=true`,
      headers: { connection: 'Upgrade', upgrade: 'websocket' },
      expected: { code: 501, says: 'the embedded kcp does not cover connections that are upgraded, as watches over WebSocket are' },
    },
    {
      given: 'a watch by path',
      path: '/clusters/root/api/v1/watch/namespaces/default/configmaps',
      headers: {},
      expected: { code: 501, says: expect.stringContaining('ask for ?watch=true') as unknown },
    },
    {
      given: 'the group of nobody',
      path: CONFIG_MAPS,
      headers: { 'impersonate-group': 'a' },
      expected: {
        code: 400,
        says: 'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"a"}, Extra:map[string][]string(nil)} without impersonating a user name',
      },
    },
    {
      given: 'an extra field of nobody',
      path: CONFIG_MAPS,
      headers: { 'impersonate-extra-x': 'y' },
      expected: { code: 400, says: expect.stringContaining('Extra:map[string][]string{"x":[]string{"y"}}') as unknown },
    },
  ])('given $given, then the answer says why', async ({ path, headers, expected }) => {
    expect(await ask(path, headers)).toEqual(expected);
  });
});
