import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EmbeddedKcp } from '../installation/embedded-kcp.js';
import { ApiClient } from '../testing/api-client.js';
import { NamespaceTeardown } from './namespace-teardown.js';

describe(NamespaceTeardown, () => {
  let kcp: EmbeddedKcp;
  let admin: ApiClient;
  beforeAll(async () => {
    kcp = await EmbeddedKcp.start({ delays: 'fast' });
    admin = new ApiClient(kcp, 'kcp-admin', ['system:kcp:admin']);
  });
  afterAll(async () => {
    await admin.close();
    await kcp.stop();
  });

  const namespaces = (): string => `${kcp.baseUrl}/clusters/root/api/v1/namespaces`;
  const make = async (name: string, finalizers: readonly string[]): Promise<void> => {
    await admin.send('POST', namespaces(), { metadata: { name } });
    await admin.send('POST', `${namespaces()}/${name}/configmaps`, { metadata: { name: 'content', finalizers } });
  };

  it('given content, when a namespace is deleted, then both go, and nothing new comes into it meanwhile', async () => {
    await make('plain', []);

    expect((await admin.send('DELETE', `${namespaces()}/plain`)).body.status?.['phase']).toBe('Terminating');
    const late = await admin.send('POST', `${namespaces()}/plain/configmaps`, { metadata: { name: 'late' } });
    await admin.until(`${namespaces()}/plain`, ({ status }) => status === 404);

    expect([403, 404]).toContain(late.status);
    expect((await admin.send('GET', `${namespaces()}/plain/configmaps/content`)).status).toBe(404);
  });

  it('given content that a finalizer holds, then the namespace says so, and goes once the finalizer is gone', async () => {
    await make('held', ['example.com/hold']);

    await admin.send('DELETE', `${namespaces()}/held`);
    const held = await admin.until(`${namespaces()}/held`, ({ body: { status } }) =>
      JSON.stringify(status).includes('"SomeFinalizersRemain"'),
    );
    await admin.send('PATCH', `${namespaces()}/held/configmaps/content`, { metadata: { finalizers: null } });
    await admin.until(`${namespaces()}/held`, ({ status }) => status === 404);

    expect(JSON.stringify(held.body.status)).toContain('example.com/hold in 1 resource instances');
  });
});
