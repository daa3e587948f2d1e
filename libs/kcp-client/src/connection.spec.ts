import { describe, expect, it } from '@jest/globals';
import { Connection } from './index.js';
import { serve } from './spec-support/serve.js';

const signal = new AbortController().signal;
const secrets = { group: '', version: 'v1', resource: 'secrets' };

describe(Connection, () => {
  it('given a server, when an object is read, then the request names workspace, namespace and object', async () => {
    const seen: string[] = [];
    await using kcp = await serve((request, response) => {
      seen.push(`${String(request.method)} ${String(request.url)}`);
      response.setHeader('content-type', 'application/json').end('{"kind":"Secret","metadata":{"name":"a"}}');
    });
    const connection = new Connection({ server: `${kcp.url}/clusters/root:a` });

    const object = await connection.ownWorkspace().get(secrets, { namespace: 'default', name: 'a' }, { signal });
    await connection.close();

    expect(object).toEqual({ kind: 'Secret', metadata: { name: 'a' } });
    expect(seen).toEqual(['GET /clusters/root:a/api/v1/namespaces/default/secrets/a']);
  });
});
