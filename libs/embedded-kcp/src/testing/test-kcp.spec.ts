import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Agent, request } from 'undici';
import { TestKcp } from './test-kcp.js';

const WIDGETS = 'widgets.example.com';
const GADGETS = 'gadgets.example.com';
const CONFIG_MAP = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c }\n';

describe(TestKcp, () => {
  let kcp: TestKcp;
  let agent: Agent;
  beforeAll(async () => {
    kcp = await TestKcp.start({
      shards: 2,
      workspaces: {
        'root:owner': {
          shard: 'root',
          exports: {
            [GADGETS]: { types: [{ kind: 'Gadget', scope: 'Cluster' }] },
            [WIDGETS]: {
              types: [{ kind: 'Widget', spec: { size: 'integer' } }],
              claims: [{ resource: 'configmaps' }, { group: GADGETS, resource: 'gadgets', of: `root:owner:${GADGETS}` }],
            },
          },
        },
        'root:team': {
          shard: 'shard-1',
          binds: [`root:owner:${GADGETS}`, `root:owner:${WIDGETS}`],
          namespaces: ['a'],
          objects: [
            { apiVersion: `${WIDGETS}/v1`, kind: 'Widget', metadata: { name: 'w', namespace: 'a' }, spec: { size: 3 } },
            CONFIG_MAP,
          ],
        },
        'root:team:child': { binds: [{ export: `root:owner:${WIDGETS}`, name: 'w', claims: 'Rejected' }], objects: [CONFIG_MAP] },
      },
      users: {
        alice: { rights: { 'root:team': 'admin' } },
        bob: { rights: { 'root:team': [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }] } },
      },
    });
    agent = new Agent({ connect: { ca: kcp.server.ca } });
  });
  afterAll(async () => {
    await agent.destroy();
    await kcp.stop();
  });

  const get = async (
    url: string,
    user = 'admin',
  ): Promise<{ readonly status: number; readonly body: { readonly items?: readonly unknown[] } }> => {
    const { statusCode, body } = await request(url, { dispatcher: agent, headers: { authorization: `Bearer ${kcp.token(user)}` } });
    const text = await body.text();
    return { status: statusCode, body: text.startsWith('{') ? (JSON.parse(text) as object) : {} };
  };
  const at = (path: string, rest: string): string => `${kcp.access(path).server}${rest}`;

  it('given shards, then workspaces are where they were declared', () => {
    expect([kcp.workspace('root:owner').shard, kcp.workspace('root:team').shard]).toEqual(['root', 'shard-1']);
  });

  it('given types, bindings, namespaces and objects, then all are served at once', async () => {
    const [widget, configMap] = await Promise.all([
      get(at('root:team', `/apis/${WIDGETS}/v1/namespaces/a/widgets/w`)),
      get(at('root:team', '/api/v1/namespaces/default/configmaps/c')),
    ]);

    expect([widget.status, configMap.status]).toEqual([200, 200]);
    expect(widget.body).toMatchObject({ spec: { size: 3 } });
  });

  it('given claims, then the owner sees what is claimed where they were accepted, and only there', async () => {
    const { cluster } = kcp.workspace('root:team');
    const child = kcp.workspace('root:team:child').cluster;
    const urls = await kcp.endpoints(`root:owner:${WIDGETS}`);
    const seen = async (of: string, resource: string): Promise<boolean> =>
      (await Promise.all(urls.map((url) => get(`${url}/clusters/${of}${resource}`)))).some(({ body: { items = [] } }) => items.length > 0);

    expect(await seen(cluster, '/api/v1/configmaps')).toBe(true);
    expect(await seen(child, '/api/v1/configmaps')).toBe(false);
    const gadgets = await Promise.all(urls.map((url) => get(`${url}/clusters/${cluster}/apis/${GADGETS}/v1/gadgets`)));
    expect(gadgets.map(({ status }) => status)).toContain(200);
  });

  it('given users, then each may do what was declared, and nobody else anything', async () => {
    const configMap = at('root:team', '/api/v1/namespaces/default/configmaps/c');
    const secrets = at('root:team', '/api/v1/namespaces/default/secrets');
    const answers = [get(configMap, 'alice'), get(secrets, 'alice'), get(configMap, 'bob'), get(secrets, 'bob'), get(configMap, 'eve')];

    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200, 403, 403]);
  });

  it('given more that is declared later, then it is there as well', async () => {
    await kcp.add({ workspaces: { 'root:later': { binds: [`root:owner:${GADGETS}`] } } });

    expect((await get(at('root:later', `/apis/${GADGETS}/v1/gadgets`))).status).toBe(200);
  });

  it('given a shard that is away, then its workspaces are away with it, and back whatever the work came to', async () => {
    const namespaces = at('root:team', '/api/v1/namespaces');
    const away = kcp.withoutShard('shard-1', async () => {
      expect((await get(namespaces)).status).toBe(502);
      expect((await get(at('root:owner', '/api/v1/namespaces'))).status).toBe(200);
      throw new Error('the work failed');
    });

    await expect(away).rejects.toThrow('the work failed');
    expect((await get(namespaces)).status).toBe(200);
  });

  it('given a kubeconfig, then it leads to the workspace as the user', () => {
    const kubeconfig = kcp.kubeconfig('root:team', 'alice');

    expect(kubeconfig).toContain(kcp.access('root:team').server);
    expect(kubeconfig).toContain(kcp.token('alice'));
  });

  it.each([
    { given: 'a workspace that was not declared', act: () => kcp.workspace('root:x'), expected: 'no workspace "root:x" was declared' },
    { given: 'a shard that is not there', act: () => kcp.withoutShard('shard-2', () => Promise.resolve()), expected: 'there is no shard' },
  ])('given $given, then it says so', async ({ act, expected }) => {
    await expect(async () => act()).rejects.toThrow(expected);
  });
});

describe('a declaration that kcp refuses', () => {
  it.each([
    {
      given: 'a type that is wrong',
      workspace: { exports: { x: { types: [{ kind: 'Widget', spec: { size: { type: 'nothing' } } }] } } },
      expected: /apiresourceschemas v1\.widgets\.x in root:a cannot be made: [34]/,
    },
    { given: 'no export', workspace: { binds: ['widgets'] }, expected: '"widgets" is no export' },
  ])('given $given, then the start rejects with what kcp said', async ({ workspace, expected }) => {
    await expect(TestKcp.start({ delays: 0, workspaces: { 'root:a': workspace } })).rejects.toThrow(expected);
  });
});
